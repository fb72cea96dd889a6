import {
  type EndedSubscription,
  type Inbox,
  lookAtInbox,
  type NewsView,
  TOLD,
  type Untold,
  withoutTold,
} from "../../../actions/news/read-news.js";
import { waitForUntold } from "../../../actions/news/wait-for-news.js";
import { ok, type Result } from "../../../app/vocabulary.js";
import type { Answer, Command, Style } from "../command.js";
import { harmless } from "../style.js";
import { minute } from "../times.js";

/** As shells say it. */
const INTERRUPTED = 130;

export const inbox: Command = {
  name: "inbox",
  group: "looking",
  summary: "Show what happened since you last looked, of what you are subscribed to",
  description:
    "The oldest first; one line for each node and kind of news, the latest, with how often. What is shown counts as told: the next time only what is new comes. Nothing is lost while nobody looks.",
  flags: {
    peek: { type: "boolean", help: "look, and leave it there" },
    limit: { type: "number", min: 1, whole: true, help: "at most N lines (200); the rest comes the next time" },
    wait: { type: "boolean", help: "wait until there is something; Ctrl-C ends it" },
  },
  examples: [
    { run: "planwright inbox", does: "what is new" },
    { run: "planwright inbox --wait --json", does: "waits for the next thing that happens, as JSON" },
  ],
  run: async (input, app) => {
    const context = await app.open();
    const peek = input.has("peek");
    const limit = input.number("limit");
    const limited = limit === undefined ? {} : { limit };
    const found = input.has("wait")
      ? await waitForUntold(context, { peek, signal: app.interrupted(), ...limited })
      : await lookAtInbox(context, limited);
    if (!found.ok) return found;
    const data = withoutTold(found.value);
    if ("interrupted" in found.value && found.value.interrupted) return ok({ data, text: () => "", exit: INTERRUPTED });
    return ok({ ...answer(data), ...(peek ? {} : { shown: () => told(found.value) }) });
  },
};

/** Told meanwhile by another of the same name is as good. */
async function told(found: Untold): Promise<Result<unknown>> {
  const written = await found.told();
  return written.ok || written.error.reason === TOLD ? ok(null) : written;
}

const answer = (found: Inbox): Answer => ({
  data: found,
  text: (style) =>
    found.news.length + found.ended.length === 0
      ? style.dim("Nothing is new.")
      : [
          ...found.news.map((line) => newsLine(line, style)),
          ...(found.more > 0 ? [style.dim(`… ${found.more} more`)] : []),
          ...found.ended.map((each) => endedLine(each, style)),
        ].join("\n"),
  note: () => nextStep(found.news),
});

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
  `${style.dim("ended".padEnd(WIDTH))}  ${style.bold(id)}  ${target} is ${because}; you hear no more of it`;

function nextStep(news: readonly NewsView[]): string {
  const first = news.find(({ kind }) => kind === "needs-person") ?? news.find(({ kind }) => kind === "rejected");
  if (!first) return "";
  return /^ESC-\d+$/.test(first.id) ? `planwright show ${first.id}` : `planwright why ${first.id}`;
}
