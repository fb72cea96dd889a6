// Waits for news.

import type { Actor } from "../../model/actor.js";
import { step } from "../../model/next-step.js";
import { absent, ok, type Result } from "../../model/result.js";
import type { Context } from "../../plan/context.js";
import { type NewsPage, type ReadOptions, readNews } from "../../plan/news/read-news.js";
import type { Store } from "../../store/store.js";

export interface WaitOptions extends Omit<ReadOptions, "since"> {
  readonly signal: AbortSignal;
}

export type Waited = NewsPage & {
  /** The wait was ended before there were any news. */
  readonly interrupted: boolean;
};

export async function waitForNews(context: Context, { signal, ...options }: WaitOptions): Promise<Result<Waited>> {
  for (let since = 0; ; ) {
    const found = await readNews(context, { ...options, since });
    if (!found.ok) return found;
    const { actor, isSubscribed, news, ended, upTo } = found.value;
    if (!isSubscribed) return notSubscribed(actor);
    if (news.length > 0 || ended.length > 0) return ok({ ...found.value, interrupted: false });
    if (!(await isFollowed(context.store, upTo, signal))) return ok({ ...found.value, interrupted: true });
    since = upTo;
  }
}

const notSubscribed = (actor: Actor): Result<never> =>
  absent("not-subscribed", `${actor} is not subscribed to anything.`, { next: [step("news.subscribe")] });

/** Waits for an operation after this one; false if the wait was interrupted. */
async function isFollowed(store: Store, op: number, signal: AbortSignal): Promise<boolean> {
  for await (const _ of store.follow(op, { signal })) return true;
  return false;
}
