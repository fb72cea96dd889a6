// What a question is about, as it stands at this moment: the plan, the attempts, and what the repository says.

import { scopeFailure } from "../../machine/checks/diagnostics.js";
import type { Attempt, ChangeSet } from "../../model/attempt/attempt.js";
import { hasFailed } from "../../model/attempt/proof-strength.js";
import { ENTITIES, type Entity, endOf, type Item } from "../../model/item/item.js";
import type { Question } from "../../model/item/question.js";
import type { CheckResult, Node } from "../../model/node/node.js";
import { type Subject, suggestAnswer, type TaskSubject } from "../../model/rules/triage.js";
import { waits } from "../../model/status/rollup.js";
import { isApproved } from "../../model/status/status.js";
import type { Reader } from "../../store/store.js";
import { finishedAs } from "../base/require-open.js";
import type { Evidence, GitBranch } from "./triage-evidence.js";

/** A question with what it is about, and what to do about it. */
export type Case = Awaited<ReturnType<typeof caseOf>>;

interface GatheredCase {
  /** The task or the feature that it is about; the land task for a landing. */
  readonly node: Node | null;
  readonly subject: Subject;
  /** Where its work is, or where its checks have to pass. */
  readonly branch: GitBranch | null;
  /** The commit of its work. */
  readonly commit: string | null;
  /** What was kept of its last attempt: checks that the task turns green pass nowhere without it. */
  readonly work: string | null;
  /** The checks that the proof has to run. */
  readonly failed: readonly string[];
}

const NOWHERE = { branch: null, commit: null, work: null, failed: [] };

export async function caseOf(reader: Reader, question: Item<"question">, evidence: Evidence) {
  const { fields } = question;
  const about = await subjectOf(reader, fields);
  const featureNr = "nr" in about ? about.feature : null;
  const feature = featureNr === null ? null : ((await reader.node(featureNr)) ?? null);
  const { subject, ...found }: GatheredCase =
    "nr" in about
      ? await examine(reader, question, about, feature, evidence)
      : { node: null, subject: about, ...NOWHERE };
  return { question, feature, suggestion: suggestAnswer(fields.kind, subject, fields.options), ...found };
}

function examine(reader: Reader, question: Item<"question">, node: Node, feature: Node | null, evidence: Evidence) {
  if (question.fields.kind === "land" && feature) return landing(reader, node, feature, evidence);
  return node.tier === "task"
    ? ofTask(reader, question, node, feature, evidence)
    : ofContainer(reader, node, question.fields);
}

/** Whoever asked is looked for everywhere before a question counts as left over. */
async function subjectOf(reader: Reader, { owner, blocks }: Question): Promise<Node | BesideNodes> {
  const item = await ownerItem(reader, owner);
  // A question of an attempt, or of a conflict between tasks, is about a task.
  const task = item?.entity === "attempt" ? await reader.node((item.fields as Attempt).task) : undefined;
  if (task) return task;
  const isOfNodes = item === undefined || item.entity === "conflict" || item.entity === "attempt";
  for (const id of isOfNodes ? [owner, ...blocks] : []) {
    const node = await reader.byId(id);
    if (node) return node;
  }
  return item ? { what: "item", id: owner, over: endOf(item.entity, item.fields) } : { what: "gone" };
}

type BesideNodes = Extract<Subject, { what: "item" | "gone" }>;

async function ownerItem(reader: Reader, owner: string): Promise<Item<Entity> | undefined> {
  for (const entity of ENTITIES) {
    const item = await reader.item(entity, owner);
    if (item) return item;
  }
  return undefined;
}

/** More than are worked on at a time. */
const MAX_ATTEMPTS = 100;
const MAX_ATTEMPTS_OF_TASK = 10;

async function ofContainer(reader: Reader, node: Node, { createdAt }: Question): Promise<GatheredCase> {
  const attempts = await reader.items("attempt", { newest: true, limit: MAX_ATTEMPTS });
  const since = attempts.find(({ fields }) => fields.feature === node.nr && fields.startedAt > createdAt);
  const settled = finishedAs(node) ?? null;
  return { node, subject: { what: "feature", id: node.id, settled, workedOn: since?.key ?? null }, ...NOWHERE };
}

