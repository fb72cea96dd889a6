// A draft against the plan as it is: what would be added, changed, dropped and approved, and what people changed
// while the draft was written. What is shown before a decision and what the decision does are the same.

import { step } from "../../model/next-step.js";
import { idKey } from "../../model/node/ids.js";
import type { Node, Nr } from "../../model/node/node.js";
import { ok, type Result, refused } from "../../model/result.js";
import { toDrop } from "../../model/rules/drop.js";
import { isStale } from "../../model/status/stale.js";
import { isApproved } from "../../model/status/status.js";
import { sha256 } from "../../store/sha256.js";
import type { Reader } from "../../store/store.js";
import { nodesOf, type PlanDraft, parentsIn, parseDraft } from "../contracts/plan-draft.js";
import { type DraftDiff, diffDraft, isSettledNode, type PlanNode, toPlanNodes } from "../draft/plan-nodes.js";
import { currentText, type Run } from "./stored-run.js";
import { namesIn, nodesInScope, outsideBranch, renamed } from "./subject.js";

export interface Comparison {
  readonly scope: readonly Node[];
  readonly nodes: readonly PlanNode[];
  readonly diff: DraftDiff;
  /** What goes, with the land tasks of features that go. */
  readonly dropped: readonly Node[];
}

/** `draft`: with the names that its nodes have in the plan. */
export async function compare(reader: Reader, run: Run, draft: PlanDraft): Promise<Comparison> {
  const scope = await nodesInScope(reader, run.fields);
  const nodes = await toPlanNodes(reader, scope);
  const going = dropsOf(run, draft, scope);
  const ids = new Set(going.map(({ id }) => id));
  const found = diffDraft(nodes, draft);
  const stays = found.dropped.filter(({ id }) => !ids.has(id));
  const diff = {
    ...found,
    dropped: found.dropped.filter(({ id }) => ids.has(id)),
    kept: [...found.kept, ...stays],
  };
  const dropped = [...going];
  for (const { nr, tier } of going) {
    if (tier !== "feature") continue;
    const lands = (await reader.children(nr)).filter((node) => node.kind === "land" && !isSettledNode(node));
    dropped.push(...lands);
  }
  return { scope, nodes, diff, dropped };
}

/** Open nodes of a revised branch that the draft no longer has. To expand a node is only to add. */
function dropsOf(run: Run, draft: PlanDraft, scope: readonly Node[]): Node[] {
  const stays = new Set(nodesOf(draft).map(({ id }) => idKey(id)));
  const [first] = scope;
  if (!first || run.machine.mode === "expand") return [];
  const gone = ({ id, nr, tier }: Node): boolean =>
    !stays.has(idKey(id)) && nr !== run.fields.node && tier !== "mission";
  const going = new Set(toDrop(asDrafted(draft, [first, ...scope.slice(1)]), gone).map(({ nr }) => nr));
  return scope.filter(({ nr }) => going.has(nr));
}

/** With the parents that the draft gives them: what a container loses no longer keeps it. */
function asDrafted(draft: PlanDraft, [first, ...others]: readonly [Node, ...Node[]]): [Node, ...Node[]] {
  const parents = new Map(parentsIn(draft).map(([id, parent]) => [idKey(id), parent]));
  const numbers = new Map([first, ...others].map(({ id, nr }) => [idKey(id), nr]));
  const placed = (node: Node): Node => {
    const parent = parents.get(idKey(node.id));
    return parent === undefined ? node : { ...node, parent: numbers.get(idKey(parent)) ?? null };
  };
  return [placed(first), ...others.map(placed)];
}

/** Everything that a draft can change in a node; facts such as claims are no part of it. */
const contentOf = (node: PlanNode): string => sha256(JSON.stringify({ ...node, settled: false })).slice(0, 16);

/** For a run that begins. */
export async function baseOf(reader: Reader, scope: readonly Node[]): Promise<Record<string, string>> {
  const open = await toPlanNodes(
    reader,
    scope.filter((node) => !isSettledNode(node)),
  );
  return Object.fromEntries(open.map((node) => [node.id, contentOf(node)]));
}

/** What people changed, added or moved away since the run began is never overwritten or dropped by it. */
export function holdToBase(run: Run, draft: PlanDraft, { nodes, diff }: Comparison): Result<void> {
  const { base, node: root } = run.fields;
  if (base === undefined) return ok(undefined);
  const touched = new Set([...diff.changed, ...diff.dropped].map(({ id }) => idKey(id)));
  const isNewer = (node: PlanNode): boolean =>
    touched.has(idKey(node.id)) && (Object.hasOwn(base, node.id) ? base[node.id] : undefined) !== contentOf(node);
  const here = new Set(nodes.map(({ id }) => idKey(id)));
  const drafted = new Set(nodesOf(draft).map(({ id }) => idKey(id)));
  const away = Object.keys(base).filter((id) => drafted.has(idKey(id)) && !here.has(idKey(id)));
  const moved = [...nodes.filter(isNewer).map(({ id }) => id), ...away];
  if (moved.length === 0) return ok(undefined);
  const named =
    moved.length <= 10 ? moved.join(", ") : `${moved.slice(0, 10).join(", ")} and ${moved.length - 10} more`;
  const again = root === null ? run.key : (nodes[0]?.id ?? run.key);
  return refused("plan-moved", `The plan has changed since ${run.key} began, and it would undo that: ${named}.`, {
    next: [step("plan.start", { revise: again })],
    details: { moved },
  });
}

