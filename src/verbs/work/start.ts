import type { HandWorktree } from "../../engine/hand-work/begin-hand-work.js";
import { BUGS } from "../../model/node/node.js";
import { add } from "../../plan/node/add.js";
import { approve } from "../../plan/node/approve.js";
import { requirePerson } from "../../plan/node/require-person.js";
import { requireRepository } from "../../plan/repository/require-repository.js";
import * as content from "../kit/content.js";
import { quoteForShell } from "../kit/spell.js";
import {
  fields,
  filled,
  type Infer,
  node,
  ok,
  optional,
  planVerb,
  rule,
  type Session,
  spoken,
  step,
} from "../kit/verb.js";
import { harmless } from "../kit/wording.js";
import { workProgress } from "../text/check-lines.js";
import { handWork } from "./hand-work.js";

export const input = fields({
  reference: optional(node("the task", "TASK")),
  despite: optional(filled("start it although it overlaps with other work; say why")),
  new: optional(content.title("make a small task, approve it and start it")),
  within: optional(node("where the new task goes; unless given, into a feature of its own in BUGS")),
  files: optional(content.files("a file that the new task will touch")),
  checks: optional(content.checks()),
}).check(
  rule(
    "reference",
    "is missing, or both a task and a new one were named",
    (asked) => (asked.reference === undefined) === (asked.new !== undefined),
  ),
);

export const verb = planVerb({
  command: { words: "work", group: "work", daily: 9, positional: ["reference"], flags: { within: "in" } },
  summary: "Work on a task yourself, in your own worktree",
  description:
    "Claims the task for you and makes a folder for it: a git worktree at the tip of its feature's branch, with the same environment that any worker gets. With new it makes a small task first and approves it, in one step; only a person can do that.",
  effect: "runs",
  phrases: spoken("start working on, let me work on"),
  weakPhrases: spoken(
    "work on, start work on, begin, start, begin work on, begin working on, get started on, get started with, " +
      "tackle, take on, i'll do, i'll work on, let me do",
  ),
  input,
  examples: [
    { input: { reference: "TASK-00007" }, does: "claims it and shows where to work" },
    { input: { new: "Fix the typo in the help" }, does: "makes a task for it, approves it and shows where to work" },
  ],
  run: async (session, asked) => {
    const desk = await handWork(session);
    const { reference, despite } = asked;
    const task = reference === undefined ? await newTask(session, asked) : ok(reference);
    return task.ok ? desk.begin({ reference: task.value, ...(despite && { despite }) }, session.signal) : task;
  },
  flags: { "print-env": "print the environment as shell exports, and nothing else" },
  live: workProgress,
  text: (place, style, given) => {
    if (given.has("print-env")) return exportsOf(place);
    const { task, title, attempt, worktree, branch, env } = place;
    const row = (label: string, value: string): string => `  ${style.dim(label.padEnd(10))}${value}`;
    return [
      `${style.bold(task)}  ${harmless(title)}  ${style.dim(place.resumed ? `${attempt}, started before` : attempt)}`,
      row("folder", worktree),
      row("branch", branch),
      row("ports", env["PLANWRIGHT_PORTS"] ?? ""),
    ].join("\n");
  },
  note: ({ worktree }, _, given) => (given.has("print-env") ? "" : `cd ${quoteForShell(worktree)}`),
  next: ({ task }) => [step("work.done", { reference: task }), step("work.abandon", { reference: task })],
});

const exportsOf = ({ env }: HandWorktree): string =>
  Object.entries(env)
    .map(([name, value]) => `export ${name}=${quoteForShell(value)}`)
    .join("\n");

/** Only a person may approve, so only a person can make work that starts at once. */
async function newTask(session: Session, { new: title = "", within = BUGS, files, checks }: Infer<typeof input>) {
  const may = requirePerson(session.actor, "make a task and approve it in one step");
  if (!may.ok) return may;
  const repository = await requireRepository(session);
  if (!repository.ok) return repository;
  const content = { ...(files && { files }), ...(checks && { checks }) };
  const added = await add(session, [
    { input: { tier: "task", title, parent: within, ...content }, where: "", isNew: true },
  ]);
  if (!added.ok) return added;
  const [id = ""] = added.value.added;
  const [bug] = added.value.bugs ?? [];
  // With its landing, because the feature is there for nothing else.
  const approved = await approve(session, { references: [bug?.feature ?? id] });
  return approved.ok ? ok(id) : approved;
}
