// What the page tells you at the bottom left: what just happened, and whether it can be undone.

import { signal } from "./signal.js";

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: "plain" | "stop";
  readonly undo?: () => void;
}

const SHOWN_MS = 8_000;
const MOST = 3;
export const toasts = signal<readonly Toast[]>([]);
let last = 0;

export const dismiss = (id: number): void => toasts.update((all) => all.filter((each) => each.id !== id));

export function say(text: string, options: { readonly tone?: Toast["tone"]; readonly undo?: () => void } = {}): void {
  const id = ++last;
  const { tone = "plain", undo } = options;
  toasts.update((all) => [...all, { id, text, tone, ...(undo && { undo }) }].slice(-MOST));
  setTimeout(() => dismiss(id), SHOWN_MS);
}
