// What of a feature is still to land. What an earlier landing has proven is neither proven nor checked again: after a squash its commits
// may be gone, and main has moved on since.

import { hasFailed } from "../attempt/proof-strength.js";
import type { Check, Node } from "../node/node.js";

/** The tasks that were done since the feature landed last. */
export function tasksToLand(below: readonly Node[]): Node[] {
  const landed = below.flatMap(({ kind, outcome }) =>
    kind === "land" && outcome?.kind === "done" ? [outcome.op] : [],
  );
  const since = Math.max(0, ...landed);
  return below.filter(
    ({ tier, kind, outcome }) => tier === "task" && kind !== "land" && outcome?.kind === "done" && outcome.op > since,
  );
}

/** Those tasks by the commit that was accepted for them. */
export function commitsToLand(below: readonly Node[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const { id, report } of tasksToLand(below)) {
    const commit = report?.commit;
    if (commit) found.set(commit, [...(found.get(commit) ?? []), id]);
  }
  return found;
}

/** Each distinct check of the tasks once, without those that you have overridden. */
export function checksToLand(tasks: readonly Node[]): Check[] {
  const distinct = new Map<string, Check>();
  for (const { checks, acceptance, report } of tasks) {
    const failed = new Set(report?.checks.filter(hasFailed).map(({ run }) => run));
    const overridden = acceptance?.by === "checks" ? new Set<string>() : failed;
    for (const check of checks) if (!overridden.has(check.run)) distinct.set(JSON.stringify(check), check);
  }
  return [...distinct.values()];
}
