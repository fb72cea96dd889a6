import { absent, interrupted, ok, type Result } from "../../model/result.js";
import type { NewsView } from "../../model/rules/news.js";
import type { Context } from "../../plan/base/context.js";
import { type EndedSubscription, type NewsPage, type ReadOptions, readNews } from "../../plan/news/read-news.js";
import type { Store } from "../../store/store.js";
import { fields, flag, optional, planVerb, type Session, type Style, step, wholeNumber } from "../kit/verb.js";
import { harmless, minute } from "../kit/wording.js";
import { waitingLines } from "../text/render-waiting.js";

export const input = fields({
  peek: optional(flag("leave the news unread")),
  limit: optional(wholeNumber("at most N lines (200); the rest comes next time", 1, Number.MAX_SAFE_INTEGER)),
  wait: optional(flag("wait until there is something; Ctrl-C ends it")),
});

export const verb = planVerb({
  command: { words: "news", group: "look", aliases: ["inbox", "news list"] },
  summary: "Show what happened since you last looked",
  description:
    "News of everything that you are subscribed to, the oldest first. Each node and kind of news has one line, with how often it happened. What is shown is marked as read, so next time you see only what is new. Nothing is lost while you do not look. Below the news stands what waits for you, new or not.",
  effect: "writes",
  resource: { address: "news", summary: "What happened, unread", fixed: { peek: true, limit: 50 } },
  tools: [{ tool: "news", action: "read", fields: ["peek"], fixed: { limit: 20 } }],
  input,
  examples: [
    { input: {}, does: "shows what is new" },
    { input: { wait: true }, does: "waits for the next thing that happens" },
  ],
  run: async (session, { wait = false, ...options }) => {
    if (!wait) return withWaitingList(session, await readNews(session, options));
    const found = await waitForNews(session, { ...options, signal: session.signal });
    if (!found.ok) return found;
    const { interrupted: wasInterrupted, ...page } = found.value;
    return wasInterrupted ? interrupted("interrupted", "") : withWaitingList(session, ok(page));
  },
  flags: { peek: "leave the news unread" },
  prepare: async (input) => ok({ ...input, peek: true }),
  text: ({ isSubscribed, news, more, ended, waiting }, style) => [
    news.length + ended.length === 0 &&
      style.dim(isSubscribed ? "Nothing is new." : "You are not subscribed to anything."),
    ...news.map((line) => newsLine(line, style)),
    more > 0 && style.dim(`… ${more} more`),
    ...ended.map((each) => endedLine(each, style)),
    ...(waiting.total === 0 ? [] : ["", ...waitingLines(waiting, style, true)]),
  ],
  next: ({ isSubscribed, news }) => {
    if (!isSubscribed) return [step("news.subscribe")];
    const first = news.find(({ kind }) => kind === "needs-person") ?? news.find(({ kind }) => kind === "rejected");
    if (!first) return [];
    return [step(/^ESC-\d+$/.test(first.id) ? "show" : "why", { reference: first.id })];
  },
  after: async ({ unmarked }, { app, given }) =>
    unmarked === null || given.has("peek") ? ok(null) : app.ask("news.mark", unmarked),
});

const MAX_WAITING_SHOWN = 5;

const COLOURS: Readonly<Record<NewsView["kind"], (style: Style, text: string) => string>> = {
  ready: (style, text) => style.cyan(text),
  claimed: (style, text) => style.blue(text),
  completed: (style, text) => style.green(text),
  rejected: (style, text) => style.red(text),
  "needs-person": (style, text) => style.yellow(text),
  landed: (style, text) => style.green(text),
};

const WIDTH = "needs-person".length;

const endedLine = ({ id, target, because }: EndedSubscription, style: Style): string =>
  `${style.dim("ended".padEnd(WIDTH))}  ${style.bold(id)}  ${target} is ${because}, so this subscription ends`;

async function withWaitingList(session: Session, page: Result<NewsPage>) {
  if (!page.ok) return page;
  const { waiting } = await import("../../plan/overview/waiting.js");
  const list = await waiting(session, { limit: MAX_WAITING_SHOWN, plain: true });
  return list.ok ? ok({ ...page.value, waiting: list.value }) : list;
}

function newsLine({ kind, id, title, detail, times, at }: NewsView, style: Style): string {
  const word = COLOURS[kind](style, kind.padEnd(WIDTH));
  const more = [detail === null ? "" : harmless(detail), times === 1 ? "" : `${times} times`, minute(at)];
  const rest = style.dim(`(${more.filter((part) => part !== "").join("; ")})`);
  return `${word}  ${style.bold(id)}  ${harmless(title)}  ${rest}`;
}

/** `interrupted`: the wait was ended before there were any news. */
type WaitOptions = Omit<ReadOptions, "since"> & { readonly signal: AbortSignal };

export async function waitForNews(context: Context, { signal, ...options }: WaitOptions) {
  for (let since = 0; ; ) {
    const found = await readNews(context, { ...options, since });
    if (!found.ok) return found;
    const { actor, isSubscribed, news, ended, upTo } = found.value;
    if (!isSubscribed)
      return absent("not-subscribed", `${actor} is not subscribed to anything.`, { next: [step("news.subscribe")] });
    if (news.length > 0 || ended.length > 0) return ok({ ...found.value, interrupted: false });
    if (!(await isFollowed(context.store, upTo, signal))) return ok({ ...found.value, interrupted: true });
    since = upTo;
  }
}

async function isFollowed(store: Store, op: number, signal: AbortSignal): Promise<boolean> {
  for await (const _ of store.follow(op, { signal })) return true;
  return false;
}
