// One row of the tree: a node with its status, its progress, how its checks ended, and when it landed.

import { weakProofWords } from "../../model/attempt/proof-strength.js";
import type { Occupied } from "../../model/conflict/conflict.js";
import { isoTime } from "../../model/iso-time.js";
import { isContainer, type Node } from "../../model/node/node.js";
import { landId } from "../../model/rules/land.js";
import { isFinished, progressOf } from "../../model/status/rollup.js";
import { isStale } from "../../model/status/stale-approval.js";
import { type DerivedStatus, deriveStatus, type Reason } from "../../model/status/status.js";
import { gatherSurroundings } from "../../plan/base/surroundings.js";
import type { Reader } from "../../store/store.js";

export type StatusRow = Awaited<ReturnType<typeof toStatusRow>>;
export type TreeRow = Awaited<ReturnType<typeof toTreeRow>>;

/** What every drawing of the plan shows of a node. `because`: the ids, or the phrase, behind the reason. */
export async function toStatusRow(reader: Reader, node: Node, { status, reason, because }: DerivedStatus) {
  const { id, title, tier, kind, priority } = node;
  return {
    id,
    title,
    tier,
    kind,
    status,
    reason,
    because,
    progress: progressOf(node),
    priority,
    checks: checkMarks(node),
    landed: await landingOf(reader, node),
    readyToLand: await isReadyToLand(reader, node, because),
  };
}

export async function toTreeRow(reader: Reader, node: Node, occupied: readonly Occupied[]) {
  const derived = deriveStatus(node, await gatherSurroundings(reader, node, { occupied }));
  return {
    ...(await toStatusRow(reader, node, derived)),
    because: derived.because.slice(0, MAX_BECAUSE_SHOWN),
    waitsForPerson: PERSONS.has(derived.reason) || isStale(node),
    hasChildren: isContainer(node) && node.live > 0,
    hours: node.estimateHours,
    updatedAt: isoTime(node.updatedAt),
  };
}

const MAX_BECAUSE_SHOWN = 5;

const PERSONS: ReadonlySet<Reason> = new Set<Reason>([
  "human",
  "rejected",
  "unapproved",
  "approval-unknown",
  "approval-stale",
  "budget",
]);

function checkMarks({ checks, report }: Node): (boolean | null)[] {
  const ran = new Map(report?.checks.map(({ run, passed }) => [run, passed]));
  return checks.map(({ run }) => ran.get(run) ?? null);
}

/** Its checks accepted it, and none of them shows that the work was needed. */
export const isWeaklyProven = ({ outcome, acceptance, report }: Node): boolean =>
  outcome?.kind === "done" && acceptance?.by === "checks" && weakProofWords(report?.checks ?? []) !== "";

/** All that is open in a feature is its land task, and that one waits for you. `open`: what is open in it. */
async function isReadyToLand(reader: Reader, { tier }: Node, open: readonly string[]): Promise<boolean> {
  const [id, ...others] = tier === "feature" ? open : [];
  const land = id === undefined || others.length > 0 ? undefined : await reader.byId(id);
  return land?.kind === "land" && deriveStatus(land, await reader.surroundings(land)).reason === "human";
}

/** When a finished feature landed, and as which commit. Null while anything of it is open. */
async function landingOf(reader: Reader, node: Node) {
  if (node.tier !== "feature" || node.landedOp === null || !isFinished(node)) return null;
  const isLast = (task: Node | undefined): boolean => task?.kind === "land" && task.outcome?.op === node.landedOp;
  // Most features landed once. Of the others the children are read.
  const first = await reader.byId(landId(node.id));
  const last = isLast(first) ? first : (await reader.children(node.nr)).find(isLast);
  return last?.outcome ? { at: isoTime(last.outcome.at), commit: last.report?.commit ?? null } : null;
}
