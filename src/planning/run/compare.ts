// A draft against the plan as it is: what would be added, changed, dropped and approved, and what people changed
// while the draft was written. What is shown before a decision and what the decision does are the same.

import { step } from "../../model/next-step.js";
import { idKey } from "../../model/node/ids.js";
import type { Node } from "../../model/node/node.js";
import { ok, type Result, refused } from "../../model/result.js";
import { toDrop } from "../../model/rules/give-up.js";
import { firstOf } from "../../model/words.js";
import { sha256 } from "../../store/sha256.js";
import type { Reader } from "../../store/store.js";
import { nodesOf, type PlanDraft, parentsIn } from "../contracts/plan-draft.js";
import { diffDraft, isSettledNode, type PlanNode, toPlanNodes } from "../draft/plan-nodes.js";
import type { Run } from "./stored-run.js";
import { draftIn, namesIn, nodesInScope, outsideBranch, renamed } from "./subject.js";

type Comparison = Awaited<ReturnType<typeof compare>>;

/** `draft`: with the names that its nodes have in the plan. `dropped`: what goes, with the land tasks of features that go. */
export async function compare(reader: Reader, run: Run, draft: PlanDraft) {
  const scope = await nodesInScope(reader, run.fields);
  const nodes = await toPlanNodes(reader, scope);
  const going = dropsOf(run, draft, scope);
  const ids = new Set(going.map(({ id }) => id));
  const found = diffDraft(nodes, draft);
  const stays = found.dropped.filter(({ id }) => !ids.has(id));
  const diff = { ...found, dropped: found.dropped.filter(({ id }) => ids.has(id)), kept: [...found.kept, ...stays] };
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
  const named = firstOf(moved, 10);
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
  scope: readonly Node[],
): Promise<Result<void>> {
  const { root, ids = [] } = (await outsideBranch(reader, run, draft, scope)) ?? {};
  if (root === undefined || ids.length === 0) return ok(undefined);
  const named = ids.slice(0, 10).join(", ");
  return refused("outside-branch", `${run.key} is about ${root.id}, and ${named} would not be below it.`, {
    next: [step("plan.revise", { run: run.key }, "note")],
    details: { outside: ids },
  });
}

export async function currentDraft(reader: Reader, run: Run): Promise<Result<PlanDraft>> {
  const draft = await draftIn(reader, run);
  if (draft) return ok(draft);
  return refused("no-draft", `${run.key} has no plan yet: it is in the stage ${run.machine.stage}.`, {
    next: [step("plan.resume", { run: run.key })],
  });
}

/** What a plan that waits for approval would take away: open nodes, and those of them that somebody works on now. */
export async function plannedDrops(reader: Reader, run: Run) {
  const draft = run.machine.wait.for === "approval" ? await draftIn(reader, run) : undefined;
  if (!draft) return { ids: [], claimed: [] };
  const named = renamed(draft, namesIn(draft, run.fields.applied));
  const { diff, dropped } = await compare(reader, run, named);
  const claimed = dropped.filter(({ claim }) => claim !== null);
  return { ids: diff.dropped.map(({ id }) => id), claimed: claimed.map(({ id }) => id) };
}
