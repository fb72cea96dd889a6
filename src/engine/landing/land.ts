// Lands a finished feature: merges it with the current main branch, runs all its checks on the result, and only then moves
// main, once. A landing that is refused before that leaves main exactly as it was.

import { messageOf } from "../../base/errors.js";
import type { LandStrategy } from "../../machine/git/git-settings.js";
import { pipesAtTop } from "../../machine/git/pipes.js";
import { moveRefs, shortName } from "../../machine/git/refs.js";
import { findRepository } from "../../machine/git/repository.js";
import { endOrphans } from "../../machine/process/orphans.js";
import { taskProof } from "../../model/attempt/proof-strength.js";
import { type NextStep, step } from "../../model/next-step.js";
import { type Failure, fail, ok, type Result, refused } from "../../model/result.js";
import { requireMainBranch } from "../../plan/repository/main-branch.js";
import { runningFolder, slotFolder } from "../attempt/attempt-places.js";
import {
  ClaimLost,
  enterState,
  heartbeatOf,
  type LiveAttempt,
  NotAllowed,
  untilLost,
} from "../attempt/attempt-state.js";
import { restoreBranch } from "../attempt/feature-branch.js";
import { integrateAccepted } from "../ending/integrate-accepted.js";
import type { EngineServices, LandingLine } from "../services.js";
import { rehearsalSlot, type WorktreeSlot } from "../worktree/clean-worktree.js";
import { proveTree, type TreeProof } from "./check-merge.js";
import {
  advanceMain,
  beginLanding,
  endFailedLanding,
  endLanding,
  landingRef,
  refuse,
  removeBranch,
  settleLand,
} from "./land-attempt.js";
import {
  cannotLandNow,
  type HowToLand,
  howToLand,
  type LandingPlan,
  mayGoOn,
  mayStart,
  readLandingPlan,
  type ToLand,
} from "./landing-plan.js";
import { type AlreadyLanded, type Merging, mergeWithinScope } from "./merge.js";
import { inReview, isReviewed, type PushedForReview, pushForReview, rememberPush } from "./push.js";
import { drivenHere, finishLandings, leaveLanding } from "./recover.js";

export interface LandOptions {
  /** Merge and check, but change nothing. */
  readonly dryRun?: boolean;
  /** Push the branch for a review instead of merging. */
  readonly pr?: boolean;
  readonly remote?: string;
  /** How it gets onto main, and the message of its commit: otherwise as the settings say. */
  readonly strategy?: LandStrategy;
  readonly message?: string;
  readonly despite?: string;
  readonly signal?: AbortSignal;
}

export interface Landing extends ReturnType<typeof named>, TreeProof {
  /** `already-landed`: the main branch had it already. */
  readonly outcome: "landed" | "already-landed" | "would-land" | "pushed";
  /** The main branch, with its commit before and after; in a dry run, the commit it would get. */
  readonly branch: string | null;
  readonly from: string | null;
  readonly commit: string | null;
  readonly proof: string;
  /** The folder where main is checked out; its files are updated, too. */
  readonly checkout: string | null;
  readonly attempt: string | null;
  readonly op: number | null;
  readonly pushed: PushedForReview | null;
  /** How to take its code back, once it has landed. */
  readonly next: readonly NextStep[];
}

