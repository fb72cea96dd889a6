// Begins when this tab has a token: from its own storage, with the key of this browser, or from a code that you type. Again after each
// sign-in.

import { startNotifying } from "../frame/notify.js";
import { follow } from "./live.js";
import { refreshSoon } from "./reads.js";
import { isSigningIn, openSession, session, signInAgain } from "./session.js";
import { token } from "./token.js";

export function start(): void {
  token.watch(() => void (token.get() === undefined ? signInAgain() : enter()));
  if (token.get() === undefined) void signInAgain();
  else void enter().finally(() => isSigningIn.set(false));
}

/** Reads who looks, and follows the plan. */
export async function enter(): Promise<void> {
  if (token.get() === undefined) return signInAgain();
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
