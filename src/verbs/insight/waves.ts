import { step } from "../../model/next-step.js";
import { fields, node, optional, wholeNumber } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { harmless } from "../text/harmless.js";
import type { Style } from "../text/style.js";
import { waves as computeWaves, type WavesView } from "./waves-action.js";

const countOf = (tasks: number): string => `${tasks} ${tasks === 1 ? "task" : "tasks"}`;

export const input = fields({
  reference: optional(node("only below this node")),
  limit: optional(wholeNumber("at most N tasks (200)", 1, Number.MAX_SAFE_INTEGER)),
});

export const verb = planVerb({
  name: "waves",
  command: { words: "waves", group: "look", positional: ["reference"] },
  summary: "Show which tasks can run together, and the longest chain",
  description:
    "A wave holds the tasks that wait only for earlier waves; what is finished is left out. The critical path is the chain of tasks that takes longest, with one hour for a task without an estimate. Below a node only its own tasks are listed, in the order that the whole plan gives them.",
  who: "both",
  effect: "reads",
  input,
  examples: [
    { input: {}, does: "shows the waves of the whole plan" },
    { input: { reference: "FEAT-001" }, does: "shows the waves of one feature" },
  ],
  run: computeWaves,
  text: (view, style) => (view.waves.length === 0 ? style.dim("Nothing is left to run.") : renderWaves(view, style)),
  next: ({ cyclic }) => (cyclic.length > 0 ? [step("lint")] : []),
});

function renderWaves(view: WavesView, style: Style): string {
  const cyclic = new Set(view.cyclic);
  const critical = new Set(view.criticalPath.tasks);
  const lines: string[] = [];
  for (const { wave, tasks, more } of view.waves) {
    lines.push(style.bold(`Wave ${wave}`) + style.dim(`  ${countOf(tasks.length + more)}`));
    for (const id of tasks) {
      const mark = cyclic.has(id) ? style.red("↻") : critical.has(id) ? style.yellow("●") : style.dim("·");
      const hours = style.dim(`${view.tasks[id]?.hours ?? 0} h`);
      const flag = cyclic.has(id) ? style.red("  waits for itself") : "";
      lines.push(`  ${mark} ${style.bold(id)}  ${harmless(view.tasks[id]?.title ?? "")}  ${hours}${flag}`);
    }
  }
  if (view.more > 0) lines.push(style.dim(`… ${countOf(view.more)} more`));
  const { tasks, more, hours } = view.criticalPath;
  if (tasks.length > 0) {
    lines.push(
      "",
      `${style.yellow("●")} ${style.bold("Critical path")}  ${hours} h`,
      `  ${tasks.join(" → ")}${more > 0 ? ` → … ${more} more` : ""}`,
    );
  }
  return lines.join("\n");
}
