// The headline of a plan: how much of it can be proven, and how much of the spec it holds. Said first, wherever a plan is shown.

import type { Coverage } from "../spec/coverage.js";

export const countOf = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;

export interface CheckedWork {
  readonly tasks: number;
  readonly withCheck: number;
  /** Tasks of which every check is also that of another task. Plans of earlier versions lack it. */
  readonly onlyShared?: number;
  /** The commands of those tasks, the most frequent first. */
  readonly shared?: readonly string[];
}

/** A command that several tasks have, such as the repository's own tests, says little about each of them. */
export function checkedWork(work: readonly { readonly checks: readonly { readonly run: string }[] }[]): CheckedWork {
  const times = new Map<string, number>();
  for (const { checks } of work) {
    for (const run of new Set(checks.map((check) => check.run))) times.set(run, (times.get(run) ?? 0) + 1);
  }
  const withCheck = work.filter(({ checks }) => checks.length > 0);
  const sharing = withCheck.filter(({ checks }) => checks.every(({ run }) => (times.get(run) ?? 0) > 1));
  const runs = new Set(sharing.flatMap(({ checks }) => checks.map(({ run }) => run)));
  const shared = [...runs].sort((a, b) => (times.get(b) ?? 0) - (times.get(a) ?? 0));
  return { tasks: work.length, withCheck: withCheck.length, onlyShared: sharing.length, shared };
}

const MAX_NAMED = 3;

function sharedWords({ withCheck, onlyShared = 0, shared = [] }: CheckedWork): string {
  if (onlyShared === 0) return "";
  const named = shared.slice(0, MAX_NAMED).map((run) => `\`${run}\``);
  const more = shared.length > MAX_NAMED ? [`${shared.length - MAX_NAMED} more`] : [];
  const runs = [...named, ...more].join(", ");
  return onlyShared === withCheck
    ? `, but none has one of its own: they share ${runs}`
    : `, but ${onlyShared} of them only what they share with others: ${runs}`;
}

export function checkedSentence(work: CheckedWork): string {
  const { tasks, withCheck } = work;
  if (tasks === 0) return "No task is for an agent.";
  return `${withCheck} of ${countOf(tasks, "task")} ${withCheck === 1 ? "has" : "have"} a check${sharedWords(work)}.`;
}

export const sharesSentence = ({
  planned,
  leftOut,
  notUnderstood,
}: Pick<Coverage, "planned" | "leftOut" | "notUnderstood">): string =>
  `Planned ${planned} % of the spec, left out ${leftOut} %, not understood ${notUnderstood} %.`;

/** "7 statements: The spec itself leaves it out." */
export const reasonLines = ({ reasons }: Pick<Coverage, "reasons">): string[] =>
  reasons.map(({ reason, statements }) => `${countOf(statements, "statement")}: ${reason}`);
