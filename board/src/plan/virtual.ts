// Only the rows that can be seen are in the page, and a few around them.

import { type RefObject, useEffect, useState } from "react";
import { useWidth } from "../frame/width.js";

const ROW = 30;
/** High enough for a finger. */
const PHONE_ROW = 44;
const PHONE = 640;
const AROUND = 12;

export const useRowHeight = (): number => (useWidth() < PHONE ? PHONE_ROW : ROW);

/** The first row and the number of rows to draw. */
const visibleRange = (element: HTMLElement, count: number, row: number): { from: number; to: number } => {
  const { scrollTop: top, clientHeight: height } = element;
  const from = Math.max(0, Math.floor(top / row) - AROUND);
  return { from, to: Math.min(count, Math.ceil((top + height) / row) + AROUND) };
};

export function useVisible(
  scroller: RefObject<HTMLElement | null>,
  count: number,
  row: number,
): { readonly from: number; readonly to: number } {
  const [range, setRange] = useState({ from: 0, to: Math.min(count, 60) });
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const look = (): void => {
      const next = visibleRange(element, count, row);
      setRange((known) => (known.from === next.from && known.to === next.to ? known : next));
    };
    look();
    const sizes = new ResizeObserver(look);
    sizes.observe(element);
    element.addEventListener("scroll", look, { passive: true });
    return () => {
      sizes.disconnect();
      element.removeEventListener("scroll", look);
    };
  }, [scroller, count, row]);
  return range;
}
