// Recovers attempts whose program is gone or whose lease has ended: finishes them if their work is on the branch already,
// and rolls them back otherwise. Integrates work that a person accepted.

import { contains } from "../../machine/git/merge.js";
import { removeStaleLocks } from "../../machine/git/ref-locks.js";
import {
  ACCEPTED_REFS,
  ATTEMPT_BRANCHES,
  FEATURE_BRANCHES,
  featureBranch,
  featureOfBranch,
  keptRef,
  listRefs,
  moveRefs,
  readFeatureTip,
  readRef,
} from "../../machine/git/refs.js";
import { endOrphans } from "../../machine/process/orphans.js";
import { type Attempt, hasEnded, isLanding } from "../../model/attempt/attempt.js";
import { changeItem, type Item, LIVE } from "../../model/item/item.js";
import type { Claim, Node, NodeFields } from "../../model/node/node.js";
import { changeNode } from "../../model/operation/change.js";
import { ok } from "../../model/result.js";
import { expirePatch } from "../../model/rules/claim.js";
import { handIn, type Settling } from "../../model/rules/task-outcome.js";
import { hasProgram } from "../../plan/attempt/interrupted-work.js";
import { act } from "../../plan/base/context.js";
import { mainRefOf } from "../../plan/repository/main-branch.js";
import { removeReadingFolders } from "../../plan/repository/reading-folders.js";
import { runningFolder } from "../attempt/attempt-places.js";
import { slotOfLost } from "../attempt/begin-attempt.js";
import { decideFailure, type FailureDecision, parkedTask } from "../ending/decide-failure.js";
import { keepWork } from "../ending/end-attempt.js";
import { integrateAccepted } from "../ending/integrate-accepted.js";
import { LANDING_REFS, removeBranch } from "../landing/land-attempt.js";
import { finishLandings, isAbandoned, type Recovered } from "../landing/recover.js";
import { type EngineServices, orNotice } from "../services.js";
import { watchKilled } from "../watch/watch.js";

/** `mine`: attempts of this process. */
export async function reconcile(services: EngineServices, mine: ReadonlySet<string>): Promise<Recovered> {
  const { store } = services.context;
  await endOrphans(runningFolder(services));
  const live = await store.read((reader) => reader.items("attempt", { state: LIVE }));
  const { settled, failed } = await finishLandings(services);
  for (const item of live) {
    if (isLanding(item.fields) || mine.has(item.key) || !(await isLeft(services, item))) continue;
    const ended = await orNotice(services, `Recovering ${item.key} failed, it is tried again`, async () => {
      // Its program may have died just now, and its children must not write into a worktree that another attempt gets.
      await endOrphans(runningFolder(services));
      return recover(services, item.key);
    });
    // Otherwise another program recovered it.
    if (ended !== false) (ended ? settled : failed).push(item.key);
  }
  return { settled: [...settled, ...(await integrateAccepted(services))], failed };
}

/** Work in someone's own checkout has no program of ours, so only the claim counts. */
async function isLeft(services: EngineServices, { fields }: Item<"attempt">): Promise<boolean> {
  if (hasProgram(fields)) return isAbandoned(services, fields);
  return !holdsClaim(await services.context.store.read((reader) => reader.node(fields.task)), fields);
}

const holdsClaim = (task: Node | undefined, { token }: Attempt): boolean => task?.claim?.token === token;

/** Finishes the attempt if its work is on the branch, and rolls it back otherwise. Returns whether this call did it. */
export async function recover(services: EngineServices, key: string): Promise<boolean> {
  const { store } = services.context;
  const find = () => store.read((reader) => reader.item("attempt", key));
  for (;;) {
    const item = await find();
    if (!item || hasEnded(item.fields.state)) return false;
    // A program that was only paused can no longer move a branch after this.
    const kept = await keepWork(services.context, key, async () => (await find())?.fields ?? item.fields);
    const merged = (await isOnBranch(services, item.fields)) ? item.fields.merged : null;
    const ended = await endRecovered(services, item, merged, kept);
    if (ended !== "again") return ended === "done";
  }
}

/** `again`: it recorded an integration since we read it. */
async function endRecovered(
  services: EngineServices,
  item: Item<"attempt">,
  merged: string | null,
  kept: string | null,
): Promise<"done" | "ended" | "again"> {
  const { key } = item;
  const strayed = merged === null ? await considerStraying(services, item) : null;
  const state = merged === null ? "lost" : "accepted";
  const verb = merged === null ? "attempt" : "complete";
  const committed = await act<"done" | "ended" | "again">(services.context, verb, async (writer, at) => {
    const now = await writer.item("attempt", key);
    const task = await writer.node(item.fields.task);
    if (!now || hasEnded(now.fields.state) || !task) return ok({ ...NO_CHANGE, value: "ended" });
    if (now.fields.merged !== item.fields.merged) return ok({ ...NO_CHANGE, value: "again" });
    const note = strayed?.note ?? (merged === null ? LOST : "finished after an interruption");
    const fields: Partial<Attempt> = {
      state,
      note,
      kept: merged === null ? kept : null,
      failure: strayed?.failure ?? now.fields.failure,
      endedAt: at,
      ...(merged === null ? { slot: slotOfLost(services, now.fields) } : {}),
      steps: [...now.fields.steps, { state, at }],
    };
    const settling = { by: now.fields.by, at, op: writer.op };
    const patch = strayed
      ? stopped(task, now.fields, strayed, settling)
      : settlement(services, task, now.fields, merged, settling);
    const asked = strayed ? await strayed.ask(writer, task, at) : [];
    const changes = [...changeNode(task, patch), ...changeItem(now, fields), ...asked];
    return ok({ sentence: `${key} of ${task.id} is ${state}: ${note}`, changes, value: "done" });
  });
  const ended = committed.ok ? committed.value.value : "ended";
  const task = item.fields.taskId;
  if (ended === "done") services.onEvent({ type: "end", attempt: key, task, state, note: "recovered" });
  return ended;
}

