import { fields, flag, node, optional, wholeNumber } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { harmless } from "../text/harmless.js";
import { statusWord } from "../text/icons.js";
import type { Style } from "../text/style.js";
import { listChildren } from "./list-children.js";
import type { TreeRow } from "./tree-row.js";

const treeLine = ({ id, title, status, progress }: TreeRow, style: Style): string => {
  const done = progress === null ? "" : style.dim(`  ${progress.finished}/${progress.total}`);
  return `${style.bold(id)}  ${harmless(title)}  ${style.dim(statusWord(status))}${done}`;
};

export const input = fields({
  reference: optional(node("the node; without one, the top of the plan")),
  from: optional(wholeNumber("leave out the first N children", 0, Number.MAX_SAFE_INTEGER)),
  limit: optional(wholeNumber("at most N children (200)", 1, 10_000)),
  all: optional(flag("also archived and dropped nodes")),
});

export const verb = planVerb({
  name: "children",
  command: { words: "children", group: "look", positional: ["reference"] },
  summary: "List the children of a node, page by page",
  who: "both",
  effect: "reads",
  input,
  examples: [
    { input: { reference: "FEAT-001" }, does: "lists its stories and tasks, each with its status" },
    { input: { reference: "FEAT-001", from: 200 }, does: "lists the next ones" },
  ],
  run: listChildren,
  text: ({ node, children: below, from, total }, style) => {
    const rows = below.map((row) => `  ${treeLine(row, style)}`);
    const left = total - from - below.length;
    return [
      ...(node ? [treeLine(node, style)] : []),
      ...rows,
      ...(left > 0 ? [style.dim(`  … ${left} more`)] : []),
      ...(total === 0 ? [style.dim("  nothing below it")] : []),
    ].join("\n");
  },
});
