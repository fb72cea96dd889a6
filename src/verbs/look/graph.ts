import { fields, node, optional, wholeNumber } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { harmless } from "../text/harmless.js";
import type { Style } from "../text/style.js";
import { graph as drawGraph, type GraphView } from "./graph-action.js";

export const input = fields({
  reference: optional(node("only below this node")),
  limit: optional(wholeNumber("at most N tasks (1,000)", 1, 1_000_000)),
});

export const verb = planVerb({
  name: "graph",
  command: { words: "graph", group: "look", positional: ["reference"] },
  summary: "Lay the plan out: waves as columns, features as lanes",
  description:
    "Where each task stands in a drawing of the plan, who waits for whom, and which tasks are on the longest path of what is left.",
  who: "both",
  effect: "reads",
  input,
  examples: [{ input: { reference: "FEAT-001" }, does: "lays out the tasks of one feature" }],
  run: drawGraph,
  text: graphText,
});

function graphText({ lanes, nodes, columns, more }: GraphView, style: Style): string {
  if (nodes.length === 0) return style.dim("There is no task to draw.");
  const lines: string[] = [];
  for (const { id, title, progress } of lanes) {
    const done = progress === null ? "" : style.dim(`  ${progress.finished}/${progress.total}`);
    lines.push(`${style.bold(id ?? "outside of features")}  ${harmless(title)}${done}`);
    for (let column = 0; column < columns; column++) {
      const here = nodes.filter((node) => node.lane === id && node.column === column).sort((a, b) => a.row - b.row);
      if (here.length === 0) continue;
      const ids = here.map((node) => `${node.critical ? style.yellow("●") : "·"} ${node.id}`);
      lines.push(`  ${style.dim(`wave ${column + 1}`)}  ${ids.join("  ")}`);
    }
  }
  if (more > 0) lines.push(style.dim(`… ${more} more`));
  return lines.join("\n");
}
