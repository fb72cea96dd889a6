// Which nodes of the plan a run may change: those it made, and the branch it is about. Everything else it can only
// refer to, whatever ids a draft uses.

import { idKey } from "../../model/node/ids.js";
import type { Node } from "../../model/node/node.js";
import type { Reader } from "../../store/store.js";
import { nodesOf, type PlanDraft, parentsIn } from "../contracts/plan-draft.js";
import type { PlanNode } from "../draft/plan-nodes.js";
import type { Run } from "../driver/runs.js";

/** In the order of the plan, parents first; land tasks are the store's. */
export async function nodesInScope(reader: Reader, run: Run): Promise<Node[]> {
  const root = run.fields.node === null ? undefined : await reader.node(run.fields.node);
  const branch = root ? [root, ...(await reader.descendants(root.nr))] : [];
  const made = await reader.byIds(Object.values(run.fields.applied));
  const all = new Map([...branch, ...made].map((node) => [node.nr, node]));
  return [...all.values()].filter(({ kind }) => kind !== "land");
}

/** Nodes of a draft that would not be below the node that the run is about. A task may be replaced by its siblings. */
export async function outsideBranch(
  reader: Reader,
  run: Run,
  draft: PlanDraft,
  scope: readonly Node[],
): Promise<{ readonly root: Node; readonly ids: readonly string[] } | undefined> {
  const root = scope.find(({ nr }) => nr === run.fields.node);
  const above = root && root.parent !== null ? await reader.node(root.parent) : undefined;
  if (!root || !above) return undefined;
  const known = new Set(scope.map(({ id }) => idKey(id)));
  const held = new Set(known);
  if (root.tier === "task") held.add(idKey(above.id));
  const ids: string[] = [];
  const put = (id: string, parent: string | undefined): void => {
    const own = idKey(id);
    const isHeld = parent === undefined ? known.has(own) : held.has(idKey(parent));
    if (isHeld || (own === idKey(root.id) && idKey(parent ?? "") === idKey(above.id))) held.add(own);
    else ids.push(id);
  };
  for (const [id, parent] of parentsIn(draft)) put(id, parent);
  return { root, ids };
}

export const isSettledNode = ({ outcome, archive }: Node): boolean => outcome !== null || archive !== null;

/** Nodes by their names, as drafts and diffs see them. */
export async function toPlanNodes(reader: Reader, nodes: readonly Node[]): Promise<PlanNode[]> {
  const ids = new Map(nodes.map(({ nr, id }) => [nr, id]));
  const elsewhere = new Set(nodes.flatMap((node) => [node.parent ?? node.nr, ...statedBy(node)]));
  for (const nr of elsewhere) if (!ids.has(nr)) ids.set(nr, (await reader.node(nr))?.id ?? "");
  const nameOf = (nr: number): string => ids.get(nr) as string;
  return nodes.map((node) => ({
    id: node.id,
    tier: node.tier,
    kind: node.kind,
    title: node.title,
    body: node.body,
    parent: node.parent === null ? null : nameOf(node.parent),
    dependsOn: statedBy(node).map(nameOf),
    files: node.files,
    symbols: node.symbols,
    checks: node.checks,
    profile: node.profile,
    priority: node.priority,
    estimateHours: node.estimateHours,
    settled: isSettledNode(node),
  }));
}

const statedBy = ({ dependsOn }: Node): number[] =>
  dependsOn.filter(({ origin }) => origin === "stated").map(({ on }) => on);

/** What an id of a draft is called in the plan. Authors choose ids, and `constructor` is one as well. */
export const nameIn = (names: Readonly<Record<string, string>>, id: string): string =>
  (Object.hasOwn(names, id) ? names[id] : undefined) ?? id;

/** A draft that has a node by its name in the plan means another one by the short id that it once had. */
export function namesIn(draft: PlanDraft, applied: Readonly<Record<string, string>>): Record<string, string> {
  const direct = new Set(nodesOf(draft).map(({ id }) => idKey(id)));
  const isOther = ([id, name]: readonly [string, string]): boolean =>
    direct.has(idKey(name)) && idKey(id) !== idKey(name);
  return Object.fromEntries(Object.entries(applied).filter((entry) => !isOther(entry)));
}

/** The draft with the names that its nodes have in the plan; new ones keep their own. */
export function renamed(draft: PlanDraft, names: Readonly<Record<string, string>>): PlanDraft {
  const known = new Map(Object.entries(names).map(([id, name]) => [idKey(id), name]));
  const name = (id: string): string => known.get(idKey(id)) ?? id;
  return {
    ...draft,
    decisions: draft.decisions.map((decision) => ({ ...decision, tasks: decision.tasks.map(name) })),
    initiatives: draft.initiatives.map((initiative) => ({ ...initiative, id: name(initiative.id) })),
    features: draft.features.map((feature) => ({
      ...feature,
      id: name(feature.id),
      ...(feature.parent === undefined ? {} : { parent: name(feature.parent) }),
    })),
    stories: draft.stories.map((story) => ({ ...story, id: name(story.id), feature: name(story.feature) })),
    tasks: draft.tasks.map((task) => ({
      ...task,
      id: name(task.id),
      parent: name(task.parent),
      dependsOn: task.dependsOn.map(name),
    })),
  };
}
