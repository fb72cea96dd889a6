import { markNews } from "../../plan/news/read-news.js";
import { fields, key, list, optional, planVerb, wholeNumber } from "../kit/verb.js";

export const input = fields({
  upTo: wholeNumber("the latest operation whose news were shown", 0, Number.MAX_SAFE_INTEGER, "OPERATION"),
  ended: optional(list(key("subscription", "", "ID"), "a subscription that was shown as ended", "ID")),
});

export const verb = planVerb({
  command: { words: "news mark", group: "look", hidden: true, positional: ["upTo"] },
  summary: "Mark news as read once they were shown",
  description: "For programs that read news without marking them, show them, and mark them afterwards.",
  effect: "writes",
  input,
  examples: [{ input: { upTo: 42 }, does: "marks everything up to operation 42 as read" }],
  run: markNews,
  text: ({ op }, style) => style.dim(op === null ? "Already marked as read." : "Marked as read."),
});
