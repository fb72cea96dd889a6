// How a node counts: towards its parent, towards its feature's landing, and towards what depends on it; and what is settled.

import {
  BUGS,
  type Content,
  type Derived,
  type Facts,
  type Node,
  type NodeFields,
  type Nr,
  TIERS,
} from "../node/node.js";

type WithCounts = Pick<Content, "tier" | "kind"> &
  Pick<Facts, "outcome" | "awaitsPlan"> &
  Pick<Derived, "live" | "finished">;

/** Dropped nodes no longer count at all. */
export const isLive = (node: Pick<Facts, "outcome">): boolean => node.outcome?.kind !== "dropped";

/** A task by its outcome; a container when every child that counts is finished, and there is one, and no new plan is to come. */
export function isFinished(node: WithCounts): boolean {
  if (node.outcome !== null) return node.outcome.kind !== "dropped";
  return node.tier !== "task" && node.awaitsPlan === null && node.live > 0 && node.finished === node.live;
}

/** Where bugs go: an initiative with a feature for each of them. In plans of earlier versions it is one feature. */
export const isBugs = ({ tier, id }: Pick<NodeFields, "tier" | "id">): boolean =>
  id === BUGS && (tier === "initiative" || tier === "feature");

/** Every plan has them: what is in them can go, they themselves stay. */
export const isStanding = (node: Pick<NodeFields, "tier" | "inbox" | "id">): boolean => node.inbox || isBugs(node);

type Counting = Pick<NodeFields, "tier" | "inbox" | "id" | "outcome"> & Pick<Derived, "live" | "tasksLive">;

/** A feature always has its land task. */
const isEmptyBugs = (node: Counting): boolean =>
  isBugs(node) && (node.tier === "feature" ? node.tasksLive : node.live) === 0;

/** Its parent waits for it: not for ideas, of which nothing runs, and not for bugs before there is one. */
export const countsForParent = (node: Counting): boolean => isLive(node) && !node.inbox && !isEmptyBugs(node);

/** The same for the database: what has no outcome, counts for its parent, and is not finished. */
export const OPEN_FOR_PARENT = `outcome is null
  and (tier = 'task' or awaits_plan is not null or live = 0 or finished < live)
  and not (inbox = 1 or (id = '${BUGS}' and (tier = 'feature' and tasks_live = 0 or tier = 'initiative' and live = 0)))`;

/** What code is in: tasks of this kind, and nodes of this tier. */
export const CODE = { kind: "work", tier: "story" } as const;

/** A dependency on it from another feature waits for its landing. */
export function mustLandFor(from: Pick<Derived, "feature">, target: WithPlace): boolean {
  return target.feature !== null && target.feature !== from.feature && holdsCode(target);
}

const holdsCode = ({ kind, tier }: WithPlace): boolean => kind === CODE.kind || tier === CODE.tier;

type WithPlace = Pick<Content, "tier" | "kind"> & Pick<Derived, "feature">;

/** The operation that finished a piece of code; 0 where there is none to land: gates, reviews, waived work. */
export const codeOp = (node: Pick<Content, "kind"> & Pick<Facts, "outcome">): number =>
  node.kind === "work" && node.outcome?.kind === "done" ? node.outcome.op : 0;

export interface LandingView {
  readonly feature: Nr | null;
  /** The latest operation that finished code: the target's own, or that of a task inside it. */
  readonly codeOp: number;
  readonly landedOp: number | null;
}

/** A dependency is met when its target is finished and, across features, landed. */
export function isMet(from: Pick<Derived, "feature">, target: WithCounts & LandingView): boolean {
  if (!isFinished(target)) return false;
  if (!mustLandFor(from, target) || target.outcome?.kind === "waived") return true;
  return (target.landedOp ?? 0) >= target.codeOp;
}

/** For a dependency of its own, or of something that contains it. */
export const waits = (node: Pick<Derived, "pending" | "held">): boolean => node.pending > 0 || node.held;

/** Everything in a container waits while the container waits, or while a change to it is not approved. */
export const holdsBack = (container: Pick<Derived, "pending" | "held">, stale: boolean): boolean =>
  waits(container) || stale;

