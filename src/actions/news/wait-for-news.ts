// Waits for news: looks when another process has written, and asks for that gently in between.

import { setTimeout as after } from "node:timers/promises";
import { ok, type Result } from "../../graph/result.js";
import type { Context } from "../context.js";
import { type Inbox, lookAtInbox, TOLD, type Untold, withoutTold } from "./read-news.js";

const POLL_MS = 250;

export interface WaitOptions {
  readonly peek: boolean;
  readonly signal: AbortSignal;
}

interface Interrupted {
  /** Nobody wanted to wait any longer. */
  readonly interrupted: boolean;
}

export type Waited = Inbox & Interrupted;

export async function waitForNews(context: Context, options: WaitOptions): Promise<Result<Waited>> {
  for (;;) {
    const found = await waitForUntold(context, options);
    if (!found.ok) return found;
    const { interrupted } = found.value;
    const waited = { ...withoutTold(found.value), interrupted };
    if (options.peek || interrupted) return ok(waited);
    const told = await found.value.told();
    if (told.ok) return ok({ ...waited, op: told.value });
    // Somebody else has told it: wait for what comes next.
    if (told.error.reason !== TOLD) return told;
  }
}

/** For whoever shows them first, and says afterwards that they were told. */
export async function waitForUntold(
  context: Context,
  { peek, signal }: WaitOptions,
): Promise<Result<Untold & Interrupted>> {
  for (;;) {
    const version = await context.store.version();
    const found = await lookAtInbox(context);
    if (!found.ok) return found;
    const { news, ended } = found.value;
    if (news.length > 0 || ended.length > 0) return ok({ ...found.value, interrupted: false });
    // Nothing was left out, so that no later look goes far back.
    if (!peek) await found.value.told();
    while ((await context.store.version()) === version) {
      if (signal.aborted) return ok({ ...found.value, interrupted: true });
      // An abort only ends the pause; the loop asks.
      await after(POLL_MS, undefined, { signal }).catch(() => {});
    }
  }
}
