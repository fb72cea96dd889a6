// The headline of a plan: how much of it can be proven, and how much of the spec it holds. Said first, wherever a plan is shown.

import type { Coverage } from "./spec/spec.js";

const plural = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

export function checkedSentence(tasks: number, withCheck: number): string {
  if (tasks === 0) return "No task is for an agent.";
  return `${withCheck} of ${plural(tasks, "task")} ${withCheck === 1 ? "has" : "have"} a check.`;
}

export const sharesSentence = ({
  planned,
  leftOut,
  notUnderstood,
}: Pick<Coverage, "planned" | "leftOut" | "notUnderstood">): string =>
  `Planned ${planned} % of the spec, left out ${leftOut} %, not understood ${notUnderstood} %.`;

/** "7 statements: The spec itself leaves it out." */
export const reasonLines = ({ reasons }: Pick<Coverage, "reasons">): string[] =>
  reasons.map(({ reason, statements }) => `${plural(statements, "statement")}: ${reason}`);
