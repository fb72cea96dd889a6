import { fields, node, optional, wholeNumber } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { harmless } from "../text/harmless.js";
import { statusWord } from "../text/icons.js";
import { timeline as readTimeline } from "./timeline-action.js";

export const input = fields({
  reference: optional(node("only below this node")),
  limit: optional(wholeNumber("at most N tasks (500)", 1, 100_000)),
});

export const verb = planVerb({
  name: "timeline",
  command: { words: "timeline", group: "look", positional: ["reference"] },
  summary: "Show when each task was worked on, and when it waited",
  who: "both",
  effect: "reads",
  input,
  examples: [{ input: { reference: "FEAT-001" }, does: "the tasks of one feature over time" }],
  run: readTimeline,
  text: ({ rows, more }, style) =>
    [
      ...rows.flatMap(({ id, title, status, spans }) => [
        `${style.bold(id)}  ${harmless(title)}  ${style.dim(statusWord(status))}`,
        ...spans.map(
          ({ kind, from, to, of }) => `  ${kind.padEnd(12)} ${from} – ${to ?? "now"}${of === null ? "" : `  ${of}`}`,
        ),
      ]),
      ...(more > 0 ? [style.dim(`… ${more} more`)] : []),
    ].join("\n") || style.dim("There is no task yet."),
});
