import { step } from "../../model/next-step.js";
import { fields, filled, optional, wholeNumber } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { inLine } from "../text/one-line.js";
import type { Style } from "../text/style.js";
import type { SearchHit } from "./search-action.js";

const hitLines = ({ kind, id, title, line }: SearchHit, style: Style): string =>
  [
    `${style.bold(id)}  ${style.dim(kind)}  ${inLine(title)}`,
    ...(line === null ? [] : [`    ${style.dim(inLine(line))}`]),
  ].join("\n");

export const input = fields({
  text: filled("what to look for"),
  limit: optional(wholeNumber("at most N results (20)", 1, 1_000)),
});

export const verb = planVerb({
  name: "search",
  command: { words: "search", group: "look", positional: ["text"] },
  summary: "Search titles, texts, records, lessons and artifacts",
  description: "The best match comes first: an id, then words of the title, then words of the text.",
  who: "both",
  effect: "reads",
  phrases: ["search", "search for", "look for", "find"],
  hints: ["query"],
  tools: [{ tool: "find", action: "search", fields: ["text"], pages: "hits" }],
  input,
  examples: [{ input: { text: "session cookie" }, does: "everything in the plan about session cookies" }],
  run: async (session, asked) => (await import("./search-action.js")).search(session, asked),
  text: ({ hits }, style) =>
    hits.length === 0 ? style.dim("Nothing found.") : hits.map((hit) => hitLines(hit, style)).join("\n"),
  note: ({ hits, total }) => (total > hits.length ? `${total - hits.length} more; raise --limit to see them.` : ""),
  next: ({ hits: [first] }) => (first ? [step("show", { reference: first.id })] : []),
});
