import {
  type Subscribed,
  type SubscriptionView,
  subscribe as subscribeTo,
  subscriptions,
} from "../../../actions/news/subscribe.js";
import { ok, usage } from "../../../app/vocabulary.js";
import type { Answer, Command, Style } from "../command.js";
import { optional } from "../input.js";
import { notes, undoNote } from "../render-change.js";

export const subscribe: Command = {
  name: "subscribe",
  group: "looking",
  summary: "Ask to be told what happens in the workspace, a feature, or to a task",
  description:
    "It begins silently, at the present; `planwright inbox` tells what happened since. News are ready, claimed, completed, rejected, needs-person and landed. A subscription to a node ends when the node is settled and you were told so.",
  arguments: [{ name: "REF", help: "a task or a feature; without it the workspace", optional: true, reference: true }],
  flags: {
    news: { type: "string", multiple: true, value: "KINDS", help: "only these, with commas between them" },
    list: { type: "boolean", help: "show what you are subscribed to" },
  },
  examples: [
    { run: "planwright subscribe", does: "everything in the workspace" },
    { run: "planwright subscribe FEAT-001 --news landed,needs-person", does: "only that, of one feature" },
    { run: "planwright subscribe --list", does: "what you are subscribed to" },
  ],
  run: async (input, app) => {
    const [reference] = input.args;
    if (input.has("list")) {
      if (reference !== undefined) return usage("usage", "A REF and --list cannot be given together.");
      const found = await subscriptions(await app.open());
      return found.ok ? ok(listed(found.value)) : found;
    }
    const asked = { ...optional("reference", reference), news: input.list("news") };
    const made = await subscribeTo(await app.open(), asked);
    return made.ok ? ok(answer(made.value)) : made;
  },
};

const lineOf = ({ id, target, news }: SubscriptionView, style: Style): string =>
  `${style.bold(id)}  ${target ?? "workspace"}  ${style.dim(news.join(", "))}`;

const answer = (made: Subscribed): Answer => ({
  data: made,
  text: (style) => `${made.isNew ? style.green("+") : style.dim("=")} ${lineOf(made.subscription, style)}`,
  note: () => notes("planwright inbox   tells what happened since.", undoNote(made.op)),
});

const listed = (found: readonly SubscriptionView[]): Answer => ({
  data: found,
  text: (style) =>
    found.length === 0
      ? style.dim("You are not subscribed to anything.")
      : found.map((each) => lineOf(each, style)).join("\n"),
  note: () => (found.length === 0 ? "planwright subscribe   tells you of everything in the workspace." : ""),
});
