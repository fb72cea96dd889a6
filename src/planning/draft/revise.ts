// A draft with a revision laid over it: nodes by id, whole; what was not mentioned stays as it was.

import { idKey } from "../../model/node/ids.js";
import { ok, type Result, usage } from "../../model/result.js";
import { type DraftTask, nodesOf, type PlanDraft, type PlanRevision } from "../contracts/plan-draft.js";

export function reviseDraft(draft: PlanDraft, revision: PlanRevision): Result<PlanDraft> {
  const wrong = contradiction(draft, revision);
  if (wrong !== undefined) return usage("bad-revision", wrong);
  const initiatives = laidOver(draft.initiatives, revision.initiatives);
  const features = laidOver(draft.features, revision.features);
  const stories = laidOver(draft.stories, revision.stories);
  const tasks = laidOver(draft.tasks, revision.tasks);
  const gone = new Set(revision.removed.map(idKey));
  const isGone = (id: string): boolean => gone.has(idKey(id));
  // What is inside of something that goes, goes with it.
  for (const { id, parent } of features) if (parent !== undefined && isGone(parent)) gone.add(idKey(id));
  for (const { id, feature } of stories) if (isGone(feature)) gone.add(idKey(id));
  for (const { id, parent } of tasks) if (isGone(parent)) gone.add(idKey(id));
  const restated = new Set(revision.tasks.map(({ id }) => idKey(id)));
  const kept = tasks.filter(({ id }) => !isGone(id));
  const byId = new Map(tasks.map((task) => [idKey(task.id), task]));
  const decisions = revision.decisions ?? draft.decisions;
  return ok({
    ...draft,
    ...aboutOf(revision),
    decisions: decisions.map((each) => ({ ...each, tasks: each.tasks.filter((id) => !isGone(id)) })),
    initiatives: initiatives.filter(({ id }) => !isGone(id)),
    features: features.filter(({ id }) => !isGone(id)),
    stories: stories.filter(({ id }) => !isGone(id)),
    // A task that the revision states itself means what it says, even if lint has to tell that it is wrong.
    tasks: kept.map((task) => (restated.has(idKey(task.id)) ? task : withHeirs(task, byId, isGone))),
  });
}

function contradiction(draft: PlanDraft, revision: PlanRevision): string | undefined {
  const written = nodesOf(revision).map(({ id }) => idKey(id));
  const known = new Set(nodesOf(draft).map(({ id }) => idKey(id)));
  const changed = new Set(written);
  const both = revision.removed.find((id) => changed.has(idKey(id)));
  if (both !== undefined) return `The revision both changes and removes ${both}.`;
  const unknown = revision.removed.find((id) => !known.has(idKey(id)));
  if (unknown !== undefined) return `The revision removes ${unknown}, which the draft does not have.`;
  const twice = changed.size === written.length ? undefined : written.find((id, at) => written.indexOf(id) !== at);
  return twice === undefined ? undefined : `The revision has two nodes with the id ${twice}.`;
}

/** Changed ones take their old place, new ones come last. */
function laidOver<T extends { readonly id: string }>(old: readonly T[], changed: readonly T[]): T[] {
  const changes = new Map(changed.map((node) => [idKey(node.id), node]));
  const known = new Set(old.map(({ id }) => idKey(id)));
  return [
    ...old.map((node) => changes.get(idKey(node.id)) ?? node),
    ...changed.filter(({ id }) => !known.has(idKey(id))),
  ];
}

type About = Omit<PlanRevision, "initiatives" | "features" | "stories" | "tasks" | "removed" | "responses">;

function aboutOf(revision: PlanRevision): Partial<PlanDraft> {
  const { initiatives: _i, features: _f, stories: _s, tasks: _t, removed: _r, responses: _a, ...about } = revision;
  return Object.fromEntries(Object.entries(about satisfies About).filter(([, value]) => value !== undefined));
}

/** What depended on a removed task depends on what that task depended on, so the order stays. */
function withHeirs(task: DraftTask, byId: ReadonlyMap<string, DraftTask>, isGone: (id: string) => boolean): DraftTask {
  if (!task.dependsOn.some(isGone)) return task;
  const heirs: string[] = [];
  const seen = new Set([idKey(task.id)]);
  const open = [...task.dependsOn].reverse();
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(idKey(id))) continue;
    seen.add(idKey(id));
    if (isGone(id)) open.push(...(byId.get(idKey(id))?.dependsOn ?? []).toReversed());
    else heirs.push(id);
  }
  return { ...task, dependsOn: heirs };
}
