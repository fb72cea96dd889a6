// A finished branch leaves the view as a whole and leaves a summary. Every row stays, so nothing is lost.

import { step } from "../next-step.js";
import type { Node, OutcomeKind } from "../node/node.js";
import { absent, ok, type Result, refused } from "../result.js";
import { type Branch, isFinished, isSettled, isStanding } from "../status/rollup.js";

const LISTED = 20;

/** The nodes to archive. Those that were archived before stay with the branch that they were archived with. */
export function toArchive(branch: Branch): Result<Node[]> {
  const [root] = branch;
  const next = [step("show", { reference: root.id })];
  if (root.tier === "task") {
    return absent("not-a-branch", `${root.id} is a task. Archive the story or the feature around it.`, { next });
  }
  if (root.archive) return absent("archived", `${root.id} is archived already.`, { next });
  const standing = branch.filter((node) => node !== root && isStanding(node)).map(({ id }) => id);
  if (isFinished(root) && standing.length > 0) {
    return refused(
      "standing",
      `${root.id} cannot be archived: ${standing.join(" and ")} stay open for later work. Archive what is finished in it.`,
      { next: [step("status", { reference: root.id })] },
    );
  }
  if (isFinished(root)) return ok(branch.filter((node) => node.archive === null));
  const tasks = branch.filter((node) => node.tier === "task");
  if (!tasks.some((task) => isFinished(task))) {
    return absent("nothing-finished", `Nothing in ${root.id} is finished yet.`, { next });
  }
  const open = branch.filter((node) => node.nr !== root.nr && !isSettled(node)).map((node) => node.id);
  const names = open.length > LISTED ? [...open.slice(0, LISTED), "…"] : open;
  return refused("unfinished", `${root.id} is not finished. Still open: ${names.join(", ")}`, {
    next: [step("status", { reference: root.id })],
    details: { open },
  });
}

/** The nodes to restore: all that were archived together. */
export function toRestore(branch: Branch): Result<Node[]> {
  const [root] = branch;
  if (!root.archive) {
    return absent("not-archived", `${root.id} is not archived.`, { next: [step("show", { reference: root.id })] });
  }
  return ok(branch.filter((node) => node.archive?.root === root.archive?.root));
}

const plural = (n: number, noun: string): string => `${n} ${noun}${n === 1 ? "" : "s"}`;

const UNITS: readonly (readonly [ms: number, unit: string])[] = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1_000, "s"],
];

/** `3 d`, `2.5 h`: one unit is enough for a summary. */
export function roughly(ms: number): string {
  const [size, unit] = UNITS.find(([least]) => ms >= least) ?? [1, "ms"];
  return `${Math.round((ms / size) * 10) / 10} ${unit}`;
}

export function archiveSummary(branch: Branch): string {
  const [root] = branch;
  const tasks = branch.filter((node) => node.tier === "task");
  const containers = branch.length - tasks.length;
  const count = (kind: OutcomeKind): number => tasks.filter((task) => task.outcome?.kind === kind).length;
  const counts = (["done", "waived", "dropped"] as const).map((kind) => `${count(kind)} ${kind}`).join(", ");
  const settled = branch.flatMap((node) => (node.outcome ? [node.outcome] : []));
  const worked = tasks.reduce((sum, task) => sum + (task.report?.durationMs ?? 0), 0);
  const end = settled.reduce((latest, outcome) => Math.max(latest, outcome.at), root.createdAt);
  const who = [...new Set(settled.map((outcome) => outcome.by))].sort();
  return [
    `${root.id} ${root.title}`,
    `${plural(containers, "container")}, ${plural(tasks.length, "task")}: ${counts}`,
    `${roughly(end - root.createdAt)} from first to last, ${roughly(worked)} of work`,
    `settled by ${who.join(", ")}`,
    ...branch.map((node) => `  ${node.id} ${node.outcome?.kind ?? "rolled up"} ${node.title}`),
  ].join("\n");
}
