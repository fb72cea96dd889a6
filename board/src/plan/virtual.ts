// Only the rows that can be seen are in the page, and a few around them.

import { type RefObject, useEffect, useState } from "react";

export const ROW = 30;
const AROUND = 12;

/** The first row and the number of rows to draw. */
export const visibleRange = (top: number, height: number, count: number): { from: number; to: number } => {
  const from = Math.max(0, Math.floor(top / ROW) - AROUND);
  return { from, to: Math.min(count, Math.ceil((top + height) / ROW) + AROUND) };
};

export function useVisible(
  scroller: RefObject<HTMLElement | null>,
  count: number,
): { readonly from: number; readonly to: number } {
  const [range, setRange] = useState({ from: 0, to: Math.min(count, 60) });
  useEffect(() => {
    const element = scroller.current;
    if (!element) return undefined;
    const look = (): void => {
      const next = visibleRange(element.scrollTop, element.clientHeight, count);
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
  }, [scroller, count]);
  return range;
}
