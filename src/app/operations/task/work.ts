// Operations for doing a task in your own worktree, behind the same checks as any worker.

import { approve } from "../../../actions/branch/approve.js";
import { add } from "../../../actions/node/add.js";
import { requirePerson } from "../../../actions/require-person.js";
import { requireRepository } from "../../../execution/engine/require-repository.js";
import type { HandWorkEntry, HandWorktree } from "../../../execution/hand-work/begin-hand-work.js";
import type { HandInResult } from "../../../execution/hand-work/end-hand-work.js";
import { type HandWork, openHandWork } from "../../../execution/hand-work/hand-work.js";
import { step } from "../../../graph/next-step.js";
import { BUGS, type Check } from "../../../graph/node/node.js";
import { ok, problems, type Result } from "../../../graph/result.js";
import * as content from "../../content.js";
import { operation } from "../../operation.js";
import { filled, flag, input, node, optional, refine } from "../../schema.js";
import type { Session } from "../../session.js";
import { executionOf, watched } from "../execution/execution.js";

async function handWork(session: Session): Promise<Result<HandWork>> {
  const execution = await executionOf(session);
  if (!execution.ok) return execution;
  const { contain } = execution.value;
  const work = openHandWork(watched(session, execution.value), session);
  return ok({
    begin: (...asked) => contain(() => work.begin(...asked)),
    finish: (...asked) => contain(() => work.finish(...asked)),
    abandon: (...asked) => contain(() => work.abandon(...asked)),
    list: () => work.list(),
  });
}

const workStart = operation({
  name: "work.start",
  summary: "Work on a task yourself, in your own worktree",
  description:
    "Claims the task for you and makes a folder for it: a git worktree at the tip of its feature's branch, with the same environment that any worker gets. With new it makes a small task first and approves it, in one step; only a person can do that.",
  who: "both",
  effect: "runs",
  input: () =>
    refine(
      input({
        reference: optional(node("the task", "TASK")),
        despite: optional(filled("start it although it overlaps with other work; say why")),
        new: optional(content.title("make a small task, approve it and start it")),
        within: optional(node("where the new task goes; BUGS unless given")),
        files: optional(content.files("a file that the new task will touch")),
        checks: optional(content.checks()),
      }),
      (asked) => (asked.reference === undefined) === (asked.new !== undefined),
      "is missing, or both a task and a new one were named",
      "reference",
    ),
  examples: [
    { input: { reference: "TASK-00007" }, does: "claims it and shows where to work" },
    { input: { new: "Fix the typo in the help" }, does: "makes a task for it, approves it and shows where to work" },
  ],
  run: async (session, { new: title, within, files, checks, ...asked }): Promise<Result<HandWorktree>> => {
    const desk = await handWork(session);
    if (!desk.ok) return desk;
    const { reference } = asked;
    const task =
      reference === undefined ? await newTask(session, { title: title ?? "", within, files, checks }) : ok(reference);
    return task.ok ? desk.value.begin({ ...asked, reference: task.value }, session.signal) : task;
  },
});

interface SmallTask {
  readonly title: string;
  readonly within: string | undefined;
  readonly files: readonly string[] | undefined;
  readonly checks: readonly Check[] | undefined;
}

/** Only a person may approve, so only a person can make work that starts at once. */
async function newTask(session: Session, { title, within = BUGS, files, checks }: SmallTask): Promise<Result<string>> {
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
  const approved = await approve(session, { references: [id] });
  return approved.ok ? ok(id) : approved;
}

const ending = input({
  reference: optional(node("the task; not needed inside its folder", "TASK")),
  keep: optional(flag("leave the folder")),
});

const workDone = operation({
  name: "work.done",
  summary: "Hand in the task you worked on",
  description:
    "Takes what is in the folder as one commit, runs the checks on it and merges it into the feature's branch. If a check fails, the task stays yours and you see why. You can go on typing meanwhile: nothing is written into the folder, and it stays if it has changed since.",
  who: "both",
  effect: "runs",
  input: () => ending,
  examples: [{ input: { reference: "TASK-00007" }, does: "checks what you did and puts it on the feature's branch" }],
  run: async (session, asked): Promise<Result<HandInResult>> => {
    const desk = await handWork(session);
    if (!desk.ok) return desk;
    const handed = await desk.value.finish(asked, session.signal);
    if (!handed.ok || handed.value.state !== "open") return handed;
    const { task } = handed.value;
    const next = [step("work.done", { reference: task })];
    return problems("not-done", `${task} is not done yet.`, { details: { ...handed.value }, next });
  },
});

const workAbandon = operation({
  name: "work.abandon",
  summary: "Give back a task you worked on, and keep what you did",
  who: "both",
  effect: "runs",
  input: () => ending,
  examples: [{ input: { reference: "TASK-00007" }, does: "gives it back; your work is kept" }],
  run: async (session, asked): Promise<Result<HandInResult>> => {
    const desk = await handWork(session);
    return desk.ok ? desk.value.abandon(asked) : desk;
  },
});

const workList = operation({
  name: "work.list",
  summary: "List tasks that people work on, and folders they kept",
  who: "both",
  effect: "reads",
  input: () => input({}),
  examples: [{ input: {}, does: "who works on what, and where" }],
  run: async (session): Promise<Result<readonly HandWorkEntry[]>> => {
    const desk = await handWork(session);
    return desk.ok ? ok(await desk.value.list()) : desk;
  },
});

export const workOperations = {
  "work.start": workStart,
  "work.done": workDone,
  "work.abandon": workAbandon,
  "work.list": workList,
};
