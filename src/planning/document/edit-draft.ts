// An edited document as a draft, if it still has the form of one. Only what a person changed in the document is taken over: a
// document that is older than the plan undoes no change that was made since.

import { idKey } from "../../model/node/ids.js";
import { ok, type Result, usage } from "../../model/result.js";
import { isSame } from "../contracts/common.js";
import { type PlanDraft, planDraft } from "../contracts/plan-draft.js";
import { isSameOrder, readPlan, renameIds } from "./read-plan.js";

interface DocumentSource {
  /** Every plan document that the run ever had: any of them may be the one that was edited. */
  readonly versions: readonly string[];
  /** What ids of a draft are called in the plan. A document that was exported before the approval has the former. */
  readonly names: Readonly<Record<string, string>>;
}

/** While a run is open its document counts as it is. Once the plan is in use, only what was changed in the document does. */
export function editDraft(
  draft: PlanDraft,
  document: string,
  { versions, names }: DocumentSource = { versions: [], names: {} },
): Result<{ readonly draft: PlanDraft; readonly changes: readonly string[] }> {
  const [text = "", ...others] = [document, ...versions].map((each) => renameIds(each, names));
  const version = closestTo(text, others);
  const before = version === undefined ? draft : readPlan(draft, version).draft;
  const edited = readPlan(before, text);
  const read = planDraft.safeParse(mergeEdits(draft, before, edited.draft));
  if (read.success) return ok({ draft: read.data, changes: edited.changes });
  const problems = read.error.issues.map(({ path, message }) => `${path.join(".")}: ${message}.`);
  return usage("bad-plan", `The edited plan cannot be read: ${problems.slice(0, 5).join(" ")}`, {
    details: { problems },
  });
}

/** The document that was edited, of several versions, the oldest first: the one that its first line names, or else the newest of those
 * with the most lines in common. */
export function closestTo(edited: string, versions: readonly string[]): string | undefined {
  const mark = versionMark(edited);
  const named = mark && versions.findLast((text) => versionMark(text) === mark);
  if (named !== undefined) return named;
  const lines = new Set(edited.split("\n"));
  const common = (text: string): number => text.split("\n").filter((line) => lines.has(line)).length;
  return versions.toReversed().sort((a, b) => common(b) - common(a))[0];
}

/** The first line of a plan document, if it names a version. */
const versionMark = (text: string): string | undefined =>
  /^\uFEFF?(<!-- planwright plan RUN-\d+ [0-9a-f]+ -->)/.exec(text)?.[1];

/** `before`: the plan as the document had it; `edited`: the same with the changes of the person. */
export function mergeEdits(now: PlanDraft, before: PlanDraft, edited: PlanDraft): PlanDraft {
  const kept = new Set(idsOf(edited));
  const gone = new Set(idsOf(before).filter((id) => !kept.has(id)));
  const isThere = (id: string): boolean => !gone.has(idKey(id));
  const merged = changedFields(now, before, edited);
  const kin = mergeNodes(now.tasks, before.tasks, edited.tasks);
  const tasks = inOrder([...kin, ...addedTo(now.tasks, before.tasks, edited.tasks)], before.tasks, edited.tasks);
  return {
    ...merged,
    decisions: merged.decisions.map((each) => ({ ...each, tasks: each.tasks.filter(isThere) })),
    initiatives: mergeNodes(now.initiatives, before.initiatives, edited.initiatives).filter(({ id }) => isThere(id)),
    features: [
      ...mergeNodes(now.features, before.features, edited.features),
      ...addedTo(now.features, before.features, edited.features),
    ].filter(({ id }) => isThere(id)),
    stories: now.stories.filter(({ id, feature }) => isThere(id) && isThere(feature)),
    tasks: tasks
      .filter(({ id }) => isThere(id))
      .map((task) => ({ ...task, dependsOn: task.dependsOn.filter(isThere) })),
  };
}

const idsOf = ({ initiatives, features, tasks }: PlanDraft): string[] =>
  [...initiatives, ...features, ...tasks].map(({ id }) => idKey(id));

function changedFields<T extends object>(now: T, before: T, edited: T): T {
  const fields = new Set([...Object.keys(before), ...Object.keys(edited)]) as Set<keyof T & string>;
  const changed = [...fields].filter((field) => !isSame(before[field], edited[field]));
  if (changed.length === 0) return now;
  const merged = { ...now };
  for (const field of changed) {
    if (edited[field] === undefined) delete merged[field];
    else merged[field] = edited[field];
  }
  return merged;
}

function mergeNodes<T extends { readonly id: string }>(
  now: readonly T[],
  before: readonly T[],
  edited: readonly T[],
): T[] {
  const [old, changed] = [before, edited].map((nodes) => new Map(nodes.map((node) => [idKey(node.id), node])));
  return now.map((node) => {
    const [known, other] = [old?.get(idKey(node.id)), changed?.get(idKey(node.id))];
    return known && other ? changedFields(node, known, other) : node;
  });
}

/** What the person wrote that no version of the plan had. */
function addedTo<T extends { readonly id: string }>(
  now: readonly T[],
  before: readonly T[],
  edited: readonly T[],
): readonly T[] {
  const known = new Set([...now, ...before].map(({ id }) => idKey(id)));
  return edited.filter(({ id }) => !known.has(idKey(id)));
}

/** In the order of the document, if the person changed it. What the document does not have comes last. */
function inOrder<T extends { readonly id: string }>(nodes: T[], before: readonly T[], edited: readonly T[]): T[] {
  if (isSameOrder(before, edited)) return nodes;
  const places = new Map(edited.map(({ id }, at) => [idKey(id), at]));
  return nodes.toSorted((a, b) => (places.get(idKey(a.id)) ?? Infinity) - (places.get(idKey(b.id)) ?? Infinity));
}
