// Operations on news: what happened to the nodes that an actor is subscribed to.

import { markNews, type NewsPage, readNews } from "../../../actions/news/read-news.js";
import { listSubscriptions, subscribe as subscribeTo } from "../../../actions/news/subscribe.js";
import { unsubscribe as endSubscriptions } from "../../../actions/news/unsubscribe.js";
import type { WaitingList } from "../../../actions/overview/waiting.js";
import { NEWS } from "../../../model/item/subscription.js";
import { interrupted, ok, type Result } from "../../../model/result.js";
import { operation } from "../../operation.js";
import { choice, flag, input, judged, key, list, node, optional, wholeNumber } from "../../schema.js";
import type { Session } from "../../session.js";

const read = operation({
  name: "news.read",
  summary: "Show what happened since you last looked",
  description:
    "News of everything that you are subscribed to, the oldest first. Each node and kind of news has one line, with how often it happened. What is shown is marked as read, so next time you see only what is new. Nothing is lost while you do not look. Below the news stands what waits for you, new or not.",
  who: "both",
  effect: "writes",
  input: () =>
    input({
      peek: optional(flag("leave the news unread")),
      limit: optional(wholeNumber("at most N lines (200); the rest comes next time", 1, Number.MAX_SAFE_INTEGER)),
      wait: optional(flag("wait until there is something; Ctrl-C ends it")),
    }),
  examples: [
    { input: {}, does: "shows what is new" },
    { input: { wait: true }, does: "waits for the next thing that happens" },
  ],
  run: async (session, { wait = false, ...options }): Promise<Result<NewsAnswer>> => {
    if (!wait) return withWaitingList(session, await readNews(session, options));
    const { waitForNews } = await import("../../../actions/news/wait-for-news.js");
    const found = await waitForNews(session, { ...options, signal: session.signal });
    if (!found.ok) return found;
    const { interrupted: wasInterrupted, ...page } = found.value;
    return wasInterrupted ? interrupted("interrupted", "") : withWaitingList(session, ok(page));
  },
});

export interface NewsAnswer extends NewsPage {
  /** What waits for you, new or not. */
  readonly waiting: WaitingList;
}

/** Entries below the news. */
const WAITING_SHOWN = 5;

async function withWaitingList(session: Session, page: Result<NewsPage>): Promise<Result<NewsAnswer>> {
  if (!page.ok) return page;
  const { waiting } = await import("../../../actions/overview/waiting.js");
  const list = await waiting(session, { limit: WAITING_SHOWN, plain: true });
  return list.ok ? ok({ ...page.value, waiting: list.value }) : list;
}

const mark = operation({
  name: "news.mark",
  summary: "Mark news as read once they were shown",
  description: "For programs that read news without marking them, show them, and mark them afterwards.",
  who: "both",
  effect: "writes",
  input: () =>
    input({
      upTo: wholeNumber("the latest operation whose news were shown", 0, Number.MAX_SAFE_INTEGER, "OPERATION"),
      ended: optional(list(key("subscription", "", "ID"), "a subscription that was shown as ended", "ID")),
    }),
  examples: [{ input: { upTo: 42 }, does: "marks everything up to operation 42 as read" }],
  run: markNews,
});

const subscribe = operation({
  name: "news.subscribe",
  summary: "Subscribe to news of the workspace, a feature or a task",
  description:
    "You get news of what happens from now on. A subscription to a node ends when the node is finished and you have read that.",
  who: "both",
  effect: "writes",
  input: () =>
    input({
      reference: optional(node("a task or a feature; everything in the workspace unless given")),
      news: optional(list(choice(NEWS, ""), `only these kinds: ${NEWS.join(", ")}`, "KIND")),
    }),
  examples: [
    { input: {}, does: "subscribes to everything in the workspace" },
    { input: { reference: "FEAT-001", news: ["landed", "needs-person"] }, does: "asks for two kinds of one feature" },
  ],
  run: subscribeTo,
});

const unsubscribe = operation({
  name: "news.unsubscribe",
  summary: "End a subscription of yours",
  description: "You do not see unread news of it any more.",
  who: "both",
  effect: "writes",
  destructive: true,
  input: () =>
    input({
      reference: optional(node("a node or a key such as SUB-001; the workspace unless given")),
      all: optional(flag("end all your subscriptions")),
    }).check(
      judged(({ reference, all }) => (all && reference !== undefined ? "must not say both all and a node" : undefined)),
    ),
  examples: [
    { input: { reference: "FEAT-001" }, does: "ends the subscription to that feature" },
    { input: { all: true }, does: "ends all your subscriptions" },
  ],
  run: endSubscriptions,
});

const subscriptions = operation({
  name: "news.subscriptions",
  summary: "List your subscriptions",
  who: "both",
  effect: "reads",
  input: () => input({}),
  examples: [{ input: {}, does: "lists what you are subscribed to" }],
  run: listSubscriptions,
});

export const newsOperations = {
  "news.read": read,
  "news.mark": mark,
  "news.subscribe": subscribe,
  "news.unsubscribe": unsubscribe,
  "news.subscriptions": subscriptions,
};
