// What the engine tells: it has a subscription of its own, so what happens while no engine runs is told by the next one,
// and two engines on one machine do not tell the same twice.

import { type Notifier, type NotifierContext, type NotifierSettings, notifier } from "../../machine/notify/notify.js";
import { NEWS } from "../../model/item/person.js";
import { ok, type Result } from "../../model/result.js";
import type { Context } from "../../plan/context.js";
import { readNews } from "../../plan/news/read-news.js";
import { listSubscriptions, subscribe } from "../../plan/news/subscribe.js";

/** There are no subscriptions. */
const isSilent = ({ bell, desktop, webhook, command, news }: NotifierSettings): boolean =>
  (!bell && !desktop && webhook === null && command === null) || news.length === 0;

export interface Announcer {
  /** Tells what is new, and how much that was. Called in every tick; `told` is for whoever has to wait for the channels. */
  announce(): Promise<Result<{ readonly news: number; readonly told: Promise<void> }>>;
}

const NOTHING = { news: 0, told: Promise.resolve() };

/** `context` is the engine's own. */
export function announcer(context: Context, settings: NotifierSettings, bystanders: NotifierContext): Announcer {
  if (isSilent(settings)) return { announce: async () => ok(NOTHING) };
  const channels: Notifier = notifier(settings, bystanders);
  let isSubscribed = false;
  return {
    announce: async () => {
      const ready = isSubscribed ? ok(undefined) : await subscribeOnce(context, settings.news);
      if (!ready.ok) return ready;
      isSubscribed = true;
      const found = await readNews(context);
      if (!found.ok) return found;
      const { news } = found.value;
      return ok(news.length === 0 ? NOTHING : { news: news.length, told: channels.send(news) });
    },
  };
}

/** Again only if it should tell something else: each time would be an operation. */
async function subscribeOnce(context: Context, news: readonly string[]): Promise<Result<void>> {
  const known = await listSubscriptions(context);
  if (!known.ok) return known;
  const wanted = NEWS.filter((kind) => news.includes(kind));
  if (known.value.some(({ scope, news: told }) => scope === "workspace" && told.join() === wanted.join()))
    return ok(undefined);
  const made = await subscribe(context, { news: wanted });
  return made.ok ? ok(undefined) : made;
}
