// The plan as a tree, or one branch of it. A branch is read by itself, whatever the size of the plan.

import { existsSync } from "node:fs";
import { unsandboxedFile } from "../../config/state-folder.js";
import type { Occupied } from "../../model/conflict/conflict.js";
import { DEFAULT_LEVEL, WORKSPACE_LEVEL } from "../../model/item/level.js";
import { isContainer, type Node, type Nr } from "../../model/node/node.js";
import type { Hold } from "../../model/status/holds.js";
import { isFrame } from "../../model/status/stale-approval.js";
import { count, deriveStatus, emptyTally, type Surroundings } from "../../model/status/status.js";
import { emptyPlan, resolve } from "../../plan/base/resolve.js";
import { gatherSurroundings, occupiedNow } from "../../plan/base/surroundings.js";
import { HoldReader } from "../../plan/holds/hold-reader.js";
import { countTasks, perOperation } from "../../plan/overview/standings.js";
import { waiting } from "../../plan/overview/waiting.js";
import { spendings } from "../insight/spending.js";
import {
  type Context,
  type InputOf,
  type NextStep,
  ok,
  type Reader,
  type Session,
  step,
  type ValueOf,
} from "../kit/verb.js";
import { isWeaklyProven, type StatusRow, toStatusRow } from "./tree-row.js";

export interface StatusTree extends StatusRow {
  /** What keeps the daemon from a ready task. You can start it yourself. */
  readonly engineHolds: readonly Hold[];
  /** It is done, but no check shows that the work was needed. */
  readonly weakProof?: true;
  readonly children: readonly StatusTree[];
  readonly more?: number;
}

export type StatusView = ValueOf<ReturnType<typeof status>>;

/** Up to here a plan is shown whole; above, down to its features. */
const MAX_NODES_SHOWN_WHOLE = 200;

/** Of a plan that is not shown whole, so many children of each node: more fill no screen, and each takes 0.2 ms to judge. */
const MAX_CHILDREN_SHOWN = 100;

/** As many entries of what waits for you as the tree leaves room for. */
const MAX_WAITING_SHOWN = 5;

/** A branch has no level, no spending, and no list of what waits for you. */
export async function status(context: Context & Partial<Pick<Session, "env">>, input: InputOf<"status">) {
  const found = await treeOf(context, input);
  if (!found.ok) return found;
  const file = unsandboxedFile(context.root, context.env ?? {});
  const unsandboxed = input.reference === undefined && file !== undefined && existsSync(file);
  const isBranch = input.reference !== undefined;
  const list = isBranch ? ok(null) : await waiting(context, { limit: MAX_WAITING_SHOWN, plain: true });
  if (!list.ok) return list;
  return ok({ ...found.value, ...(unsandboxed && { unsandboxed: true as const }), waiting: list.value });
}

/**
 * `counts`: tasks of all that was asked for, shown or not. `progress`: finished tasks of all tasks, counted as in each feature: without
 * land tasks. `unconfined`: level auto counts although nothing confines workers. `unsandboxed`: a person allowed workers without a sandbox on this
 * machine. `next`: empty when everything is finished.
 */
function treeOf(context: Context, input: InputOf<"status">) {
  return context.store.read(async (reader) => {
    const root = input.reference === undefined ? undefined : await resolve(reader, input.reference, context);
    if (root && !root.ok) return root;
    const tree = new Tree(reader, context, input);
    if (root) tree.setRoots([root.value]);
    else tree.setRoots(tree.visible(await reader.children(null)));
    if (tree.size === 0) return emptyPlan();
    if (input.depth !== undefined) await tree.grow((_, depth) => depth < (input.depth as number));
    else if (root || input.all) await tree.grow(() => true);
    else await growToFit(tree);
    const shown = await tree.view();
    const { store } = context;
    const { counts, progress } = root
      ? await tallyOf(reader, root.value.nr)
      : await perOperation(store, reader, "tally", () => tallyOf(reader));
    const next = nextOfStatus({ tree: shown, counts });
    const levels = root ? [] : await reader.items("level", {});
    const own = levels.find(({ key }) => key === WORKSPACE_LEVEL)?.fields.level ?? DEFAULT_LEVEL;
    const isUnconfined = levels.some(({ fields }) => fields.level === "auto" && fields.unconfined === true);
    return ok({
      tree: shown,
      counts,
      progress,
      next: next === null ? [] : [next],
      level: root ? null : own,
      ...(isUnconfined && { unconfined: true as const }),
      spending: root ? null : await perOperation(store, reader, "spending", () => spendings(reader)),
      hidden: tree.hidden(),
    });
  });
}

