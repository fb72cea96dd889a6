// Reads the news for one actor since they last looked. They come from the log, so nothing is lost that happens while no
// program runs.

import type { Actor } from "../../model/actor.js";
import { changeItem, type Item, type ItemChange } from "../../model/item/item.js";
import { ok, type Result, refused } from "../../model/result.js";
import type { Happening, NewsLine, NewsView } from "../../model/rules/news.js";
import { coalesce, isWanted } from "../../model/rules/news.js";

import { isFinished } from "../../model/status/rollup.js";
import type { Reader, Writer } from "../../store/store.js";
import { act, type Context } from "../base/context.js";
import { isoTime } from "../node/view.js";
import { happeningsSince } from "./happenings.js";
import { activeSubscriptions } from "./subscribe.js";

export interface EndedSubscription {
  readonly id: string;
  readonly target: string;
  /** How its node was finished. */
  readonly because: string;
}

export interface NewsPage {
  readonly op: number | null;
  readonly actor: Actor;
  /** False: there is no subscription, so there can be no news. */
  readonly isSubscribed: boolean;
  /** The oldest first. */
  readonly news: readonly NewsView[];
  /** News that the limit left out. They come the next time, unless one operation alone made more than the limit. */
  readonly more: number;
  /** Subscriptions to nodes that are finished: this was the last of them. */
  readonly ended: readonly EndedSubscription[];
  /** The latest operation that was looked at. */
  readonly upTo: number;
  /** What to mark as read once it is shown; null when it is marked, or when there is nothing to mark. */
  readonly unmarked: ReadMark | null;
}

/** How far an actor has read, and which subscriptions ended with that. */
export interface ReadMark {
  readonly upTo: number;
  readonly ended?: readonly string[];
}

/** What one look found; reading it moves the cursors to `upTo`. */
interface Look {
  readonly subscriptions: readonly Item<"subscription">[];
  readonly news: readonly NewsLine[];
  readonly more: number;
  readonly ended: readonly EndedSubscription[];
  readonly upTo: number;
}

/** A quiet subscription is moved on now and then, so that no look goes far back. */
const LAG = 1_000;

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
    const marked = await act(context, "inbox", (writer) => markSeen(writer, actor, seen));
    if (marked.ok) return ok({ ...toPage(actor, seen), op: marked.value.op, unmarked: null });
    // Another process has just read the same news for the same actor: look again for what is left.
    if (marked.error.reason !== ALREADY_READ) return marked;
  }
}

/** For a reader that shows the news first. Nothing is lost if it never comes to this. */
export async function markNews(
  context: Context,
  { upTo, ended = [] }: ReadMark,
): Promise<Result<{ op: number | null }>> {
  const { actor } = context;
  const committed = await act(context, "inbox", async (writer) => {
    const own = await activeSubscriptions(writer, actor);
    const last = Math.min(upTo, await writer.lastOperation());
    return ok({
      sentence: `${actor} read the news up to operation ${last}`,
      changes: moved(own, last, ended),
      value: null,
    });
  });
  return committed.ok ? ok({ op: committed.value.op }) : committed;
}

const ALREADY_READ = "already-read";

async function look(reader: Reader, actor: Actor, { since = 0, limit = USUAL_LIMIT }: ReadOptions): Promise<Look> {
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

async function endedOf(reader: Reader, subscriptions: Look["subscriptions"]): Promise<EndedSubscription[]> {
  const ended: EndedSubscription[] = [];
  for (const { key, fields } of subscriptions) {
    if (fields.target === null) continue;
    const node = await reader.node(fields.target);
    const settled = node?.archive ? "archived" : node?.outcome?.kind;
    const because = node ? (settled ?? (isFinished(node) ? "done" : undefined)) : "taken back";
    if (because !== undefined) ended.push({ id: key, target: node?.id ?? "?", because });
  }
  return ended;
}

function isWorthMarking({ subscriptions, news, ended, upTo }: Look): boolean {
  if (news.length > 0 || ended.length > 0) return true;
  return subscriptions.some(({ fields }) => upTo - fields.cursor > LAG);
}

async function markSeen(writer: Writer, actor: Actor, { subscriptions, news, ended, upTo }: Look) {
  const now = new Map((await activeSubscriptions(writer, actor)).map((item) => [item.key, item]));
  const isStale = subscriptions.some(({ key, revision }) => now.get(key)?.revision !== revision);
  if (isStale) return refused(ALREADY_READ, `${actor} has read these news already.`);
  const changes = moved(
    subscriptions,
    upTo,
    ended.map(({ id }) => id),
  );
  return ok({ sentence: `${actor} read ${news.length} news`, changes, value: null });
}

/** A cursor never goes back. */
const moved = (subscriptions: readonly Item<"subscription">[], upTo: number, ended: readonly string[]): ItemChange[] =>
  subscriptions.flatMap((item) =>
    changeItem(item, {
      cursor: Math.max(item.fields.cursor, upTo),
      ...(ended.includes(item.key) ? { state: "ended" as const } : {}),
    }),
  );

function toPage(actor: Actor, seen: Look): NewsPage {
  const { news, more, ended, upTo } = seen;
  const unmarked = isWorthMarking(seen) ? { upTo, ended: ended.map(({ id }) => id) } : null;
  return {
    op: null,
    actor,
    isSubscribed: seen.subscriptions.length > 0,
    news: news.map((line) => ({ ...line, at: isoTime(line.at) })),
    more,
    ended,
    upTo,
    unmarked,
  };
}