/** A run about one node adds nothing elsewhere. */
export async function holdToBranch(
  reader: Reader,
  run: Run,
  draft: PlanDraft,
  { scope }: Comparison,
): Promise<Result<void>> {
  const { root, ids = [] } = (await outsideBranch(reader, run, draft, scope)) ?? {};
  if (root === undefined || ids.length === 0) return ok(undefined);
  return refused(
    "outside-branch",
    `${run.key} is about ${root.id}, and ${ids.slice(0, 10).join(", ")} would not be below it.`,
    {
      next: [step("plan.revise", { run: run.key }, "note")],
      details: { outside: ids },
    },
  );
}

/** The plan as far as the run has written one. */
export async function currentDraft(reader: Reader, run: Run): Promise<Result<PlanDraft>> {
  const text = await currentText(reader, run, "draft");
  if (text !== undefined) return ok(parseDraft(text));
  return refused("no-draft", `${run.key} has no plan yet: it is in the stage ${run.machine.stage}.`, {
    next: [step("plan.resume", { run: run.key })],
  });
}

export interface PlannedDrops {
  readonly ids: readonly string[];
  /** Those of them that somebody works on now. */
  readonly claimed: readonly string[];
}

const NO_DROPS: PlannedDrops = { ids: [], claimed: [] };

/** What a plan that waits for approval would take away: open nodes, and the claims of people and agents who work on them. */
export async function plannedDrops(reader: Reader, run: Run): Promise<PlannedDrops> {
  if (run.machine.wait.for !== "approval") return NO_DROPS;
  const draft = await currentDraft(reader, run);
  if (!draft.ok) return NO_DROPS;
  const named = renamed(draft.value, namesIn(draft.value, run.fields.applied));
  const { diff, dropped } = await compare(reader, run, named);
  const claimed = dropped.filter(({ claim }) => claim !== null);
  return { ids: diff.dropped.map(({ id }) => id), claimed: claimed.map(({ id }) => id) };
}

/** Fields that an approval does not bind. */
const UNBOUND = new Set(["priority", "estimateHours"]);

const isOpen = (node: Node | undefined): node is Node => node !== undefined && !isSettledNode(node) && !node.shelved;

/** What the approval of a run would approve that is not approved now: shown before a person decides. */
export async function newApprovals(
  reader: Reader,
  run: Run,
  draft: PlanDraft,
  { scope, diff: { added, changed } }: Comparison,
): Promise<string[]> {
  const own = new Map(scope.map((node) => [idKey(node.id), node]));
  const above = new Map(parentsIn(draft).map(([id, parent]) => [idKey(id), parent]));
  const fresh = new Set(added.map(({ id }) => idKey(id)));
  /** The nearest node of the plan that the draft puts it below. */
  const holderOf = async (id: string): Promise<Node | undefined> => {
    let parent = above.get(idKey(id));
    for (let hops = 0; parent !== undefined && fresh.has(idKey(parent)) && hops < 4; hops++)
      parent = above.get(idKey(parent));
    return parent === undefined ? undefined : (own.get(idKey(parent)) ?? (await reader.byId(parent)));
  };
  const found = new Map<string, string>();
  const features = new Map<Nr, Node>();
  const touch = async (node: Node | undefined): Promise<void> => {
    const nr = node?.tier === "feature" ? node.nr : node?.feature;
    const feature = nr === undefined || nr === null ? undefined : await reader.node(nr);
    if (isOpen(feature)) features.set(feature.nr, feature);
  };
  const root = run.machine.mode === "expand" ? scope.find(({ nr }) => nr === run.fields.node) : undefined;
  if (isOpen(root)) {
    if (!isApproved(root)) found.set(idKey(root.id), root.id);
    await touch(root);
  }
  const bound = new Set(
    changed.filter(({ fields }) => fields.some(({ field }) => !UNBOUND.has(field))).map(({ id }) => idKey(id)),
  );
  const touched = new Set(changed.map(({ id }) => idKey(id)));
  for (const { id } of nodesOf(draft)) {
    const node = own.get(idKey(id));
    if (!node) {
      const holder = await holderOf(id);
      if (holder?.shelved !== true) found.set(idKey(id), id);
      await touch(holder);
      continue;
    }
    if (!isOpen(node)) continue;
    const isChanged = touched.has(idKey(id));
    if (isChanged) await touch(node);
    const isDue = bound.has(idKey(id)) || (isChanged && !isApproved(node)) || isStale(node);
    if (isDue) found.set(idKey(id), node.id);
  }
  for (const feature of features.values()) {
    if (feature.approval === null && !found.has(idKey(feature.id))) continue;
    const children = await reader.children(feature.nr);
    const land = children.find((node) => node.kind === "land" && !isSettledNode(node));
    if (land && !isApproved(land)) found.set(idKey(land.id), land.id);
  }
  return [...found.values()];
}
