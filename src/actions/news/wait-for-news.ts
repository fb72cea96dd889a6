// Waits for news: looks at each operation as it is committed.

import { ok, type Result } from "../../graph/result.js";
import type { Store } from "../../store/store.js";
import type { Context } from "../context.js";
import { type Inbox, lookAtInbox, TOLD, type Untold, withoutTold } from "./read-news.js";

export interface WaitOptions {
  readonly peek: boolean;
  readonly limit?: number;
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
  { peek, limit, signal }: WaitOptions,
): Promise<Result<Untold & Interrupted>> {
  let seen = 0;
  for (;;) {
    const found = await lookAtInbox(context, { since: seen, ...(limit === undefined ? {} : { limit }) });
    if (!found.ok) return found;
    const { news, ended, upTo } = found.value;
    if (news.length > 0 || ended.length > 0) return ok({ ...found.value, interrupted: false });
    // Moves the cursors on, so that no later look goes far back.
    if (!peek) await found.value.told();
    if (!(await isFollowed(context.store, upTo, signal))) return ok({ ...found.value, interrupted: true });
    seen = upTo;
  }
}

/** Waits for an operation after this one; false if the wait was interrupted. */
async function isFollowed(store: Store, op: number, signal: AbortSignal): Promise<boolean> {
  for await (const _ of store.follow(op, { signal })) return true;
  return false;
}
