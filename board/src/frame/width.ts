// How wide the window is, for what differs by more than its style.

import { signal, useSignal } from "../api/signal.js";

const width = signal(window.innerWidth);
window.addEventListener("resize", () => width.set(window.innerWidth));

export const useWidth = (): number => useSignal(width);
