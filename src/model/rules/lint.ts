// Every invariant over the whole plan. The store keeps operations from adding a violation; this finds
// those that an import, another program or a fixed file brought in.

import type { LintCode } from "../lint-codes.js";
import type { Approval, Node, Nr } from "../node/node.js";
import { checkEdges, checkFacts, checkParent, type Lookup, violation } from "../operation/invariants.js";
import { describeCycle, findCycles } from "../order/cycle.js";
import { isOpen, Waiting } from "../order/waiting.js";
import { HOLD_WORDS, landingHolds } from "../status/landing.js";
import { countsForLanding, isFinished, isLive } from "../status/rollup.js";
import { isStale, isUnconfirmed } from "../status/stale-approval.js";
import { landsWork } from "./land.js";

export interface Finding {
  readonly code: Extract<LintCode, `I-${string}` | `W-${string}`>;
  readonly id: string;
  readonly message: string;
}

export interface Findings {
  readonly problems: readonly Finding[];
  /** Nothing is broken, but a person should look at it. */
  readonly warnings: readonly Finding[];
}

/** Beyond this many cycles the plan is not fixed one by one. */
const CYCLES_LISTED = 100;

/** `counts`: only findings about these are wanted. `runs`: the open planning runs in each feature. */
export function lintNodes(
  nodes: Iterable<Node>,
  counts: (node: Node) => boolean = () => true,
  runs: ReadonlyMap<Nr, readonly string[]> = new Map(),
): Findings {
  const plan = new Waiting(nodes);
  const lookup: Lookup = (nr) => plan.nodes.get(nr);
  const lands = countLands(plan.nodes);
  const problems: Finding[] = [];
  const warnings: Finding[] = [];
  for (const node of plan.nodes.values()) {
    if (!counts(node)) continue;
    problems.push(...checkParent(node, lookup), ...checkEdges(node, lookup), ...checkFacts(node));
    problems.push(...checkStillDone(node), ...checkLand(node, lands.get(node.nr)));
    if (isStale(node) && node.outcome === null && node.archive === null) warnings.push(staleApproval(node));
    warnings.push(...heldLanding(node, plan, lands.get(node.nr), runs.get(node.nr) ?? []));
  }
  return { problems: [...problems, ...checkCycles(plan, counts)], warnings };
}

function checkStillDone({ id, outcome, freeze }: Node): Finding[] {
  if (outcome?.kind !== "done" || freeze === null || freeze.at <= outcome.at) return [];
  return [violation("I-DONE", id, `${id} was frozen after it was done.`)];
}

function checkCycles(plan: Waiting<Node>, counts: (node: Node) => boolean): Finding[] {
  const found: Finding[] = [];
  for (const cycle of findCycles(plan.nodes.keys(), (nr) => plan.everFor(nr))) {
    const members = cycle.map((nr) => plan.nodes.get(nr) as Node);
    if (!members.some(counts)) continue;
    const ids = members.map((node) => node.id);
    found.push(violation("I-CYCLE", ids[0] as string, `There is a cycle of waiting: ${describeCycle(ids)}.`));
    if (found.length >= CYCLES_LISTED) break;
  }
  return found;
}

interface Landing {
  openLands: number;
  openTasks: number;
  hasDone: boolean;
  /** The latest operation that finished work. */
  workedOp: number;
}

function countLands(nodes: ReadonlyMap<Nr, Node>): Map<Nr, Landing> {
  const lands = new Map<Nr, Landing>();
  for (const node of nodes.values()) {
    if (node.tier !== "task" || node.feature === null || !isLive(node)) continue;
    const landing = lands.get(node.feature) ?? { openLands: 0, openTasks: 0, hasDone: false, workedOp: 0 };
    lands.set(node.feature, landing);
    if (node.kind === "land" && node.outcome === null) landing.openLands++;
    if (countsForLanding(node) && !isFinished(node)) landing.openTasks++;
    if (countsForLanding(node) && node.outcome?.kind === "done") landing.hasDone = true;
    if (node.kind === "work" && node.outcome?.kind === "done") {
      landing.workedOp = Math.max(landing.workedOp, node.outcome.op);
    }
  }
  return lands;
}

function checkLand(node: Node, landing: Landing | undefined): Finding[] {
  if (node.tier !== "feature" || !landing || !landsWork(node)) return [];
  const { openLands, openTasks, workedOp } = landing;
  if (openLands > 1) {
    return [violation("I-LAND", node.id, `The feature ${node.id} has ${openLands} open land tasks instead of one.`)];
  }
  const unlanded = workedOp > (node.landedOp ?? 0);
  if (openLands === 1 || (openTasks === 0 && !unlanded)) return [];
  return [violation("I-LAND", node.id, `The feature ${node.id} has work but no open land task.`)];
}

/** All tasks of the feature are finished, and yet it cannot land. */
function heldLanding(
  feature: Node,
  plan: Waiting<Node>,
  landing: Landing | undefined,
  runs: readonly string[],
): Finding[] {
  if (feature.tier !== "feature" || !landing || feature.tasksLive === 0) return [];
  const { openLands, openTasks, hasDone } = landing;
  if (openLands === 0 || openTasks > 0 || !landsWork(feature)) return [];
  const unfinished = plan.children(feature.nr).filter((node) => node.tier === "story" && isOpen(node));
  return landingHolds({ feature, hasLand: true, unfinished, hasDone, runs }).map(({ kind, id }) => ({
    code: "W-LAND",
    id,
    message: `${feature.id} cannot land: ${HOLD_WORDS[kind](id)}`,
  }));
}

const staleApproval = (node: Node): Finding => {
  const { id, approval } = node;
  const what = isUnconfirmed(node)
    ? `${id} was approved with a secret that this plan does not know`
    : `${id} changed after ${(approval as Approval).by} approved it`;
  return { code: "W-STALE", id, message: `${what}; it does not run until it is approved again.` };
};