export async function landFeature(
  services: EngineServices,
  reference: string,
  options: LandOptions = {},
): Promise<Result<Landing>> {
  const { dryRun = false, pr = false, signal = new AbortController().signal } = options;
  if (services.context.head() === null) return refused("no-git", NO_GIT, { next: [step("status", { reference })] });
  const waiting = pipeInTheWay(services.context.root, reference);
  if (waiting) return waiting;
  if (!dryRun) {
    await endOrphans(runningFolder(services));
    await finishLandings(services);
  }
  const begun = await readStart(services, reference);
  if (!begun.ok) return begun;
  // Work that a person accepted may not be on the feature's branch yet.
  if (!dryRun) await integrateAccepted(services);
  const plan = dryRun ? begun : await readStart(services, reference);
  if (!plan.ok) return plan;
  const job: LandingJob = { services, plan: plan.value, signal };
  const { id: feature } = plan.value.feature;
  const tell = (line: LandingLine, state: "begun" | "proven"): void =>
    services.onEvent({ type: "landing", feature, line, state, check: null });
  tell("tasks", "proven");
  if (!dryRun) await restoreBranch(services, plan.value.feature);
  if (pr) return push(job, options);
  const how = await howToLand(services, options);
  tell("merge", "begun");
  const merged = await mergeWithinScope(job, how).catch((error: unknown) => fail(broken(job.plan, error)));
  const hasLanded = merged.ok && "proof" in merged.value;
  if (!hasLanded && !dryRun && (await isReviewed(services, plan.value))) return inReview(plan.value);
  if (!merged.ok) return dryRun ? merged : refuse(job, merged.error);
  if ("proof" in merged.value) return settleLanded(job, merged.value, dryRun);
  for (const line of ["merge", "commits", "checkout"] as const) tell(line, "proven");
  return dryRun ? rehearse(job, merged.value) : landNow(job, { ...merged.value, how });
}

/** What a person should know before they say yes: the branch that moves, and the tasks whose proof is weak. Nothing is refused here. */
export async function landingOutlook(services: EngineServices, reference: string) {
  const plan = services.context.head() === null ? undefined : await readLandingPlan(services, reference);
  if (!plan?.ok) return { branch: null, weak: [] };
  const weak = named(plan.value).proofs.filter(({ strength }) => strength === "weak");
  const main = await requireMainBranch(services.context);
  return { branch: main.ok ? shortName(main.value.ref) : null, weak: weak.map(({ task }) => task) };
}

/** Git would wait for it as long as nobody writes into it. */
function pipeInTheWay(root: string, reference: string): Result<never> | undefined {
  const checkout = findRepository(root)?.main ?? root;
  const paths = pipesAtTop(checkout);
  if (paths.length === 0) return undefined;
  const message = `${paths.join(", ")} in ${checkout} is a pipe or a device, and git would wait for it. Remove it.`;
  return refused("dirty-tree", message, { next: [step("land", { reference })], details: { checkout, paths } });
}

const NO_GIT =
  "There is no repository with a commit here, so there is no branch to land on, and the proofs of the tasks are unversioned. Complete the land task instead.";

async function readStart(services: EngineServices, reference: string): Promise<Result<LandingPlan>> {
  const plan = await readLandingPlan(services, reference);
  if (!plan.ok) return plan;
  const { store, actor } = services.context;
  const may = await store.read((reader) => mayStart(reader, plan.value.land, actor));
  return may.ok ? plan : may;
}

const NOTHING = {
  branch: null,
  from: null,
  commit: null,
  checks: [],
  requirements: [],
  checkout: null,
  attempt: null,
  op: null,
  pushed: null,
  next: [],
} satisfies Partial<Landing>;

const named = ({ feature, land, tasks }: LandingPlan) => ({
  feature: feature.id,
  land: land.id,
  tasks: tasks.map(({ id }) => id),
  proofs: tasks.filter(({ kind }) => kind === "work").map(taskProof),
});

const shown = ({ main, from, commit, checkout }: Merging, tree: TreeProof) => ({
  branch: shortName(main),
  from,
  commit,
  checkout,
  ...tree,
});

