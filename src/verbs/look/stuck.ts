import { deriveStatus, type Reason } from "../../model/status/status.js";
import type { Context } from "../../plan/base/context.js";
import { heldUpIn } from "../../plan/overview/held-up.js";
import type { Reader } from "../../store/store.js";
import { fields, type Infer, ok, optional, planVerb, type Style, type ValueOf, wholeNumber } from "../kit/verb.js";
import { harmless, plural, statusWord } from "../kit/wording.js";
import { why } from "./why-node.js";

export const input = fields({ limit: optional(wholeNumber("at most N causes (20)", 1, 500)) });

export const verb = planVerb({
  command: { words: "stuck", hidden: true, group: "look" },
  summary: "List what is stuck, by its cause, and what frees it",
  description:
    "Rejected and frozen work, tasks out of attempts, and tasks that wait for something that was dropped. Each entry names what waits for it. What holds up most work comes first.",
  effect: "reads",
  input,
  examples: [{ input: {}, does: "lists the causes, with the commands that free what they hold up" }],
  run: stuck,
  text: stuckText,
  next: ({ groups }) => groups[0]?.next ?? [],
});

type StuckView = ValueOf<ReturnType<typeof stuck>>;

const STOPS: ReadonlySet<Reason> = new Set<Reason>(["rejected", "frozen", "dep-dropped", "budget"]);
const MAX_TASKS_READ = 500;
const DEFAULT_LIMIT = 20;
const MAX_TASKS_SHOWN = 20;

/**
 * Each group is a node that stops others, why it does, in one sentence, and the first tasks that wait for it; itself among them. What
 * holds up most work comes first. `tasks`: how many are in all groups, each counted once.
 */
export async function stuck(context: Context, { limit = DEFAULT_LIMIT }: Infer<typeof input> = {}) {
  const { groups, tasks } = await context.store.read(groupsOf);
  const shown = [];
  for (const group of groups.slice(0, limit)) {
    const explained = await why(context, group.id);
    if (!explained.ok) return explained;
    const { chain, questions, next } = explained.value;
    // An open question about it is the way that frees it.
    const answers = questions.slice(0, 1).map(({ answer }) => answer);
    shown.push({ ...group, sentence: chain[0]?.sentences[0] ?? "", next: [...answers, ...next] });
  }
  return ok({ groups: shown, total: groups.length, tasks });
}

async function groupsOf(reader: Reader) {
  const heldUp = heldUpIn(reader);
  const groups = [];
  const all = new Set<string>();
  for (const node of await reader.stopped(MAX_TASKS_READ)) {
    const { status, reason } = deriveStatus(node, await reader.surroundings(node));
    const isFrozenContainer = node.freeze !== null && status === "frozen";
    if (!STOPS.has(reason) && !isFrozenContainer) continue;
    const { tasks, nodes, hours, more } = await heldUp([node]);
    for (const { id } of tasks) all.add(id);
    const first = tasks.slice(0, MAX_TASKS_SHOWN).map(({ id }) => id);
    groups.push({ id: node.id, title: node.title, status, reason, tasks: first, nodes, hours, more });
  }
  return { groups: groups.sort((a, b) => b.hours - a.hours || b.nodes - a.nodes), tasks: all.size };
}

export function stuckText({ groups, total, tasks }: StuckView, style: Style): string {
  if (groups.length === 0) return style.dim("Nothing is stuck.");
  return [
    `${plural(tasks, "task is", "tasks are")} stuck, by ${plural(total, "cause")}:`,
    ...groups.flatMap(({ id, title, status, sentence, nodes, hours, more }) => [
      `  ${style.bold(id)}  ${harmless(title)}  ${style.dim(statusWord(status))}`,
      `    ${harmless(sentence)}`,
      `    ${style.dim(`holds up ${nodes}${more ? " or more" : ""} ${nodes === 1 ? "task" : "tasks"}, ${hours} h`)}`,
    ]),
  ].join("\n");
}
