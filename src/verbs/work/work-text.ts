import type { HandInResult } from "../../engine/hand-work/end-hand-work.js";
import { step } from "../../model/next-step.js";
import { lines } from "../execution/execution-text.js";
import type { View } from "../kit/view.js";
import { harmless, withinLine } from "../text/harmless.js";

const WORDS: Readonly<Record<Exclude<HandInResult["state"], "open">, string>> = {
  accepted: "is done",
  pending: "is handed in",
  released: "is given back",
};

export const ended: View<HandInResult> = {
  live: lines,
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
  problems: ({ task, attempt, note, worktree }: HandInResult, style) => {
    const where = worktree === null ? [] : [`Fix it in ${worktree}, then hand it in again.`];
    return [`${style.red("✗")} ${style.bold(task)} is not done yet (${attempt})`, harmless(note), ...where].join("\n");
  },
};