export function unmetState(target: WithCounts & Pick<Facts, "acceptance">): "pending" | "rejected" | "dropped" {
  if (target.outcome?.kind === "dropped") return "dropped";
  return target.acceptance?.state === "rejected" ? "rejected" : "pending";
}

/** Of a feature all its tasks count, the land task aside; of other containers their children. */
export function progressOf(
  node: Pick<Node, "tier" | "tasksFinished" | "tasksLive" | "finished" | "live">,
): { readonly finished: number; readonly total: number } | null {
  if (node.tier === "task") return null;
  if (node.tier === "feature") return { finished: node.tasksFinished, total: node.tasksLive };
  return { finished: node.finished, total: node.live };
}

/** The feature's tasks that its land task waits for. */
export const countsForLanding = (node: Pick<Node, "tier" | "kind">): boolean =>
  node.tier === "task" && node.kind !== "land";

/** Where a node is: the feature around it, and whether it is in a planning-only inbox. */
export const placeUnder = (
  { nr, tier, inbox }: Pick<Node, "nr" | "tier" | "inbox">,
  parent: Pick<Derived, "feature" | "shelved"> | undefined,
): Pick<Derived, "feature" | "shelved"> => ({
  feature: tier === "feature" ? nr : (parent?.feature ?? null),
  shelved: inbox || (parent?.shelved ?? false),
});

type Totals = { -readonly [K in "live" | "finished" | "tasksLive" | "tasksFinished"]: Derived[K] };

/** Adds a node to the counts of its parent and its feature, or takes it away from them. */
export function addToCounts(
  node: WithCounts & Counting,
  sign: 1 | -1,
  parent: Totals | undefined,
  feature: Totals | undefined,
): void {
  if (!countsForParent(node)) return;
  const finished = isFinished(node) ? sign : 0;
  if (parent) {
    parent.live += sign;
    parent.finished += finished;
  }
  if (feature && countsForLanding(node)) {
    feature.tasksLive += sign;
    feature.tasksFinished += finished;
  }
}

/** The operation that landed the feature, by its land task; null if it did not. */
export const landingOp = ({ kind, outcome }: Pick<Content, "kind"> & Pick<Facts, "outcome">): number | null =>
  kind === "land" && outcome !== null && isLive({ outcome }) ? outcome.op : null;

export const latestLanding = (nodes: readonly Parameters<typeof landingOp>[0][]): number | null => {
  const ops = nodes.map(landingOp).filter((op) => op !== null);
  return ops.length === 0 ? null : Math.max(...ops);
};

export type Branch = readonly [root: Node, ...below: Node[]];

/** Nothing is left to decide about it: it is done, waived or dropped, or it was archived. */
export const isSettled = (node: Node): boolean => node.archive !== null || node.outcome !== null || isFinished(node);

/** A task that a person or a worker still has to do something about. */
export const isOpenTask = (node: Node): boolean => node.tier === "task" && !isSettled(node);

type Settling = Pick<Node, "nr" | "parent" | "tier" | "kind"> & Pick<Facts, "outcome">;

/** One list per tier: parents stand in an earlier list than their children, whatever the order of the rows. */
export function byTier<T extends Pick<Node, "tier">>(rows: Iterable<T>): T[][] {
  const lists = new Map<string, T[]>(TIERS.map((tier) => [tier, []]));
  for (const row of rows) lists.get(row.tier)?.push(row);
  return [...lists.values()];
}

/** The number of the latest operation that finished code in each node or below it; 0 where none did. */
export function codeOps(tiers: readonly (readonly Settling[])[]): Map<Nr, number> {
  const latest = new Map<Nr, number>();
  for (const tier of [...tiers].reverse()) {
    for (const { nr, parent, kind, outcome } of tier) {
      const op = Math.max(latest.get(nr) ?? 0, codeOp({ kind, outcome }));
      latest.set(nr, op);
      if (parent !== null && op > (latest.get(parent) ?? 0)) latest.set(parent, op);
    }
  }
  return latest;
}
