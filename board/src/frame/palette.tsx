// The palette: one field that finds nodes, runs and questions, and does verbs. Loaded when it is opened.

import { Suspense, useEffect } from "react";
import { signal, useSignal } from "../api/signal.js";
import { later } from "../parts/later.js";

const isOpen = signal(false);
/** Letters that came before the field was there. */
let typed = "";

export const openPalette = (): void => {
  typed = "";
  isOpen.set(true);
};
const close = (): void => isOpen.set(false);

const PaletteDialog = later(() => import("../palette/palette-dialog.js"));

/** Letters that come before the field is there are kept for it, and are no shortcuts of the page. */
function Typing() {
  useEffect(() => {
    const keep = (event: KeyboardEvent): void => {
      if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      typed += event.key;
    };
    window.addEventListener("keydown", keep, { capture: true });
    return () => window.removeEventListener("keydown", keep, { capture: true });
  }, []);
  return null;
}

const takeTyped = (): string => typed;

export function Palette() {
  const open = useSignal(isOpen);
  return open ? (
    <Suspense fallback={<Typing />}>
      <PaletteDialog close={close} typed={takeTyped} />
    </Suspense>
  ) : null;
}
