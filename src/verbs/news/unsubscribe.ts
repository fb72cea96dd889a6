import { fields, flag, judged, node, optional } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { lineOf, undoStep } from "../text/ids.js";
import { unsubscribe as endSubscriptions } from "./unsubscribe-action.js";

export const input = fields({
  reference: optional(node("a node or a key such as SUB-001; the workspace unless given")),
  all: optional(flag("end all your subscriptions")),
}).check(
  judged(({ reference, all }) => (all && reference !== undefined ? "must not say both all and a node" : undefined)),
);

export const verb = planVerb({
  name: "news.unsubscribe",
  command: { words: "news unsubscribe", group: "look", positional: ["reference"] },
  summary: "End a subscription of yours",
  description: "You do not see unread news of it any more.",
  who: "both",
  effect: "writes",
  destructive: true,
  tools: [{ tool: "news", action: "unsubscribe", fields: ["reference", "all"] }],
  input,
  examples: [
    { input: { reference: "FEAT-001" }, does: "ends the subscription to that feature" },
    { input: { all: true }, does: "ends all your subscriptions" },
  ],
  run: endSubscriptions,
  text: ({ ended }) =>
    lineOf(
      "ended",
      ended.map(({ id, target }) => `${id} (${target ?? "workspace"})`),
    ).join("\n"),
  next: ({ op }) => undoStep(op),
});
