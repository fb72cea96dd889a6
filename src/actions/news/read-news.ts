// The news for one actor since they last looked: read from the log, told once, and never kept in memory, so nothing
// that happens while nobody is running is lost.

import type { Actor } from "../../graph/actor.js";
import { changeItem, type Item } from "../../graph/item/item.js";
import { coalesce, type Happening, isWanted, type NewsLine } from "../../graph/item/news.js";
import { absent, ok, type Result, refused } from "../../graph/result.js";
import { isFinished } from "../../graph/status/rollup.js";
import type { Reader, Writer } from "../../store/store.js";
import { act, type Context } from "../context.js";
import { isoTime } from "../view.js";
import { happeningsSince } from "./happenings.js";
import { activeSubscriptions } from "./subscribe.js";

export interface NewsView extends Omit<NewsLine, "at"> {
  readonly at: string;
}

export interface EndedSubscription {
  readonly id: string;
  readonly target: string;
  /** How its node was settled. */
  readonly because: string;
}

export interface Inbox {
  readonly op: number | null;
  readonly actor: Actor;
  /** The oldest first. */
  readonly news: readonly NewsView[];
  /** News that the limit left out. They come the next time, unless one operation alone made more than the limit. */
  readonly more: number;
  /** Subscriptions to nodes that are settled: this was the last of them. */
  readonly ended: readonly EndedSubscription[];
}

/** What one look found; the cursors go to `upTo` when it is told. */
interface Look {
  readonly subscriptions: readonly Item<"subscription">[];
  readonly news: readonly NewsLine[];
  readonly more: number;
  readonly ended: readonly EndedSubscription[];
  readonly upTo: number;
}

/** A quiet subscription is moved on now and then, so that no look goes far back. */
const LAG = 1_000;

export const USUAL_LIMIT = 200;

/** With `peek` the same news come again the next time. */
export async function inbox(context: Context, { peek = false, limit = USUAL_LIMIT } = {}): Promise<Result<Inbox>> {
  for (;;) {
    const seen = await lookAtInbox(context, { limit });
    if (!seen.ok || peek) return seen;
    const told = await seen.value.told();
    if (told.ok) return ok({ ...withoutTold(seen.value), op: told.value });
    // Somebody else has just told the same actor the same: look again, for what is left.
    if (told.error.reason !== TOLD) return told;
  }
}

/** News that somebody has yet to be told. */
export interface Untold extends Inbox {
  /** The latest operation that was looked at. */
  readonly upTo: number;
  /** For whoever has told them: from now on they are old. Until then nothing of them is lost. */
  readonly told: () => Promise<Result<number | null>>;
}

export interface LookOptions {
  /** An operation up to which an earlier look found nothing. */
  readonly since?: number;
  readonly limit?: number;
}

export async function lookAtInbox(context: Context, options: LookOptions = {}): Promise<Result<Untold>> {
  const { actor } = context;
  const seen = await context.store.read((reader) => look(reader, actor, options));
  if (seen.subscriptions.length === 0) return notSubscribed(actor);
  const told = async (): Promise<Result<number | null>> => {
    if (!isWorthWriting(seen)) return ok(null);
    const written = await act(context, "inbox", (writer) => tell(writer, actor, seen));
    return written.ok ? ok(written.value.op) : written;
  };
  return ok({ ...toInbox(actor, seen), upTo: seen.upTo, told });
}

export const withoutTold = ({ op, actor, news, more, ended }: Untold): Inbox => ({
  op,
  actor,
  news,
  more,
  ended,
});

export const TOLD = "told-already";

const notSubscribed = (actor: Actor): Result<never> =>
  absent("not-subscribed", `${actor} is not subscribed to anything.`, {
    hint: "`planwright subscribe` tells you of everything in the workspace; `planwright subscribe REF` of one node.",
  });

async function look(reader: Reader, actor: Actor, { since = 0, limit = USUAL_LIMIT }: LookOptions): Promise<Look> {
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
 * The last operation whose news all fit, so that the rest comes the next time. The news of one operation are not told in
 * parts, for the cursor counts operations; undefined if everything fits.
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

function isWorthWriting({ subscriptions, news, ended, upTo }: Look): boolean {
  if (news.length > 0 || ended.length > 0) return true;
  return subscriptions.some(({ fields }) => upTo - fields.cursor > LAG);
}

async function tell(writer: Writer, actor: Actor, { subscriptions, news, ended, upTo }: Look) {
  const now = new Map((await activeSubscriptions(writer, actor)).map((item) => [item.key, item]));
  const moved = subscriptions.some(({ key, revision }) => now.get(key)?.revision !== revision);
  if (moved) return refused(TOLD, `The news of ${actor} were told meanwhile.`);
  const over = new Set(ended.map(({ id }) => id));
  const changes = subscriptions.flatMap((item) =>
    changeItem(item, { cursor: Math.max(item.fields.cursor, upTo), ...(over.has(item.key) ? { state: "ended" } : {}) }),
  );
  return ok({ sentence: `${actor} was told ${news.length} news`, changes, value: null });
}

const toInbox = (actor: Actor, { news, more, ended }: Look): Inbox => ({
  op: null,
  actor,
  news: news.map((line) => ({ ...line, at: isoTime(line.at) })),
  more,
  ended,
});