const NO_CHANGE = { sentence: "", changes: [] };
const LOST = "its program stopped or its lease ended; the task is free again";

/** A killed attempt, too, fails for what it changed outside of its worktree, as far as we can still see that. */
async function considerStraying(services: EngineServices, { key, fields }: Item<"attempt">) {
  const task = await services.context.store.read((reader) => reader.node(fields.task));
  if (!task) return null;
  const live = { key, task, attempt: fields };
  const found = watchKilled(services, live);
  if (found.length === 0) return null;
  return decideFailure(services, live, { where: "worker", ending: "cancelled", output: found.join("\n"), checks: [] });
}

/** Does not touch a task that another attempt holds or has done since. */
const stopped = (task: Node, attempt: Attempt, strayed: FailureDecision, settling: Settling): Partial<NodeFields> =>
  holdsClaim(task, attempt) && task.claim !== null ? parkedTask(strayed, task.claim, settling) : {};

/** What changes in the task. Work on the branch counts even if another attempt holds the task now: its token is refused. */
function settlement(
  { context }: EngineServices,
  task: Node,
  attempt: Attempt,
  merged: string | null,
  { at, op }: { at: number; op: number },
): Partial<NodeFields> {
  if (merged === null) {
    return holdsClaim(task, attempt) ? expirePatch(task, at, context.settings.maxRetries, context.actor) : {};
  }
  if (task.outcome !== null) return {};
  const { by, token, epoch, startedAt } = attempt;
  const claim: Claim = task.claim ?? { by, token, epoch, at: startedAt, until: at };
  const { created, modified } = attempt.changes ?? { created: [], modified: [] };
  const checks = [...attempt.checks, ...attempt.mergedChecks];
  return handIn(claim, { by, at, op }, { checks, commit: merged, created, modified });
}

export async function isOnBranch({ context }: EngineServices, { merged, feature }: Attempt): Promise<boolean> {
  if (merged === null || feature === null) return false;
  const id = await context.store.read((reader) => reader.idOf(feature));
  const tip = id === undefined ? null : await readFeatureTip(context.root, featureBranch(id));
  return tip !== null && contains(context.root, tip, merged);
}

/** Reports a part that fails, because of git or the disk, and goes on with the next. */
export async function removeLeftovers(services: EngineServices): Promise<void> {
  const parts = [removeLocks, removeAttemptBranches, removeLandingRefs, removeLandedBranches, removePlanningFolders];
  for (const remove of parts) {
    await orNotice(services, "Cleaning up failed and is tried again later", () => remove(services));
  }
}

const removeLocks = async ({ context }: EngineServices): Promise<void> => removeStaleLocks(context.root);

/** Removes folders of planning runs whose program was killed. */
async function removePlanningFolders(services: EngineServices): Promise<void> {
  await endOrphans(runningFolder(services));
  await removeReadingFolders(services.context, services);
}

/** The refs in a folder that belong to attempts that have ended. */
async function* refsOfEnded({ context }: EngineServices, folder: string) {
  for (const [ref, tip] of await listRefs(context.root, folder)) {
    const item = await context.store.read((reader) => reader.item("attempt", ref.slice(folder.length + 1)));
    if (item && hasEnded(item.fields.state)) yield { ref, tip, item };
  }
}

async function removeAttemptBranches(services: EngineServices): Promise<void> {
  const { root } = services.context;
  for await (const { ref, tip, item } of refsOfEnded(services, ATTEMPT_BRANCHES)) {
    const kept = keptRef(item.key);
    const worth = tip !== item.fields.base && (await readRef(root, kept)) === null;
    await moveRefs(root, [{ ref, from: tip, to: null }, ...(worth ? [{ ref: kept, from: null, to: tip }] : [])]);
  }
}

/** Refs of ended landings that git failed to delete. */
async function removeLandingRefs(services: EngineServices): Promise<void> {
  for await (const { ref, tip } of refsOfEnded(services, LANDING_REFS)) {
    await moveRefs(services.context.root, [{ ref, from: tip, to: null }]);
  }
}

/** Branches of landed features that git failed to delete. */
async function removeLandedBranches(services: EngineServices): Promise<void> {
  const { context } = services;
  const { root } = context;
  const branches = await listRefs(root, FEATURE_BRANCHES);
  // Kept work whose branch is gone.
  for (const ref of (await listRefs(root, ACCEPTED_REFS)).keys()) {
    const branch = ref.replace(ACCEPTED_REFS, FEATURE_BRANCHES);
    if (!branches.has(branch) && (await hasLanded(services, branch))) await removeBranch(root, branch, null);
  }
  const main = branches.size === 0 ? null : await mainRefOf(context);
  if (main === null) return;
  for (const [branch, tip] of branches) {
    if ((await hasLanded(services, branch)) && (await contains(root, main, tip))) await removeBranch(root, branch, tip);
  }
}

async function hasLanded({ context }: EngineServices, branch: string): Promise<boolean> {
  const id = featureOfBranch(branch);
  const feature = id === null ? undefined : await context.store.read((reader) => reader.byId(id));
  return feature !== undefined && feature.landedOp !== null && feature.tasksLive === feature.tasksFinished;
}
