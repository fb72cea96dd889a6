// The palette: one field that finds nodes, runs and questions, and does verbs. Loaded when it is opened.

import { lazy, Suspense } from "react";
import { signal, useSignal } from "../api/signal.js";

const isOpen = signal(false);
export const openPalette = (): void => isOpen.set(true);
const close = (): void => isOpen.set(false);

const load = () => import("../palette/palette-dialog.js");
const PaletteDialog = lazy(load);

/** After the page is drawn, so that the first letters after Ctrl K find their field. */
const SOON_MS = 1_500;
setTimeout(() => void load(), SOON_MS);

export function Palette() {
  const open = useSignal(isOpen);
  return open ? (
    <Suspense fallback={null}>
      <PaletteDialog close={close} />
    </Suspense>
  ) : null;
}
