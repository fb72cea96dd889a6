// Holds what is about to land against the constraints in force and the footprints of the tasks, once more: a constraint may be
// newer than the work, and somebody may have committed to the feature's branch by hand.

import { changesBetween } from "../../machine/git/change-set.js";
import { firstParentOf } from "../../machine/git/merge.js";
import { shortName } from "../../machine/git/refs.js";
import { type ChangeSet, touchedBy } from "../../model/attempt/attempt.js";
import { changeScopeOf } from "../../model/attempt/change-scope.js";
import { brokenConstraints, type Contradiction } from "../../model/item/contradictions.js";
import type { KeyedRecord } from "../../model/item/record.js";
import { step } from "../../model/next-step.js";
import type { Node } from "../../model/node/node.js";
import { ok, type Result, refused } from "../../model/result.js";
import { requirePerson } from "../../plan/node/require-person.js";
import { activeRecords } from "../../plan/record/save-record.js";
import type { EngineServices } from "../services.js";
import type { HowToLand, LandingPlan } from "./landing-plan.js";
import { type Merged, type Merging, mergeIntoMain } from "./merge.js";

/** Merges in memory, and refuses what no longer may land. What main has already is not held back. */
export async function mergeWithinScope(
  services: EngineServices,
  plan: LandingPlan,
  how: HowToLand,
): Promise<Result<Merged>> {
  const merged = await mergeIntoMain(services, plan, how);
  if (!merged.ok || "proof" in merged.value) return merged;
  const found = await outOfScope(services, plan, merged.value);
  if (found.contradictions.length === 0 && found.outside.length === 0) return merged;
  if (how.despite === null) return refuseScope(plan, found);
  const may = requirePerson(services.context.actor, "land work that contradicts a record or leaves its footprint");
  if (!may.ok) return may;
  return ok({ ...merged.value, despite: `; landed although ${wordsOf(found).join(" ")} Reason: ${how.despite}` });
}

interface OutOfScope {
  readonly contradictions: readonly Contradiction[];
  readonly outside: readonly { readonly task: string; readonly files: readonly string[] }[];
}

/** A task with what it changes of main. */
interface Landed {
  readonly task: Node;
  readonly changes: ChangeSet;
}

async function outOfScope(services: EngineServices, plan: LandingPlan, merging: Merging): Promise<OutOfScope> {
  const { context, policy } = services;
  const records = await context.store.read((reader) => activeRecords(reader, plan.feature.nr));
  const holdsFootprints = policy.footprint !== "note";
  if (!holdsFootprints && !records.some(({ fields }) => fields.forbids !== null)) return NOTHING;
  const all = await changesBetween(context.root, merging.from, merging.commit);
  const landed = await changesByTask(context.root, plan.tasks, all);
  const byHand = only(all, (path) => !landed.some(({ changes }) => touchedBy(changes).includes(path)));
  const branch = { ...plan.feature, id: shortName(merging.branch), feature: plan.feature.nr };
  const contradictions = [
    ...landed.flatMap(({ task, changes }) => broken(task, changes, sinceAccepted(task, records))),
    ...broken(branch, byHand, records),
  ];
  if (!holdsFootprints) return { contradictions, outside: [] };
  const everyFile = landed.some(({ task }) => task.files.length === 0) ? [] : plan.tasks.flatMap(({ files }) => files);
  const footprints = [
    ...landed.filter(({ task }) => !isOverride(task)),
    { task: { ...branch, files: everyFile, checks: [] }, changes: byHand },
  ];
  const outside = footprints
    .map(({ task, changes }) => ({ task: task.id, files: changeScopeOf(changes, task, policy).outside }))
    .filter(({ files }) => files.length > 0);
  return { contradictions, outside };
}

const NOTHING: OutOfScope = { contradictions: [], outside: [] };

async function changesByTask(root: string, tasks: readonly Node[], all: ChangeSet): Promise<Landed[]> {
  const landing = new Set(touchedBy(all));
  const landed: Landed[] = [];
  for (const task of tasks) {
    const commit = task.report?.commit ?? null;
    if (commit === null) continue;
    const changes = await changesBetween(root, await firstParentOf(root, commit), commit);
    landed.push({ task, changes: only(changes, (path) => landing.has(path)) });
  }
  return landed;
}

const only = ({ created, modified, deleted }: ChangeSet, keep: (path: string) => boolean): ChangeSet => ({
  created: created.filter(keep),
  modified: modified.filter(keep),
  deleted: deleted.filter(keep),
});

/** Only the changed files count: the text of the task was compared when it was approved. */
const broken = (task: Node, changes: ChangeSet, records: readonly KeyedRecord[]): Contradiction[] =>
  brokenConstraints([{ ...task, title: "", body: "", checks: [], files: touchedBy(changes) }], records);

const isOverride = ({ acceptance }: Node): boolean => acceptance?.by !== "checks";

/** A person who accepted the work knew the constraints that were in force then. */
const sinceAccepted = (task: Node, records: readonly KeyedRecord[]): readonly KeyedRecord[] =>
  isOverride(task) ? records.filter(({ fields }) => (fields.approvedAt ?? 0) > (task.acceptance?.at ?? 0)) : records;

const wordsOf = ({ contradictions, outside }: OutOfScope): string[] => [
  ...contradictions.map(({ message }) => message),
  ...outside.map(({ task, files }) => `${task} changes files outside of the footprint: ${files.join(", ")}.`),
];

const LISTED = 5;

function refuseScope({ feature }: LandingPlan, found: OutOfScope): Result<never> {
  const { contradictions, outside } = found;
  const words = wordsOf(found);
  const more = words.length > LISTED ? [`And ${words.length - LISTED} more.`] : [];
  const tasks = [...new Set([...contradictions, ...outside].flatMap(({ task }) => task ?? []))];
  const reopen = tasks.filter((id) => !id.includes("/")).slice(0, LISTED);
  return refused(
    contradictions.length > 0 ? "contradicts-record" : "outside-footprint",
    `${feature.id} cannot land. ${[...words.slice(0, LISTED), ...more].join(" ")} Reopen the work, replace the record, or give a reason to land it anyway.`,
    {
      details: { contradictions, outside },
      next: [
        ...reopen.map((id) => step("reset", { references: [id] }, "reason")),
        ...(contradictions.length > 0 ? [step("record.list")] : []),
        step("land", { reference: feature.id }, "despite"),
      ],
    },
  );
}