async function settleLanded(job: LandingJob, landed: AlreadyLanded, dryRun: boolean): Promise<Result<Landing>> {
  const { services, plan, signal } = job;
  const { proof: found, branch, tip, commit, merged } = landed;
  const tree = await proveTree(job, { commit }, rehearsalSlot(signal));
  if (!tree.ok) return tree;
  const proof = `${found}; ${greenWords(tree.value)}`;
  const landing: Landing = { ...NOTHING, ...named(plan), ...tree.value, outcome: "already-landed", proof };
  if (dryRun) return ok(landing);
  const { context } = services;
  const begun = { by: context.actor, startedAt: context.now() };
  const checks = [...tree.value.checks, ...tree.value.requirements];
  const settled = await settleLand(services, plan.land, { proof, checks, commit: merged }, begun);
  if (!settled.ok) return settled;
  await removeBranch(context.root, branch, tip);
  return ok({ ...landing, op: settled.value });
}

async function rehearse(job: LandingJob, merging: Merging): Promise<Result<Landing>> {
  const { plan, signal } = job;
  const tree = await proveTree(job, merging, rehearsalSlot(signal));
  if (!tree.ok) return tree;
  const proof = sentenceOf(plan, merging, tree.value);
  return ok({ ...NOTHING, ...named(plan), ...shown(merging, tree.value), outcome: "would-land", proof });
}

const count = (number: number, word: string): string => `${number} ${word}${number === 1 ? "" : "s"}`;

/** Never says green of a check that did not pass. */
function greenWords({ checks, requirements }: TreeProof): string {
  const excused = checks.filter(({ passed }) => !passed);
  const measured = requirements.length === 0 ? "" : ` and ${count(requirements.length, "requirement")}`;
  const rest = excused.length === 0 ? "" : `, ${excused.length} not green but excused`;
  return `${count(checks.length - excused.length, "check")}${measured} green on the result${rest}`;
}

const sentenceOf = (plan: LandingPlan, { from, despite }: Merging, tree: TreeProof): string =>
  `${count(plan.tasks.length, "task")} done, merged with ${from.slice(0, 10)}, ${greenWords(tree)}${overrideWords(plan)}${despite}`;

/** Work that a person accepted without the checks is named with its reason. */
const overrideWords = (plan: LandingPlan): string =>
  named(plan)
    .proofs.filter(({ strength }) => strength === "override")
    .map(({ task, words }) => `; ${task} ${words}`)
    .join("");

interface LandingJob extends ToLand {
  readonly signal: AbortSignal;
}

/** A merge, and how to make it again if main moves. */
type RepeatableMerge = Merging & { readonly how: HowToLand };

async function landNow(job: LandingJob, merging: RepeatableMerge): Promise<Result<Landing>> {
  const { services, plan, signal } = job;
  const { from: base, tip } = merging;
  const begun = await beginLanding(services, plan.land, { base, tip });
  if (!begun.ok) return begun;
  const live = begun.value;
  return drivenHere(services, live.key, async () => {
    const beat = heartbeatOf(services, live);
    try {
      return await proveAndMove(job, merging, live);
    } catch (error) {
      if (error instanceof NotAllowed) return await endFailedLanding(job, live, error.failure);
      const ended = signal.aborted ? stopped(plan) : broken(plan, error);
      // A lost landing is settled by the program that declared it lost, or in the finally block.
      return error instanceof ClaimLost ? fail(ended) : await endFailedLanding(job, live, ended);
    } finally {
      beat.stop();
      await moveRefs(services.context.root, [{ ref: landingRef(live.key), to: null }]);
      await leaveLanding(services, live.key);
    }
  });
}

/** Each time another feature lands first, this one is merged and checked again. */
const TRIES = 5;

