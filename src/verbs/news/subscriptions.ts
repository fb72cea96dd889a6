import { listSubscriptions } from "../../plan/news/subscribe.js";
import { linesOr, planVerb, step } from "../kit/verb.js";
import { subscriptionLine } from "./subscribe.js";

export const verb = planVerb({
  command: { words: "news subscriptions", group: "look" },
  summary: "List your subscriptions",
  effect: "reads",
  tools: [{ tool: "find", action: "subscriptions", fields: [], pages: "" }],
  examples: [{ input: {}, does: "lists what you are subscribed to" }],
  run: listSubscriptions,
  text: linesOr("No subscriptions.", subscriptionLine),
  next: (found) => (found.length === 0 ? [step("news.subscribe")] : []),
});
