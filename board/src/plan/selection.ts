// The nodes that `x` selected, for verbs on all of them. It stays while you switch the layout.

import { signal } from "../api/signal.js";

export const selection = signal<ReadonlySet<string>>(new Set());

export const clearSelection = (): void => selection.set(new Set());

export const toggleSelected = (id: string): void =>
  selection.update((known) => {
    const next = new Set(known);
    if (!next.delete(id)) next.add(id);
    return next;
  });
