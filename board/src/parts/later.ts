// Parts of the page that its first view does not need. All of them are fetched soon after it is drawn, from the board that served the
// page: what is fetched when it is needed could come from another program that has the board's port by then.

import { type ComponentType, lazy } from "react";

/** Soon after the page is drawn. */
const SOON_MS = 1_500;

export function later<Props>(load: () => Promise<{ readonly default: ComponentType<Props> }>) {
  // One that fails is fetched when it is needed.
  setTimeout(() => void load().catch(() => undefined), SOON_MS);
  return lazy(load);
}
