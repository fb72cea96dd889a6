import type { HandInResult, HandWork } from "../../engine/hand-work/end-hand-work.js";
import { openHandWork } from "../../engine/hand-work/end-hand-work.js";
import { failureDetails } from "../../model/attempt/failure-view.js";
import { step } from "../../model/next-step.js";
import { executionOf, watched } from "../execution/engine-access.js";
import { fields, flag, node, optional } from "../kit/schema.js";
import type { Session } from "../kit/session.js";
import type { View } from "../kit/view.js";
import { harmless, withinLine } from "../kit/wording.js";
import { failureText, workProgress } from "../text/check-lines.js";

const WORDS: Readonly<Record<Exclude<HandInResult["state"], "open">, string>> = {
  accepted: "is done",
  pending: "is handed in",
  released: "is given back",
};

export const ended: View<HandInResult> = {
  live: workProgress,
  text: ({ state, task, note }, style) => {
    const mark = state === "accepted" ? style.green("✓") : style.yellow("○");
    return `${mark} ${style.bold(task)}  ${WORDS[state as keyof typeof WORDS]}: ${harmless(note)}`;
  },
  note: ({ worktree, notHandedIn }) => {
    if (worktree === null) return "Its folder was removed.";
    const changed =
      notHandedIn.length === 0
        ? ""
        : `This changed since and is not part of it: ${withinLine(notHandedIn.join(", "))}\n`;
    return `${changed}Its folder stays: ${worktree}`;
  },
  next: ({ state, task, kept, attempt }) => {
    if (state === "pending") return [step("accept", { references: [task] }, "reason")];
    return kept === null ? [] : [step("attempt.restore", { id: attempt })];
  },
  problems: ({ task, attempt, note, worktree, checks }: HandInResult, style) => {
    const where = worktree === null ? [] : [`Fix it in ${worktree}, then hand it in again.`];
    const failed = failureDetails(checks);
    const head = `${style.red("✗")} ${style.bold(task)} is not done yet (${attempt})`;
    return [head, withinLine(note), ...failureText(failed, style), ...where].join("\n");
  },
};

export async function handWork(session: Session): Promise<HandWork> {
  const execution = await executionOf(session);
  const { contain } = execution;
  const work = openHandWork(watched(session, execution), session);
  return {
    begin: (...asked) => contain(() => work.begin(...asked)),
    finish: (...asked) => contain(() => work.finish(...asked)),
    abandon: (...asked) => contain(() => work.abandon(...asked)),
    list: () => work.list(),
  };
}

export const ending = fields({
  reference: optional(node("the task; not needed inside its folder", "TASK")),
  keep: optional(flag("leave the folder")),
});
