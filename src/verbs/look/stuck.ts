import type { NextStep } from "../../model/next-step.js";
import type { Node } from "../../model/node/node.js";
import { ok, type Result } from "../../model/result.js";
import { deriveStatus, type Reason, type Status } from "../../model/status/status.js";
import type { Context } from "../../plan/base/context.js";
import { HeldUpReader } from "../../plan/overview/held-up.js";
import type { Reader } from "../../store/store.js";
import { fields, optional, wholeNumber } from "../kit/schema.js";
import type { Style } from "../kit/style.js";
import { planVerb } from "../kit/verb.js";
import { statusWord } from "../text/icons.js";
import { harmless } from "../text/wording.js";
import { why } from "./why-node.js";

const countOf = (tasks: number): string => (tasks === 1 ? "1 task is" : `${tasks} tasks are`);

const stuckLines =
  (style: Style) =>
  ({ id, title, status, sentence, nodes, hours, more }: StuckGroup): string =>
    [
      `  ${style.bold(id)}  ${harmless(title)}  ${style.dim(statusWord(status))}`,
      `    ${harmless(sentence)}`,
      `    ${style.dim(`holds up ${nodes}${more ? " or more" : ""} ${nodes === 1 ? "task" : "tasks"}, ${hours} h`)}`,
    ].join("\n");

export const input = fields({ limit: optional(wholeNumber("at most N causes (20)", 1, 500)) });

export const verb = planVerb({
  name: "stuck",
  command: { words: "stuck", hidden: true, group: "look" },
  summary: "List what is stuck, by its cause, and what frees it",
  description:
    "Rejected and frozen work, tasks out of attempts, and tasks that wait for something that was dropped. Each entry names what waits for it. What holds up most work comes first.",
  who: "both",
  effect: "reads",
  input,
  examples: [{ input: {}, does: "lists the causes, with the commands that free what they hold up" }],
  run: stuck,
  text: (found, style) => stuckText(found, style),
  next: ({ groups }) => groups[0]?.next ?? [],
});

interface StuckGroup {
  /** The node that stops the others. */
  readonly id: string;
  readonly title: string;
  readonly status: Status;
  readonly reason: Reason;
  /** Why, in one sentence. */
  readonly sentence: string;
  /** What waits for it, the first few; itself among them. */
  readonly tasks: readonly string[];
  readonly nodes: number;
  readonly hours: number;
  readonly more: boolean;
  readonly next: readonly NextStep[];
}

export interface StuckView {
  /** What holds up most work comes first. */
  readonly groups: readonly StuckGroup[];
  readonly total: number;
  /** Tasks in all groups, each counted once. */
  readonly tasks: number;
}

const STOPS: ReadonlySet<Reason> = new Set<Reason>(["rejected", "frozen", "dep-dropped", "budget"]);
const MOST = 500;
const SHOWN = 20;
const TASKS_SHOWN = 20;

type Group = Omit<StuckGroup, "sentence" | "next">;

export async function stuck(context: Context, { limit = SHOWN }: { limit?: number } = {}): Promise<Result<StuckView>> {
  const { groups, tasks } = await context.store.read(groupsOf);
  const shown: StuckGroup[] = [];
  for (const group of groups.slice(0, limit)) {
    const explained = await why(context, group.id);
    if (!explained.ok) return explained;
    const { chain, escalations, next } = explained.value;
    // An open question about it is the way that frees it.
    const answers = escalations.slice(0, 1).map(({ answer }) => answer);
    shown.push({ ...group, sentence: chain[0]?.sentences[0] ?? "", next: [...answers, ...next] });
  }
  return ok({ groups: shown, total: groups.length, tasks });
}

async function groupsOf(reader: Reader): Promise<{ groups: Group[]; tasks: number }> {
  const heldUp = new HeldUpReader(reader);
  const groups: Group[] = [];
  const all = new Set<string>();
  for (const node of await reader.stopped(MOST)) {
    const { status, reason } = deriveStatus(node, await reader.surroundings(node));
    if (!STOPS.has(reason) && !isFrozenContainer(node, status)) continue;
    const { tasks, nodes, hours, more } = await heldUp.of([node]);
    for (const { id } of tasks) all.add(id);
    const first = tasks.slice(0, TASKS_SHOWN).map(({ id }) => id);
    groups.push({ id: node.id, title: node.title, status, reason, tasks: first, nodes, hours, more });
  }
  return { groups: groups.sort((a, b) => b.hours - a.hours || b.nodes - a.nodes), tasks: all.size };
}

const isFrozenContainer = ({ freeze }: Node, status: Status): boolean => freeze !== null && status === "frozen";

export const stuckText = ({ groups, total, tasks }: StuckView, style: Style): string =>
  groups.length === 0
    ? style.dim("Nothing is stuck.")
    : [
        `${countOf(tasks)} stuck, by ${total === 1 ? "1 cause" : `${total} causes`}:`,
        ...groups.map(stuckLines(style)),
      ].join("\n");
