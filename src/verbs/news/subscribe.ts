import { NEWS } from "../../model/item/subscription.js";
import { type SubscriptionView, subscribe as subscribeTo } from "../../plan/news/subscribe.js";
import { choice, fields, list, node, ok, optional, planVerb, type Style, step, undoStep } from "../kit/verb.js";

export const input = fields({
  reference: optional(node("a task or a feature; everything in the workspace unless given")),
  news: optional(list(choice(NEWS, ""), `only these kinds: ${NEWS.join(", ")}`, "KIND")),
});

export const verb = planVerb({
  command: {
    words: "news subscribe",
    group: "look",
    positional: ["reference"],
    flags: { news: "news" },
    aliases: ["subscribe"],
  },
  summary: "Subscribe to news of the workspace, a feature or a task",
  description:
    "You get news of what happens from now on. A subscription to a node ends when the node is finished and you have read that.",
  effect: "writes",
  tools: [{ tool: "news", action: "subscribe", fields: ["reference", "news"] }],
  input,
  examples: [
    { input: {}, does: "subscribes to everything in the workspace" },
    { input: { reference: "FEAT-001", news: ["landed", "needs-person"] }, does: "asks for two kinds of one feature" },
  ],
  run: subscribeTo,
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
});

export const subscriptionLine = ({ id, target, news }: SubscriptionView, style: Style): string =>
  `${style.bold(id)}  ${target ?? "workspace"}  ${style.dim(news.join(", "))}`;
