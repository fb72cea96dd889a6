// Merges a feature with the current main branch in memory, and finds what prevents it. No ref and no file changes.

import { changesBetween } from "../../machine/git/change-set.js";
import { checkoutsOf, obstacles } from "../../machine/git/checkouts/checkout.js";
import { filesAt } from "../../machine/git/files.js";
import {
  type CommitNote,
  commitsBetween,
  contains,
  firstParentOf,
  mergeTrees,
  missingFrom,
  presenceIn,
} from "../../machine/git/merge.js";
import { featureBranch, listRefs, readFeatureTip, shortName } from "../../machine/git/refs.js";
import { type ChangeSet, touchedBy } from "../../model/attempt/attempt.js";
import { changeScopeOf, keepsTests, type ScopedTask } from "../../model/attempt/change-scope.js";
import type { Contradiction } from "../../model/item/contradictions.js";
import type { KeyedRecord } from "../../model/item/record.js";
import { step } from "../../model/next-step.js";
import type { Node } from "../../model/node/node.js";
import { fail, ok, type Result, refused } from "../../model/result.js";
import { proveLanded } from "../../plan/claim/prove-landed.js";
import { requirePerson } from "../../plan/node/require-person.js";
import { activeRecords } from "../../plan/record/save-record.js";
import { requireMainBranch } from "../../plan/repository/main-branch.js";
import { oneLine } from "../attempt/attempt-places.js";
import { constraintsBrokenBy } from "../judgement/attempt-checks.js";
import { cannotLandNow, type HowToLand, type LandingPlan, landingCommit, type ToLand } from "./landing-plan.js";

export interface Merging {
  /** The full name of the main branch, and its commit. */
  readonly main: string;
  readonly from: string;
  /** The same for the feature. */
  readonly branch: string;
  readonly tip: string;
  /** The commit that main becomes. */
  readonly commit: string;
  /** The folder where main is checked out. */
  readonly checkout: string | null;
  /** What a person let land, and why. The proof says it. */
  readonly despite: string;
}

/** Main has the feature already; `proof` says how we know. The branch may still exist. */
export interface AlreadyLanded {
  readonly proof: string;
  readonly branch: string;
  readonly tip: string | null;
  /** The commit of main. */
  readonly commit: string;
  /** The commit that brought the feature, if it is one. */
  readonly merged: string | null;
}

export type Merged = Merging | AlreadyLanded;

export async function mergeIntoMain({ services, plan }: ToLand, how: HowToLand): Promise<Result<Merged>> {
  const { root } = services.context;
  const found = await requireMainBranch(services.context);
  if (!found.ok) return found;
  const { ref: main, commit: from } = found.value;
  const branch = featureBranch(plan.feature.id);
  const tip = await readFeatureTip(root, branch);
  const proven = await proveLanded({ ...services.context, cwd: root }, plan.land);
  if (proven.ok) {
    const { sentence, commit: merged } = proven.value;
    return ok({ proof: sentence ?? "", branch, tip, commit: from, merged });
  }
  if (tip === null) return plan.commits.size === 0 ? proven : lost(plan);
  const ahead = await landedElsewhere(root, main, tip);
  if (ahead !== null) return behind(plan, shortName(main), ahead);
  const merge = await mergeTrees(root, from, tip);
  if ("conflicts" in merge) return conflict(plan, shortName(main), merge.conflicts);
  const checkout = await clearCheckout(root, plan, main);
  if (!checkout.ok) return checkout;
  // What is on neither branch would not land.
  const missing = await missingFrom(root, from, await missingFrom(root, tip, [...plan.commits.keys()]));
  if (missing.length > 0) return stranded(plan, missing);
  const made = await landingCommit(root, plan, how, { from, branch, tip, tree: merge.tree });
  if ("conflicts" in made) return notRebased(plan, shortName(main), made);
  const merging = { main, from, branch, tip, commit: made.commit, checkout: checkout.value, despite: "" };
  return (await blockedBy(merging, plan)) ?? ok(merging);
}

/** A remote main branch that has the feature while ours is behind: a merge here would land it twice. */
async function landedElsewhere(root: string, main: string, tip: string): Promise<string | null> {
  for (const ref of (await listRefs(root, "refs/remotes")).keys()) {
    const isMain = ref.endsWith(`/${shortName(main)}`) && ref.split("/").length === main.split("/").length + 1;
    if (isMain && !(await contains(root, main, ref)) && (await presenceIn(root, ref, tip)) !== null) return ref;
  }
  return null;
}

