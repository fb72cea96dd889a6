// Views of news.

import type { EndedSubscription, NewsView } from "../../../../actions/news/read-news.js";
import type { SubscriptionView } from "../../../../actions/news/subscribe.js";
import { harmless } from "../../../../app/text/harmless.js";
import { ok, step } from "../../../../app/vocabulary.js";
import { lineOf, undoStep } from "../../text/ids.js";
import { waitingLines } from "../../text/render-waiting.js";
import { type Style } from "../../text/style.js";
import { minute } from "../../text/times.js";
import type { ViewOf } from "../../view.js";

/** News are marked only once they were printed, so that none is lost when the reader goes away before. */
const read: ViewOf<"news.read"> = {
  flags: { peek: "leave the news unread" },
  prepare: async (input) => ok({ ...input, peek: true }),
  text: ({ isSubscribed, news, more, ended, waiting }, style) =>
    [
      ...(news.length + ended.length === 0
        ? [style.dim(isSubscribed ? "Nothing is new." : "You are not subscribed to anything.")]
        : []),
      ...news.map((line) => newsLine(line, style)),
      ...(more > 0 ? [style.dim(`… ${more} more`)] : []),
      ...ended.map((each) => endedLine(each, style)),
      ...(waiting.total === 0 ? [] : ["", ...waitingLines(waiting, style)]),
    ].join("\n"),
  next: ({ isSubscribed, news }) => {
    if (!isSubscribed) return [step("news.subscribe")];
    const first = news.find(({ kind }) => kind === "needs-person") ?? news.find(({ kind }) => kind === "rejected");
    if (!first) return [];
    return [step(/^ESC-\d+$/.test(first.id) ? "show" : "why", { reference: first.id })];
  },
  after: async ({ unmarked }, { app, given }) =>
    unmarked === null || given.has("peek") ? ok(null) : app.ask("news.mark", unmarked),
};

const COLOURS: Readonly<Record<NewsView["kind"], (style: Style, text: string) => string>> = {
  ready: (style, text) => style.cyan(text),
  claimed: (style, text) => style.blue(text),
  completed: (style, text) => style.green(text),
  rejected: (style, text) => style.red(text),
  "needs-person": (style, text) => style.yellow(text),
  landed: (style, text) => style.green(text),
};

const WIDTH = "needs-person".length;

function newsLine({ kind, id, title, detail, times, at }: NewsView, style: Style): string {
  const word = COLOURS[kind](style, kind.padEnd(WIDTH));
  const more = [detail === null ? "" : harmless(detail), times === 1 ? "" : `${times} times`, minute(at)];
  const rest = style.dim(`(${more.filter((part) => part !== "").join("; ")})`);
  return `${word}  ${style.bold(id)}  ${harmless(title)}  ${rest}`;
}

const endedLine = ({ id, target, because }: EndedSubscription, style: Style): string =>
  `${style.dim("ended".padEnd(WIDTH))}  ${style.bold(id)}  ${target} is ${because}, so this subscription ends`;

const mark: ViewOf<"news.mark"> = {
  text: ({ op }, style) => style.dim(op === null ? "Already marked as read." : "Marked as read."),
};

const subscriptionLine = ({ id, target, news }: SubscriptionView, style: Style): string =>
  `${style.bold(id)}  ${target ?? "workspace"}  ${style.dim(news.join(", "))}`;

const subscribe: ViewOf<"news.subscribe"> = {
  // Several kinds may stand in one value, with commas between them.
  prepare: async ({ news, ...rest }) => {
    const kinds = ((news ?? []) as string[])
      .flatMap((word) => word.split(","))
      .map((word) => word.trim().toLowerCase());
    return ok(kinds.length === 0 ? rest : { ...rest, news: kinds });
  },
  text: ({ isNew, subscription }, style) =>
    `${isNew ? style.green("+") : style.dim("=")} ${subscriptionLine(subscription, style)}`,
  next: ({ op }) => [step("news.read"), ...undoStep(op)],
};

const unsubscribe: ViewOf<"news.unsubscribe"> = {
  text: ({ ended }) =>
    lineOf(
      "ended",
      ended.map(({ id, target }) => `${id} (${target ?? "workspace"})`),
    ).join("\n"),
  next: ({ op }) => undoStep(op),
};

const subscriptions: ViewOf<"news.subscriptions"> = {
  text: (found, style) =>
    found.length === 0 ? style.dim("No subscriptions.") : found.map((each) => subscriptionLine(each, style)).join("\n"),
  next: (found) => (found.length === 0 ? [step("news.subscribe")] : []),
};

export const newsViews = {
  "news.read": read,
  "news.mark": mark,
  "news.subscribe": subscribe,
  "news.unsubscribe": unsubscribe,
  "news.subscriptions": subscriptions,
};
