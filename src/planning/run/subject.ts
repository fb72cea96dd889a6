// What a run is about: the nodes that it made and the branch that it may change, whatever ids a draft uses; the captured idea
// that it replaces; and other runs about the same node, file or words.

import type { PlanningRun } from "../../model/item/planning-run.js";
import { step } from "../../model/next-step.js";
import { idKey, MISSION } from "../../model/node/ids.js";
import type { Node } from "../../model/node/node.js";
import { type Change, changeNode } from "../../model/operation/change.js";
import { ok, type Result, refused } from "../../model/result.js";
import { dropPatch } from "../../model/rules/give-up.js";
import type { Maker } from "../../plan/record/save-record.js";
import type { Reader, Writer } from "../../store/store.js";
import { nodesOf, type PlanDraft, parentsIn, parseDraft, renameNodes } from "../contracts/plan-draft.js";
import { plainTitle } from "../draft/merge.js";
import { type DraftDiff, isSettledNode } from "../draft/plan-nodes.js";
import { currentText, listRuns, nodeOf, type Run } from "./stored-run.js";

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
export async function outsideBranch(reader: Reader, run: Run, draft: PlanDraft, scope: readonly Node[]) {
  const root = scope.find(({ nr }) => nr === run.fields.node);
  const above = root && root.parent !== null ? await reader.node(root.parent) : undefined;
  if (!root || !above) return undefined;
  const known = new Set(scope.map(({ id }) => idKey(id)));
  const held = new Set(known);
  if (root.tier === "task") held.add(idKey(above.id));
  const ids: string[] = [];
  for (const [id, parent] of parentsIn(draft)) {
    const own = idKey(id);
    const isHeld = parent === undefined ? known.has(own) : held.has(idKey(parent));
    if (isHeld || (own === idKey(root.id) && idKey(parent ?? "") === idKey(above.id))) held.add(own);
    else ids.push(id);
  }
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
  return renameNodes(draft, (id) => known.get(idKey(id)) ?? id);
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
  const { begunBy = Infinity } = run.fields;
  const isLater = ({ fields: { appliedBy } }: Run): boolean => (appliedBy ?? 0) > begunBy;
  const [twin] = run.machine.mode === "revise" ? [] : await runsAbout(reader, run, isLater);
  if (twin) {
    const about = await nodeOf(reader, run);
    const subject = about ? `${about.id} too` : "the same spec";
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
  const { there, id: drafted } = same;
  return refused(
    "duplicate",
    `${there.id} is in the plan already as "${there.title}", where ${run.key} adds it again.`,
    {
      next: [step("show", { reference: there.id }), step("plan.revise", { run: run.key }, "note")],
      details: { node: there.id, draft: drafted },
    },
  );
}

async function sameNode(reader: Reader, draft: PlanDraft, added: DraftDiff["added"]) {
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

export const ideaText = ({ title, body }: Pick<Node, "title" | "body">): string =>
  body.trim() === "" ? `# ${title}` : `# ${title}\n\n${body}`;

/** `names`: draft ids to ids of the plan. An idea that somebody has changed or finished since the run began stays. */
export async function retireIdea(
  writer: Writer,
  run: Run,
  draft: PlanDraft,
  names: Readonly<Record<string, string>>,
  settling: Maker,
): Promise<{ readonly idea: string | null; readonly changes: readonly Change[] }> {
  const { idea = null } = run.intake;
  const node = idea === null ? undefined : await writer.byId(idea);
  const isOpen = node?.shelved === true && node.claim === null && !isSettledNode(node);
  if (!isOpen || ideaText(node) !== (await currentText(writer, run, "spec"))) return { idea: null, changes: [] };
  const into = renamed(draft, names).features.map(({ id }) => id);
  const patch = dropPatch({ ...settling, op: writer.op }, `planned as ${into.join(", ")} by ${run.key}`);
  return { idea: node.id, changes: changeNode(node, patch) };
}

/** The plan as far as the run has written one. Not beside the run itself: `show` reads runs, and needs no schema of a plan. */
export async function draftIn(reader: Reader, run: Run): Promise<PlanDraft | undefined> {
  const text = await currentText(reader, run, "draft");
  return text === undefined ? undefined : parseDraft(text);
}
