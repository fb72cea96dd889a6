import { waves as computeWaves, type Waved } from "../../../actions/overview/waves.js";
import { ok } from "../../../app/vocabulary.js";
import type { Command, Style } from "../command.js";
import { harmless } from "../style.js";

export const waves: Command = {
  name: "waves",
  group: "looking",
  summary: "Show what may run together, and the longest chain",
  description:
    "A wave holds the tasks that wait only for earlier waves; what is finished is left out. The critical path is the chain of waiting that takes longest, with one hour for a task without an estimate. Of a branch only its own tasks are listed, in the order that the whole plan gives them.",
  arguments: [{ name: "REF", help: "only below this node", optional: true, reference: true }],
  flags: {
    limit: { type: "number", min: 1, whole: true, help: "at most N tasks (200)" },
  },
  examples: [
    { run: "planwright waves", does: "the waves of the whole plan" },
    { run: "planwright waves FEAT-001 --json", does: "waves, criticalPath and cyclic, as JSON" },
  ],
  run: async (input, app) => {
    const [reference] = input.args;
    const limit = input.number("limit");
    const found = await computeWaves(await app.open(), {
      ...(reference === undefined ? {} : { reference }),
      ...(limit === undefined ? {} : { limit }),
    });
    if (!found.ok) return found;
    const { view } = found.value;
    return ok({
      data: view,
      text: (style) =>
        view.waves.length === 0 ? style.dim("There is nothing left to run here.") : render(found.value, style),
      note: () => (view.cyclic.length > 0 ? "Some tasks wait for themselves: planwright lint" : ""),
    });
  },
};

const countOf = (tasks: number): string => `${tasks} ${tasks === 1 ? "task" : "tasks"}`;

function render({ view, describe }: Waved, style: Style): string {
  const cyclic = new Set(view.cyclic);
  const critical = new Set(view.criticalPath.tasks);
  const lines: string[] = [];
  for (const { wave, tasks, more } of view.waves) {
    lines.push(style.bold(`Wave ${wave}`) + style.dim(`  ${countOf(tasks.length + more)}`));
    for (const id of tasks) {
      const mark = cyclic.has(id) ? style.red("↻") : critical.has(id) ? style.yellow("●") : style.dim("·");
      const hours = style.dim(`${describe(id).hours} h`);
      const flag = cyclic.has(id) ? style.red("  waits for itself") : "";
      lines.push(`  ${mark} ${style.bold(id)}  ${harmless(describe(id).title)}  ${hours}${flag}`);
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
