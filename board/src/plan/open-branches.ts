// What was opened and closed by hand, while the page is open.

import { signal } from "../api/signal.js";

export const openings = signal<ReadonlyMap<string, boolean>>(new Map());

export const setOpen = (id: string, open: boolean): void =>
  openings.update((known) => (known.get(id) === open ? known : new Map([...known, [id, open]])));
