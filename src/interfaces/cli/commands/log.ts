import { type LogEntry, log as readLog } from "../../../actions/history/log.js";
import { ok } from "../../../app/vocabulary.js";
import type { Command, Style } from "../command.js";
import { harmless } from "../style.js";
import { second } from "../times.js";

const USUAL = 20;

export const log: Command = {
  name: "log",
  group: "looking",
  summary: "Show what happened, newest first",
  arguments: [{ name: "REF", help: "only what touched this node", optional: true, reference: true }],
  flags: { limit: { type: "number", short: "n", min: 1, max: 1_000_000, whole: true, help: "how many (20)" } },
  examples: [
    { run: "planwright log", does: "the latest operations: number, time, actor, what happened" },
    { run: "planwright log TASK-00001 --limit 5", does: "the last five that touched the task" },
  ],
  run: async (input, app) => {
    const limit = input.number("limit") ?? USUAL;
    const [reference] = input.args;
    const found = await readLog(await app.open(), { limit, ...(reference === undefined ? {} : { reference }) });
    if (!found.ok) return found;
    const { operations, more } = found.value;
    return ok({
      data: found.value,
      text: (style) => operations.map((entry) => render(entry, style)).join("\n"),
      note: () => {
        if (operations.length === 0) return "Nothing has happened yet.";
        return `${more ? `Older ones: planwright log --limit ${limit * 2}. ` : ""}What one changed: planwright diff OP`;
      },
    });
  },
};

function render({ op, at, actor, sentence, commit, undone }: LogEntry, style: Style): string {
  const time = style.dim(second(at));
  // Most sentences begin with their actor, who is named before them already.
  const told = harmless(sentence.startsWith(`${actor} `) ? sentence.slice(actor.length + 1) : sentence);
  const what = undone ? `${style.dim(told)} ${style.yellow("(taken back)")}` : told;
  const where = commit === null ? "" : style.dim(`  @${commit.slice(0, 8)}`);
  return `${style.bold(String(op).padStart(5))}  ${time}  ${style.cyan(harmless(actor))}  ${what}${where}`;
}
