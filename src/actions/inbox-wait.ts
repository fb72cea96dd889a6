// Waits for news: looks when another process has written, and asks for that gently in between.

import { setTimeout as after } from "node:timers/promises";
import { ok, type Result } from "../graph/result.js";
import type { Context } from "./context.js";
import { type Inbox, inbox } from "./inbox.js";

const POLL_MS = 250;

export interface Waited extends Inbox {
  /** Nobody wanted to wait any longer. */
  readonly interrupted: boolean;
}

export async function waitForNews(
  context: Context,
  { peek, signal }: { peek: boolean; signal: AbortSignal },
): Promise<Result<Waited>> {
  for (;;) {
    const version = await context.store.version();
    const found = await inbox(context, { peek });
    if (!found.ok) return found;
    const { news, ended } = found.value;
    if (news.length > 0 || ended.length > 0) return ok({ ...found.value, interrupted: false });
    while ((await context.store.version()) === version) {
      if (signal.aborted) return ok({ ...found.value, interrupted: true });
      // An abort only ends the pause; the loop asks.
      await after(POLL_MS, undefined, { signal }).catch(() => {});
    }
  }
}
