// What a run is about: the nodes that it made and the branch that it may change, whatever ids a draft uses; the captured idea
// that it replaces; and other runs about the same node, file or words.

import type { PlanningRun } from "../../model/item/planning-run.js";
import { step } from "../../model/next-step.js";
import { idKey, MISSION } from "../../model/node/ids.js";
import type { Node } from "../../model/node/node.js";
import { type Change, changeNode } from "../../model/operation/change.js";
import { ok, type Result, refused } from "../../model/result.js";
import { dropPatch } from "../../model/rules/drop.js";
import type { Reader, Writer } from "../../store/store.js";
import { nodesOf, type PlanDraft, parentsIn } from "../contracts/plan-draft.js";
import type { DraftDiff } from "../draft/plan-nodes.js";
import { isSettledNode } from "../draft/plan-nodes.js";
import { currentText, listRuns, type Run } from "./stored-run.js";

/** In the order of the plan, parents first; land tasks are the store's. */
export async function nodesInScope(
  reader: Reader,
  { node, applied }: Pick<PlanningRun, "node" | "applied">,
): Promise<Node[]> {
  const root = node === null ? undefined : await reader.node(node);
  const branch = root ? [root, ...(await reader.descendants(root.nr))] : [];
  const made = await reader.byIds(Object.values(applied));
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

async function specHash(reader: Reader, { fields: { current } }: Run): Promise<string | undefined> {
  const artifact = current.spec === undefined ? undefined : await reader.item("artifact", current.spec);
  return artifact?.fields.hash;
}

/** The newest first. A review changes nothing, so it is never meant. */
async function runsAbout(reader: Reader, run: Run, counts: (other: Run) => boolean): Promise<Run[]> {
  if (run.machine.mode === "review") return [];
  const found: Run[] = [];
  for (const other of await listRuns(reader)) {
    if (other.key === run.key || other.machine.mode === "review" || !counts(other)) continue;
    if (await isSame(reader, run, other)) found.push(other);
  }
  return found;
}

async function isSame(reader: Reader, run: Run, other: Run): Promise<boolean> {
  if (run.fields.node !== null || other.fields.node !== null) return run.fields.node === other.fields.node;
  const { source } = run.intake;
  if (source !== null && source === other.intake.source) return true;
  const hash = await specHash(reader, run);
  return hash !== undefined && hash === (await specHash(reader, other));
}

/** Other runs about the same thing that are not over. */
export const openTwins = async (reader: Reader, run: Run): Promise<string[]> =>
  run.machine.end !== null
    ? []
    : (await runsAbout(reader, run, ({ machine }) => machine.end === null)).map(({ key }) => key);

/** Refuses a plan that is in the graph already: from a run about the same thing, or node by node. */
export async function refuseDuplicate(
  reader: Reader,
  run: Run,
  draft: PlanDraft,
  { added }: Pick<DraftDiff, "added">,
): Promise<Result<void>> {
  if (added.length === 0) return ok(undefined);
  const { begunBy = Infinity, node } = run.fields;
  const isLater = ({ fields: { appliedBy } }: Run): boolean => (appliedBy ?? 0) > begunBy;
  const [twin] = run.machine.mode === "revise" ? [] : await runsAbout(reader, run, isLater);
  if (twin) {
    const subject = node === null ? "the same spec" : `${(await reader.node(node))?.id ?? "the same node"} too`;
    return refused(
      "duplicate",
      `${twin.key} planned ${subject} and was added while ${run.key} was open. ${run.key} would add it twice.`,
      {
        next: [step("plan.start", { revise: twin.key }), step("plan.diff", { run: run.key })],
        details: { run: twin.key },
      },
    );
  }
  const same = await sameNode(reader, draft, added);
  if (same === undefined) return ok(undefined);
  return refused(
    "duplicate",
    `${same.there.id} is in the plan already as "${same.there.title}", where ${run.key} adds it again.`,
    {
      next: [step("show", { reference: same.there.id }), step("plan.revise", { run: run.key }, "note")],
      details: { node: same.there.id, draft: same.id },
    },
  );
}

const plainTitle = (title: string): string => title.trim().replace(/\s+/g, " ").toLowerCase();

/** A new node with the title of an open one below the same parent. */
async function sameNode(
  reader: Reader,
  draft: PlanDraft,
  added: DraftDiff["added"],
): Promise<{ readonly id: string; readonly there: Node } | undefined> {
  const parents = new Map(parentsIn(draft).map(([id, parent]) => [idKey(id), parent]));
  const children = new Map<string, readonly Node[]>();
  for (const { id, tier, title } of added) {
    const parent = parents.get(idKey(id)) ?? MISSION;
    if (!children.has(parent)) {
      const holder = await reader.byId(parent);
      children.set(parent, holder ? await reader.children(holder.nr) : []);
    }
    const there = children
      .get(parent)
      ?.find((node) => node.outcome === null && node.tier === tier && plainTitle(node.title) === plainTitle(title));
    if (there) return { id, there };
  }
  return undefined;
}

/** The words of an idea, as the spec of a run. */
export const ideaText = ({ title, body }: Pick<Node, "title" | "body">): string =>
  body.trim() === "" ? `# ${title}` : `# ${title}\n\n${body}`;

interface RetiredIdea {
  readonly idea: string | null;
  readonly changes: readonly Change[];
}

const NOT_RETIRED: RetiredIdea = { idea: null, changes: [] };

/** `names`: draft ids to ids of the plan. An idea that somebody has changed or finished since the run began stays. */
export async function retireIdea(
  writer: Writer,
  run: Run,
  { features }: PlanDraft,
  names: Readonly<Record<string, string>>,
  settling: { readonly by: string; readonly at: number },
): Promise<RetiredIdea> {
  const { idea = null } = run.intake;
  const node = idea === null ? undefined : await writer.byId(idea);
  if (!node || isSettledNode(node) || node.claim !== null || !node.shelved) return NOT_RETIRED;
  if (ideaText(node) !== (await currentText(writer, run, "spec"))) return NOT_RETIRED;
  const known = new Map(Object.entries(names).map(([id, name]) => [idKey(id), name]));
  const into = features.map(({ id }) => known.get(idKey(id)) ?? id);
  const patch = dropPatch({ ...settling, op: writer.op }, `planned as ${into.join(", ")} by ${run.key}`);
  return { idea: node.id, changes: changeNode(node, patch) };
}