function behind(plan: LandingPlan, main: string, ref: string): Result<never> {
  const remote = ref.replace(/^refs\/remotes\//, "");
  const message = `${remote} has ${plan.feature.id} already, and ${main} is behind it. Pull first.`;
  return fail(cannotLandNow(plan, "behind", message, { branch: main, remote }));
}

function conflict(plan: LandingPlan, main: string, files: readonly string[]): Result<never> {
  const { id } = plan.feature;
  const message = `${id} does not merge with ${main}: ${files.join(", ")}. Merge ${main} into ${shortName(featureBranch(id))} by hand.`;
  return fail(cannotLandNow(plan, "merge-conflict", message, { branch: main, files }));
}

/** The branches merge, but not commit by commit. */
function notRebased(
  { feature }: LandingPlan,
  main: string,
  { conflicts: files, at }: { readonly conflicts: readonly string[]; readonly at: string },
): Result<never> {
  const message = `The commit ${at.slice(0, 10)} of ${feature.id} does not apply on top of ${main}: ${files.join(", ")}. Both branches merge: land it with a merge or as one commit.`;
  return refused("rebase-conflict", message, {
    next: (["merge", "squash"] as const).map((strategy) => step("land", { reference: feature.id, strategy })),
    details: { branch: main, files, commit: at },
  });
}

/** Somebody deleted the branch and what we kept of it. */
function lost(plan: LandingPlan): Result<never> {
  const tasks = [...new Set([...plan.commits.values()].flat())];
  const missing = [...plan.commits.keys()];
  const branch = shortName(featureBranch(plan.feature.id));
  const restore = `git branch ${branch} ${(missing.at(-1) ?? "").slice(0, 12)}`;
  const message = `The branch ${branch} was deleted, and main does not have the work of ${tasks.join(", ")}. If git still has the commit, bring the branch back with \`${restore}\` and land again. Otherwise reset these tasks.`;
  return fail(cannotLandNow(plan, "work-missing", message, { tasks, missing, branch, restore }));
}

/** Accepted work that is on neither branch would get lost. */
function stranded(plan: LandingPlan, missing: readonly string[]): Result<never> {
  const tasks = missing.flatMap((commit) => plan.commits.get(commit) ?? []);
  const branch = shortName(featureBranch(plan.feature.id));
  const message = `The work of ${tasks.join(", ")} is neither on ${branch} nor on the main branch. Merge it into ${branch}.`;
  return fail(cannotLandNow(plan, "work-missing", message, { tasks, missing }));
}

async function clearCheckout(root: string, plan: LandingPlan, main: string): Promise<Result<string | null>> {
  const [checkout = null, ...others] = await checkoutsOf(root, main);
  if (others.length === 0) return ok(checkout);
  const [branch, checkouts] = [shortName(main), [checkout, ...others]];
  const message = `${branch} is checked out in several folders: ${checkouts.join(", ")}. Switch all but one to something else.`;
  return fail(cannotLandNow(plan, "dirty-tree", message, { branch, checkouts }));
}

async function blockedBy({ main, from, commit, checkout }: Merging, plan: LandingPlan) {
  if (checkout === null) return undefined;
  const { dirty, inTheWay, unfinished } = await obstacles(checkout, from, commit);
  const paths = [...dirty, ...inTheWay];
  if (paths.length === 0 && unfinished === null) return undefined;
  const branch = shortName(main);
  const what =
    dirty.length > 0
      ? `has uncommitted changes: ${dirty.join(", ")}`
      : `has untracked files in the way: ${inTheWay.join(", ")}`;
  const message =
    unfinished === null
      ? `The checkout of ${branch} in ${checkout} ${what}. Commit, stash or move them.`
      : `${unfinished[0]?.toUpperCase()}${unfinished.slice(1)} is not finished in ${checkout}, where ${branch} is checked out. Finish or abort it first.`;
  return fail(cannotLandNow(plan, "dirty-tree", message, { branch, checkout, paths, dirty, untracked: inTheWay }));
}

/** Merges in memory, and refuses what may not land any more. What main has already is not held back. */
export async function mergeWithinScope(to: ToLand, how: HowToLand): Promise<Result<Merged>> {
  const { services, plan } = to;
  const merged = await mergeIntoMain(to, how);
  if (!merged.ok || "proof" in merged.value) return merged;
  const found = await outOfScope(to, merged.value);
  const byNobody = found.strangers.map((each) => `; with ${strangerWords(each)}`).join("");
  if (wordsOf(found).length === 0) return ok({ ...merged.value, despite: byNobody });
  if (how.despite === null) return refuseScope(plan, found);
  const may = requirePerson(services.context.actor, "land work that contradicts a record or leaves its footprint");
  if (!may.ok) return may;
  const although = `; landed although ${wordsOf(found).join(" ")} Reason: ${how.despite}`;
  return ok({ ...merged.value, despite: `${byNobody}${although}` });
}

/** A commit on the feature's branch that belongs to no task, and what of it would land. */
interface Stranger extends CommitNote {
  readonly files: readonly string[];
}

interface OutOfScope {
  readonly strangers: readonly Stranger[];
  /** What decides whether work is accepted, and was changed by no task. */
  readonly judges: readonly string[];
  readonly contradictions: readonly Contradiction[];
  readonly outside: readonly { readonly task: string; readonly files: readonly string[] }[];
}

async function outOfScope({ services, plan }: ToLand, merging: Merging): Promise<OutOfScope> {
  const { context, policy } = services;
  const records = await context.store.read((reader) => activeRecords(reader, plan.feature.nr));
  const holdsFootprints = policy.footprint !== "note";
  const all = await changesBetween(context.root, merging.from, merging.commit);
  const landed = await changesByTask(context.root, plan.tasks, all);
  const strangers = await strangersAmong(context.root, plan, merging, all);
  const ofTasks = new Set(landed.flatMap(({ changes }) => touchedBy(changes)));
  const ofStrangers = new Set(strangers.flatMap(({ files }) => files));
  const byHand = only(all, (path) => !ofTasks.has(path) || ofStrangers.has(path));
  const branch = { ...plan.feature, id: shortName(merging.branch), feature: plan.feature.nr };
  const broken = landed.map(({ task, changes }) =>
    constraintsBrokenBy(task, touchedBy(changes), sinceAccepted(task, records)),
  );
  const contradictions = [...broken.flat(), ...constraintsBrokenBy(branch, touchedBy(byHand), records)];
  const merged = await filesAt(context.root, merging.commit);
  const scopeOf = (changes: ChangeSet, task: ScopedTask) => {
    const others = merged.filter((path) => !changes.created.includes(path));
    const facts = { keepsTests: keepsTests(others, policy), harmless: new Set<string>(), programs: [] };
    return changeScopeOf(changes, task, policy, facts);
  };
  // Work of a task was judged with its attempt. What no task did was judged by nobody.
  const judges = scopeOf(byHand, { files: [], checks: [] }).protectedFiles;
  if (!holdsFootprints) return { contradictions, outside: [], strangers, judges };
  const everyFile = landed.some(({ task }) => task.files.length === 0) ? [] : plan.tasks.flatMap(({ files }) => files);
  const footprints = [
    ...landed.filter(({ task }) => !isOverride(task)),
    { task: { ...branch, files: everyFile, checks: [] }, changes: byHand },
  ];
  const outside = footprints
    .map(({ task, changes }) => ({ task: task.id, files: scopeOf(changes, task).outside }))
    .filter(({ files }) => files.length > 0);
  return { contradictions, outside, strangers, judges };
}

async function strangersAmong(root: string, plan: LandingPlan, { from, tip }: Merging, all: ChangeSet) {
  const landing = new Set(touchedBy(all));
  const strangers: Stranger[] = [];
  for (const note of await commitsBetween(root, from, tip)) {
    if (plan.commits.has(note.commit)) continue;
    const changes = await changesBetween(root, await firstParentOf(root, note.commit), note.commit);
    const files = touchedBy(changes).filter((path) => landing.has(path));
    if (files.length > 0) strangers.push({ ...note, files });
  }
  return strangers;
}

const MAX_FILES = 10;

function strangerWords({ commit, author, subject, files }: Stranger): string {
  const more = files.length > MAX_FILES ? `, and ${files.length - MAX_FILES} more` : "";
  const names = files.slice(0, MAX_FILES).map(oneLine).join(", ");
  return `the commit ${commit.slice(0, 10)} "${oneLine(subject)}" by ${oneLine(author)}, which belongs to no task (${names}${more})`;
}

async function changesByTask(root: string, tasks: readonly Node[], all: ChangeSet) {
  const landing = new Set(touchedBy(all));
  const landed: { task: Node; changes: ChangeSet }[] = [];
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

const isOverride = ({ acceptance }: Node): boolean => acceptance?.by !== "checks";

/** A person who accepted the work knew the constraints that were in force then. */
const sinceAccepted = (task: Node, records: readonly KeyedRecord[]): readonly KeyedRecord[] =>
  isOverride(task) ? records.filter(({ fields }) => (fields.approvedAt ?? 0) > (task.acceptance?.at ?? 0)) : records;

const wordsOf = ({ contradictions, outside, judges, strangers }: OutOfScope): string[] => [
  ...contradictions.map(({ message }) => message),
  ...outside.map(({ task, files }) => `${task} changes files outside of the footprint: ${files.join(", ")}.`),
  ...(judges.length === 0
    ? []
    : [
        `What decides whether work is accepted was changed by no task: ${judges.map(oneLine).join(", ")}.${strangers
          .filter(({ files }) => files.some((path) => judges.includes(path)))
          .map((each) => ` See ${strangerWords(each)}.`)
          .join("")}`,
      ]),
];

const MAX_LISTED = 5;

function refuseScope({ feature }: LandingPlan, found: OutOfScope): Result<never> {
  const { contradictions, outside, judges, strangers } = found;
  const words = wordsOf(found);
  const more = words.length > MAX_LISTED ? [`And ${words.length - MAX_LISTED} more.`] : [];
  const tasks = [...new Set([...contradictions, ...outside].flatMap(({ task }) => task ?? []))];
  const reopen = tasks.filter((id) => !id.includes("/")).slice(0, MAX_LISTED);
  const message = `${feature.id} cannot land. ${[...words.slice(0, MAX_LISTED), ...more].join(" ")} Reopen the work, replace the record, or give a reason to land it anyway.`;
  return refused(contradictions.length > 0 ? "contradicts-record" : "outside-footprint", message, {
    details: { contradictions, outside, judges, strangers },
    next: [
      ...reopen.map((id) => step("reset", { references: [id] }, "reason")),
      ...(contradictions.length > 0 ? [step("record.list")] : []),
      step("land", { reference: feature.id }, "despite"),
    ],
  });
}