async function landing(reader: Reader, node: Node, feature: Node, evidence: Evidence): Promise<GatheredCase> {
  const inside = await reader.descendants(feature.nr);
  const lands = inside.filter(({ kind }) => kind === "land");
  const land = node.kind === "land" ? node : (lands.find(({ outcome }) => outcome === null) ?? lands.at(-1) ?? node);
  const commits = inside.flatMap(({ outcome, report }) =>
    outcome?.kind === "done" && report?.commit ? [report.commit] : [],
  );
  const isWhole = commits.length > 0 && (await reader.landing(feature)).length === 0;
  const isFree = land.freeze === null && !waits(land);
  const branch = isWhole && isFree ? await evidence.mainWith(commits) : null;
  const settled = finishedAs(land) ?? null;
  const subject: Subject = { what: "landing", id: land.id, settled, landedIn: branch?.name ?? null };
  return { ...NOWHERE, node: land, subject, branch };
}

async function ofTask(
  reader: Reader,
  question: Item<"question">,
  node: Node,
  feature: Node | null,
  evidence: Evidence,
): Promise<GatheredCase> {
  const attempts = await reader.items("attempt", { owner: String(node.nr), newest: true, limit: MAX_ATTEMPTS_OF_TASK });
  const attempt = attempts[0]?.fields;
  const isRejected = node.acceptance?.state === "rejected";
  const id = feature?.id ?? null;
  const all = attempts.map(({ fields }) => fields);
  const merged = isRejected ? await mergedWork(node, all, id, evidence) : null;
  const failed = failedChecks(attempt?.checks ?? node.report?.checks ?? [], attempt?.mergedChecks ?? []);
  const subject: TaskSubject = {
    what: "task",
    id: node.id,
    settled: finishedAs(node) ?? null,
    isStranded: node.outcome?.kind === "done" && attempt?.state === "pending",
    isRejected,
    isFrozen: node.freeze !== null,
    isApproved: isApproved(node),
    waits: waits(node),
    failure: attempt?.failure?.class ?? node.report?.failure?.class ?? null,
    freedBy: await freedBy(reader, node),
    mergedIn: merged?.branch.name ?? null,
    hasChecks: node.checks.length > 0,
    isForeign: isForeign(failed, attempt?.changes ?? changesIn(node), attempt?.worktree ?? ""),
    conflict: (await reader.item("conflict", question.fields.owner))?.fields.state ?? null,
  };
  const branch = merged?.branch ?? (isRejected ? await evidence.branchOf(id) : null);
  const work = subject.isForeign ? await workOf(attempt, evidence) : null;
  return { node, subject, branch, commit: merged?.commit ?? null, work, failed: failed.map(({ run }) => run) };
}

/** What one of its attempts did, and the branch that has it: the merge chose one. */
async function mergedWork(node: Node, attempts: readonly Attempt[], feature: string | null, evidence: Evidence) {
  const commits: (string | null)[] = [];
  for (const { merged, kept, tip } of attempts) {
    commits.push(merged, kept === null ? null : await evidence.commitOf(kept), tip);
  }
  for (const commit of [...commits, node.report?.commit ?? null]) {
    const branch = commit === null ? null : await evidence.branchWith(commit, feature);
    if (commit !== null && branch) return { commit, branch };
  }
  return null;
}

const workOf = async (attempt: Attempt | undefined, evidence: Evidence): Promise<string | null> =>
  (attempt?.kept == null ? null : await evidence.commitOf(attempt.kept)) ?? attempt?.tip ?? null;

const failedChecks = (...lists: readonly (readonly CheckResult[])[]): CheckResult[] => lists.flat().filter(hasFailed);

const changesIn = ({ report }: Node): ChangeSet | null =>
  report && { created: report.created, modified: report.modified, deleted: [] };

const isForeign = (failed: readonly CheckResult[], changes: ChangeSet | null, root: string): boolean =>
  changes !== null &&
  failed.length > 0 &&
  failed.every(({ output }) => scopeFailure(output, changes, root) === "foreign");

/** Something that it waits for, or a conflict of its own, that was settled after it was rejected. */
async function freedBy(reader: Reader, node: Node): Promise<string | null> {
  const since = node.acceptance?.state === "rejected" ? node.acceptance.at : null;
  if (since === null) return null;
  const links = await reader.dependencies(node);
  const done = links.find(({ state, target }) => state === "met" && (target.outcome?.at ?? 0) > since);
  if (done) return done.target.id;
  const conflicts = await reader.items("conflict", { owner: String(node.nr), state: "settled" });
  return conflicts.find(({ fields }) => (fields.settledAt ?? 0) > since)?.key ?? null;
}