async function growToFit(tree: Tree): Promise<void> {
  const above = (node: Node): boolean => node.tier === "mission" || node.tier === "initiative";
  await tree.grow(above, MAX_CHILDREN_SHOWN);
  if (tree.size + tree.tasksBelow() > MAX_NODES_SHOWN_WHOLE) return;
  await tree.grow(() => true);
  if (tree.size > MAX_NODES_SHOWN_WHOLE) tree.prune(above);
}

async function tallyOf(reader: Reader, within?: Nr) {
  const [counts, counted] = [emptyTally(), emptyTally()];
  for (const { tasks, lands, ...standing } of await countTasks(reader, within)) {
    count(counts, standing, tasks);
    if (!lands) count(counted, standing, tasks);
  }
  const total = Object.values(counted).reduce((sum: number, tasks: number) => sum + tasks, 0);
  return { counts, progress: { finished: counted.finished, total } };
}

/** An open land task has none before there is something to land. */
const hasPurpose = (child: Node, parent: Node): boolean =>
  child.kind !== "land" || child.outcome !== null || parent.tasksLive > 0;

interface TreeNode {
  readonly node: Node;
  readonly depth: number;
  children: TreeNode[] | undefined;
  more: number;
}

class Tree {
  readonly #reader: Reader;
  readonly #context: Context;
  readonly #holds: HoldReader;
  readonly #input: InputOf<"status">;
  #occupied: readonly Occupied[] = [];
  #roots: TreeNode[] = [];
  #archived = 0;
  #dropped = 0;

  constructor(reader: Reader, context: Context, input: InputOf<"status">) {
    this.#reader = reader;
    this.#context = context;
    this.#holds = new HoldReader(context);
    this.#input = input;
  }

  setRoots(nodes: readonly Node[]): void {
    this.#roots = nodes.map((node) => ({ node, depth: 0, children: undefined, more: 0 }));
  }

  #nodes = (): Iterable<TreeNode> => topDown(this.#roots, ({ children = [] }) => children);