async function proveAndMove(
  job: LandingJob,
  { how, ...first }: RepeatableMerge,
  live: LiveAttempt,
): Promise<Result<Landing>> {
  const { services, plan, signal } = job;
  const { root } = services.context;
  let merging: Merging = first;
  const slot = live.attempt.slot as number;
  const stand: WorktreeSlot = { slot, key: live.key, signal: untilLost(live, signal) };
  const worktree = slotFolder(services, slot);
  await enterState(services, live, { to: "prepared", patch: { base: merging.from, tip: merging.tip, worktree } });
  for (let tried = 0; tried < TRIES; tried++) {
    const { from: base, tip, commit: merged } = merging;
    await enterState(services, live, { to: "checking", patch: { base, tip } });
    const tree = await proveTree(job, merging, stand);
    // Checks that were stopped say nothing about the tree.
    if (live.lost?.signal.aborted) throw new ClaimLost(`${live.key} no longer holds ${plan.land.id}`);
    if (signal.aborted) return endFailedLanding(job, live, stopped(plan));
    if (!tree.ok) return endFailedLanding(job, live, tree.error);
    await moveRefs(root, [{ ref: landingRef(live.key), to: merged }]);
    const checks = [...tree.value.checks, ...tree.value.requirements];
    // From here on main may move, so the plan is asked once more, in the transaction that says so.
    await enterState(services, live, { to: "integrating", patch: { base, tip, merged, checks }, allow: mayGoOn });
    const advanced = await advanceMain(services, live.key, merging);
    if (advanced === "done") return conclude(job, merging, tree.value, live);
    const again = await mergeWithinScope(job, how);
    // If the merge is now refused, its reason is clearer than git's.
    if (!again.ok) return endFailedLanding(job, live, again.error);
    if (advanced !== "moved") return endFailedLanding(job, live, notMoved(plan, advanced.problem));
    if ("proof" in again.value) break;
    merging = again.value;
  }
  const message = `Main moved ${TRIES} times while the checks of ${plan.feature.id} ran.`;
  return endFailedLanding(job, live, cannotLandNow(plan, "base-moved", message));
}

const broken = (plan: LandingPlan, error: unknown): Failure =>
  cannotLandNow(plan, "not-landed", `${plan.feature.id} did not land: ${messageOf(error).replace(/\.$/, "")}.`);

const stopped = (plan: LandingPlan): Failure =>
  cannotLandNow(plan, "stopped", `The landing of ${plan.feature.id} was stopped before main moved.`);

/** Git refused the move: a file was changed meanwhile, or is locked. */
const notMoved = (plan: LandingPlan, problem: string): Failure => {
  const reason = /\.lock'|at work/.test(problem) ? "locked" : "dirty-tree";
  return cannotLandNow(plan, reason, `Git could not move main and its checkout: ${problem}.`, { problem });
};

async function conclude({ services, plan }: LandingJob, merging: Merging, tree: TreeProof, live: LiveAttempt) {
  const { commit, main } = merging;
  const proof = `${shortName(main)} is ${commit.slice(0, 10)}: ${sentenceOf(plan, merging, tree)}`;
  const checks = [...tree.checks, ...tree.requirements];
  // First, so that a landing that is over never looks as if it waited for you.
  const settled = await settleLand(services, plan.land, { proof, checks, commit }, live.attempt);
  await endLanding(services, live.key, { state: "accepted", note: proof });
  if (!settled.ok) return settled;
  const landing = { ...NOTHING, ...named(plan), ...shown(merging, tree), outcome: "landed", proof } as const;
  const next = [step("revert", { reference: plan.feature.id })];
  return ok({ ...landing, attempt: live.key, op: settled.value, next });
}

async function push({ services, plan }: LandingJob, options: LandOptions): Promise<Result<Landing>> {
  const { remote, dryRun = false } = options;
  const pushed = await pushForReview(services, plan, { dryRun, remote });
  if (!pushed.ok) return pushed;
  const { branch, remote: to, into } = pushed.value;
  const proof = `${branch} is on ${to}; ${plan.land.id} stays open until ${into} has it`;
  const remembered = dryRun ? ok(undefined) : await rememberPush(services, plan, pushed.value, proof);
  if (!remembered.ok) return remembered;
  return ok({ ...NOTHING, ...named(plan), outcome: "pushed", branch: into, proof, pushed: pushed.value });
}
