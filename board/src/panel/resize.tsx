// The edge of the panel: drag it, or use the arrow keys on it. The width is kept in this browser.

import { useState } from "react";

const [LEAST, MOST] = [456, 720];
const STORED = "planwright.panel";
const STEP = 24;

const within = (width: number): number => Math.round(Math.max(LEAST, Math.min(MOST, width)));

const stored = (): number => within(Number(localStorage.getItem(STORED) ?? LEAST) || LEAST);

export function usePanelWidth(): { readonly width: number; readonly setWidth: (width: number) => void } {
  const [width, set] = useState(stored);
  const setWidth = (next: number): void => {
    const allowed = within(next);
    localStorage.setItem(STORED, String(allowed));
    set(allowed);
  };
  return { width, setWidth };
}

export function ResizeHandle({ width, setWidth }: ReturnType<typeof usePanelWidth>) {
  return (
    <div
      className="resize"
      role="separator"
      aria-orientation="vertical"
      aria-label="Width of the panel"
      aria-valuemin={LEAST}
      aria-valuemax={MOST}
      aria-valuenow={width}
      tabIndex={0}
      onPointerDown={(event) => {
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
      }}
      onPointerMove={(event) => {
        if (event.currentTarget.hasPointerCapture(event.pointerId)) setWidth(window.innerWidth - event.clientX);
      }}
      onKeyDown={(event) => {
        const by = { ArrowLeft: STEP, ArrowRight: -STEP }[event.key];
        if (by === undefined) return;
        event.preventDefault();
        event.stopPropagation();
        setWidth(width + by);
      }}
    />
  );
}