  get size(): number {
    return [...this.#nodes()].length;
  }

  tasksBelow(): number {
    return [...this.#nodes()].reduce((sum, { node, children }) => (children ? sum : sum + node.tasksLive), 0);
  }

  /** `usual`: at most so many children, unless another number was asked for. */
  async grow(wanted: (node: Node, depth: number) => boolean, usual?: number): Promise<void> {
    const most = this.#input.most ?? usual;
    for (const treeNode of this.#nodes()) {
      const { node, depth } = treeNode;
      if (treeNode.children !== undefined || !isContainer(node) || !wanted(node, depth)) continue;
      const [children, more] = await this.#childrenOf(node, most);
      treeNode.more = more;
      treeNode.children = children.map((child) => ({ node: child, depth: depth + 1, children: undefined, more: 0 }));
    }
  }

  async #childrenOf(node: Node, most: number | undefined): Promise<[shown: Node[], more: number]> {
    const { archived, dropped } = this.#input;
    // Land tasks, which may have no purpose yet, are in features.
    if (most !== undefined && isFrame(node) && !archived && !dropped) {
      const hidden = await this.#reader.hiddenChildren(node.nr);
      this.#archived += hidden.archived;
      this.#dropped += hidden.dropped;
      const page = await this.#reader.childPage(node.nr, { from: 0, limit: most, all: false, lands: true });
      return [page.nodes, page.total - page.nodes.length];
    }
    const all = await this.#reader.children(node.nr);
    const children = this.visible(all).filter((child) => hasPurpose(child, node));
    const shown = children.slice(0, most ?? children.length);
    return [shown, children.length - shown.length];
  }

  prune(kept: (node: Node) => boolean): void {
    for (const treeNode of this.#nodes()) if (!kept(treeNode.node)) treeNode.children = undefined;
  }

  visible(nodes: readonly Node[]): Node[] {
    return nodes.filter((node) => {
      if (node.archive !== null && !this.#input.archived) this.#archived++;
      else if (node.outcome?.kind === "dropped" && !this.#input.dropped) this.#dropped++;
      else return true;
      return false;
    });
  }

  hidden() {
    let deeper = false;
    for (const { node, children, more } of this.#nodes())
      deeper ||= more > 0 || (children === undefined && node.live > 0);
    return { archived: this.#archived, dropped: this.#dropped, deeper };
  }

  async view(): Promise<StatusTree[]> {
    const views = new Map<TreeNode, StatusTree>();
    this.#occupied = await occupiedNow(this.#reader);
    // Children stand behind their parents, so from the back they are there when their parent needs them.
    for (const treeNode of [...this.#nodes()].reverse()) views.set(treeNode, await this.#viewOf(treeNode, views));
    return this.#roots.map((root) => views.get(root) as StatusTree);
  }

  async #viewOf({ node, children = [], more }: TreeNode, views: ReadonlyMap<TreeNode, StatusTree>) {
    const around = await gatherSurroundings(this.#reader, node, { occupied: this.#occupied });
    const derived = deriveStatus(node, around);
    return {
      ...(await toStatusRow(this.#reader, node, derived)),
      engineHolds: derived.reason === "claimable" ? await this.#heldForEngines(node, around) : [],
      ...(isWeaklyProven(node) && { weakProof: true as const }),
      children: children.map((child) => views.get(child) as StatusTree),
      ...(more > 0 && { more }),
    };
  }

  /** Without a commit to begin from no engine works here. */
  async #heldForEngines(node: Node, around: Surroundings): Promise<readonly Hold[]> {
    if (this.#context.head() === null) return [];
    return this.#holds.holds(this.#reader, node, "daemon", around);
  }
}

export function nextOfStatus({ tree, counts }: Pick<StatusView, "tree" | "counts">): NextStep | null {
  const whyFirst = (wanted: (node: StatusTree) => boolean): NextStep => {
    const found = findLeaf(tree, wanted);
    return found ? step("why", { reference: found.id }) : step("why", {}, "reference");
  };
  if (counts.ready > 0) return step("next");
  if (counts.rejected > 0) return whyFirst(({ status }) => status === "rejected");
  if (counts.waitingForPerson > 0) return whyFirst(({ reason }) => reason === "human");
  if (counts.planned > 0) return toApprove(tree);
  if (counts.inProgress > 0) return step("claim.list");
  if (counts.blocked + counts.frozen > 0) return whyFirst(({ status }) => status === "blocked" || status === "frozen");
  return counts.finished > 0 ? null : step("add", {}, "title");
}

function toApprove(tree: readonly StatusTree[]): NextStep {
  const unapproved = findUnapproved(tree);
  if (unapproved) return step("approve", { references: [unapproved.id] });
  const kept = findLeaf(tree, (node) => node.reason === "inbox" && node.tier === "task");
  return kept ? step("approve", { references: [kept.id] }, "to") : step("status", { all: true });
}

/** Parents before children, in the order of the lists. Without recursion: how deep a tree goes is not ours to decide. */
export function* topDown<T extends object>(roots: readonly T[], childrenOf: (each: T) => readonly T[]) {
  const stack = roots.toReversed();
  for (let each = stack.pop(); each; each = stack.pop()) {
    yield each;
    for (const child of childrenOf(each).toReversed()) stack.push(child);
  }
}

const findLeaf = (tree: readonly StatusTree[], wanted: (node: StatusTree) => boolean): StatusTree | undefined =>
  [...topDown(tree, ({ children }) => children)].find((node) => node.children.length === 0 && wanted(node));

const UNAPPROVED: ReadonlySet<string> = new Set(["unapproved", "approval-unknown", "approval-stale"]);

/** The first feature in which something waits for approval; of a task outside of features, the task. */
function findUnapproved(tree: readonly StatusTree[]): StatusTree | undefined {
  const inFeature = (nodes: readonly StatusTree[], around?: StatusTree) =>
    nodes.map((node) => ({ node, feature: node.tier === "feature" ? node : around }));
  for (const { node, feature } of topDown(inFeature(tree), (at) => inFeature(at.node.children, at.feature))) {
    if (UNAPPROVED.has(node.reason) && (feature || node.kind !== "land")) return feature ?? node;
    if (node.tier === "feature" && isClosed(node) && node.status === "planned") return node;
  }
  return undefined;
}

const isClosed = ({ children, progress, reason }: StatusTree): boolean =>
  reason === "container" && children.length === 0 && (progress?.total ?? 0) > 0;
