// Reads the news for one actor since they last looked. They come from the log, so nothing is lost that happens while no
// program runs.

import type { Actor } from "../../model/actor.js";
import { changeItem, type Item, type ItemChange } from "../../model/item/item.js";
import { ok, type Result, refused } from "../../model/result.js";
import { coalesce, type Happening, isWanted, type NewsLine, type NewsView } from "../../model/rules/news.js";
import type { Reader, Writer } from "../../store/store.js";
import { actWithNumber, type Context } from "../base/context.js";
import { finishedAs } from "../base/require-open.js";
import { isoTime } from "../node/view.js";
import { happeningsSince } from "./happenings.js";
import { activeSubscriptions } from "./subscribe.js";

export type EndedSubscription = Awaited<ReturnType<typeof endedOf>>[number];

export type NewsPage = ReturnType<typeof toPage>;

/** How far an actor has read, and which subscriptions ended with that. */
export interface ReadMark {
  readonly upTo: number;
  readonly ended?: readonly string[];
}

/** What one look found; reading it moves the cursors to `upTo`. */
type Look = Awaited<ReturnType<typeof look>>;

/** A quiet subscription is moved on now and then, so that no look goes far back. */
const MAX_LAG = 1_000;

const USUAL_LIMIT = 200;

export interface ReadOptions {
  /** Leave them unread: they come again the next time. */
  readonly peek?: boolean;
  readonly limit?: number;
  /** An operation up to which an earlier look found nothing. */
  readonly since?: number;
}

export async function readNews(context: Context, options: ReadOptions = {}): Promise<Result<NewsPage>> {
  const { actor } = context;
  for (;;) {
    const seen = await context.store.read((reader) => look(reader, actor, options));
    if (options.peek || !isWorthMarking(seen)) return ok(toPage(actor, seen));
    const marked = await actWithNumber(context, "inbox", (writer) => markSeen(writer, actor, seen));
    if (marked.ok) return ok(toPage(actor, seen, marked.value));
    // Another process has just read the same news for the same actor: look again for what is left.
    if (marked.error.reason !== ALREADY_READ) return marked;
  }
}

/** A reader that shows the news first calls this afterwards. Nothing is lost if it never does. */
export const markNews = (context: Context, { upTo, ended = [] }: ReadMark) =>
  actWithNumber(context, "inbox", async (writer) => {
    const { actor } = context;
    const own = await activeSubscriptions(writer, actor);
    const last = Math.min(upTo, await writer.lastOperation());
    const sentence = `${actor} read the news up to operation ${last}`;
    return ok({ sentence, changes: moved(own, last, ended), value: {} });
  });

const ALREADY_READ = "already-read";

async function look(reader: Reader, actor: Actor, { since = 0, limit = USUAL_LIMIT }: ReadOptions) {
  const subscriptions = await activeSubscriptions(reader, actor);
  const after = Math.max(since, Math.min(...subscriptions.map(({ fields }) => fields.cursor)));
  const last = await reader.lastOperation();
  const wanted: Happening[] = [];
  if (subscriptions.length > 0) {
    for await (const happening of happeningsSince(reader, after)) {
      if (subscriptions.some(({ fields }) => isWanted(fields, happening))) wanted.push(happening);
    }
  }
  const upTo = lastShown(coalesce(wanted), limit) ?? last;
  const news = coalesce(wanted.filter(({ op }) => op <= upTo)).slice(0, limit);
  const ended = upTo === last ? await endedOf(reader, subscriptions) : [];
  return { subscriptions, news, more: coalesce(wanted).length - news.length, ended, upTo };
}

/**
 * The last operation whose news all fit, so that the rest comes the next time; undefined if everything fits. The news of
 * one operation are never split, because the cursor counts operations.
 */
function lastShown(lines: readonly NewsLine[], limit: number): number | undefined {
  const cut = lines[limit]?.op;
  if (cut === undefined) return undefined;
  return lines.findLast(({ op }) => op < cut)?.op ?? cut;
}

async function endedOf(reader: Reader, subscriptions: readonly Item<"subscription">[]) {
  /** `because`: how its node was finished. */
  const ended: { id: string; target: string; because: string }[] = [];
  for (const { key, fields } of subscriptions) {
    if (fields.target === null) continue;
    const node = await reader.node(fields.target);
    const because = node ? finishedAs(node) : "taken back";
    if (because !== undefined) ended.push({ id: key, target: node?.id ?? "?", because });
  }
  return ended;
}

function isWorthMarking({ subscriptions, news, ended, upTo }: Look): boolean {
  if (news.length > 0 || ended.length > 0) return true;
  return subscriptions.some(({ fields }) => upTo - fields.cursor > MAX_LAG);
}

async function markSeen(writer: Writer, actor: Actor, { subscriptions, news, ended, upTo }: Look) {
  const now = new Map((await activeSubscriptions(writer, actor)).map((item) => [item.key, item]));
  const isStale = subscriptions.some(({ key, revision }) => now.get(key)?.revision !== revision);
  if (isStale) return refused(ALREADY_READ, `${actor} has read these news already.`);
  const gone = ended.map(({ id }) => id);
  return ok({ sentence: `${actor} read ${news.length} news`, changes: moved(subscriptions, upTo, gone), value: {} });
}

/** A cursor never goes back. */
const moved = (subscriptions: readonly Item<"subscription">[], upTo: number, ended: readonly string[]): ItemChange[] =>
  subscriptions.flatMap((item) => {
    const { state, cursor } = item.fields;
    return changeItem(item, { cursor: Math.max(cursor, upTo), state: ended.includes(item.key) ? "ended" : state });
  });

function toPage(actor: Actor, seen: Look, marked?: { readonly op: number | null }) {
  const { news, more, ended, upTo } = seen;
  const mark: ReadMark | null = isWorthMarking(seen) ? { upTo, ended: ended.map(({ id }) => id) } : null;
  return {
    op: marked?.op ?? null,
    actor,
    /** False: there is no subscription, so there can be no news. */
    isSubscribed: seen.subscriptions.length > 0,
    /** The oldest first. */
    news: news.map((line): NewsView => ({ ...line, at: isoTime(line.at) })),
    /** News that the limit left out. They come the next time, unless one operation alone made more than the limit. */
    more,
    /** Subscriptions to nodes that are finished: this was the last of them. */
    ended,
    /** The latest operation that was looked at. */
    upTo,
    /** What to mark as read once it is shown; null when it is marked, or when there is nothing to mark. */
    unmarked: marked === undefined ? mark : null,
  };
}
