// Begins when this tab has a token: from its own storage, from another tab, or from a code that you type. Again after each sign-in.

import { startNotifying } from "../frame/notify.js";
import { follow } from "./live.js";
import { refreshSoon } from "./reads.js";
import { openSession, session } from "./session.js";
import { askOtherTabs, token } from "./token.js";

export function start(): void {
  token.watch(() => void enter());
  if (token.get() === undefined) askOtherTabs();
  else void enter();
}

/** Reads who looks, and follows the plan. */
export async function enter(): Promise<void> {
  if (token.get() === undefined) return;
  const before = session.get();
  const opened = await openSession();
  if (!opened) return;
  if (!before) {
    startNotifying(opened.actor);
    return follow(opened.op);
  }
  // Another plan is served here now, or this one was put back: nothing that the page holds counts.
  if (before.root !== opened.root || opened.op < before.op) location.reload();
  else refreshSoon();
}
