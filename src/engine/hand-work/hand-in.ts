// Hands in work from the caller's own checkout: what changed there since the task was claimed becomes one commit, which is judged
// in a clean worktree like any attempt. The checkout, its index and its branch stay as they are.

import { messageOf } from "../../base/errors.js";
import {
  checkoutAround,
  commitCheckoutChanges,
  type Since,
  type TakenChange,
} from "../../machine/git/checkouts/checkout-changes.js";
import { beforeOwnCommits } from "../../machine/git/checkouts/commits-since.js";
import { contains } from "../../machine/git/merge.js";
import { attemptBranch, listRefs, readAllRefs, readRef, shortName } from "../../machine/git/refs.js";
import { findRepository } from "../../machine/git/repository.js";
import { endOrphans } from "../../machine/process/orphans.js";
import { type Attempt, type AttemptState, type ChangeSet, isByHand, touchedBy } from "../../model/attempt/attempt.js";
import { shortWrong } from "../../model/attempt/failure-view.js";
import { strengthOf, type TaskProof } from "../../model/attempt/proof-strength.js";
import { matchesGlob } from "../../model/conflict/glob.js";
import type { ClaimedCheckout } from "../../model/item/claim-notes.js";
import type { Item } from "../../model/item/item.js";
import { step } from "../../model/next-step.js";
import type { CheckResult, Claim, Node } from "../../model/node/node.js";
import { ok, type Result, refused } from "../../model/result.js";
import { act } from "../../plan/base/context.js";
import { needsFeature } from "../../plan/claim/assignment.js";
import { claimNotes, noteFailure } from "../../plan/claim/claim-notes.js";
import { mainCommitOf } from "../../plan/repository/main-branch.js";
import { attemptMessage, runningFolder } from "../attempt/attempt-places.js";
import {
  ClaimLost,
  describeFailedChecks,
  enterState,
  heartbeatOf,
  type LiveAttempt,
  untilLost,
} from "../attempt/attempt-state.js";
import type { FeatureTip } from "../attempt/feature-branch.js";
import { endRejected } from "../ending/end-attempt.js";
import { settle, type Unsettled } from "../ending/settle.js";
import { runAttemptChecks } from "../judgement/attempt-checks.js";
import { followMain } from "../judgement/follow-main.js";
import { judge, type Retry } from "../judgement/judge.js";
import { isOnBranch, recover } from "../recovery/reconcile.js";
import type { EngineServices } from "../services.js";
import { type AttemptWorktree, layOutCommit } from "../worktree/attempt-worktree.js";
import { backToWork, noteHandIn, noteInTranscript } from "./begin-hand-work.js";
import { attemptOfClaim, type TakenBy, takeAttempt } from "./take-attempt.js";
import { type Chosen, foreignTo, mixedProblem, type Shares, sharesOf } from "./whose-change.js";

export interface Completion {
  readonly id: string;
  readonly op: number | null;
  /** `open`: a check failed, and the claim stays. `pending`: a person has to accept it. */
  readonly acceptance: "accepted" | "rejected" | "pending" | "open";
  readonly checks: readonly CheckResult[];
  readonly durationMs: number | null;
  /** The commit on the feature's branch. Null: unversioned, or not accepted. */
  readonly commit: string | null;
  /** Null without git. */
  readonly attempt: string | null;
  readonly changes: ChangeSet | null;
  /** Files that differ in the checkout and are not part of the change. */
  readonly leftAlone: readonly string[];
  /** Those of them, or of the conflicts, that may belong to the task: they were changed before it was claimed. */
  readonly begunBefore: readonly string[];
  /** What is wrong, or why it waits. */
  readonly note: string;
  readonly question: string | null;
  /** What shows that it is done; null while it is not. */
  readonly proof: TaskProof["strength"] | null;
  /** How often it may still be handed in with failing checks. Null if that does not matter any more. */
  readonly fixesLeft: number | null;
}

export interface HandInInput extends TakenBy, Chosen {
  /** Files that the worker says it made or changed: git must see them, too. */
  readonly created?: readonly string[];
  readonly modified?: readonly string[];
  readonly rehearse?: boolean;
}

export async function handInCheckout(
  given: EngineServices,
  input: HandInInput,
  signal: AbortSignal,
): Promise<Result<Completion>> {
  const { node, claim } = input;
  const move = step("move", { references: [node.id] }, "to");
  if (node.feature === null) return refused("no-feature", needsFeature(node), { next: [move] });
  const services = withLeaseOf(given, claim);
  try {
    const begun = await services.context.store.read((reader) => attemptOfClaim(reader, node, claim));
    if (begun && isByHand(begun.fields)) return inWorktree(node, begun.fields);
    const earlier = begun && (await finishInterrupted(services, node, begun));
    if (earlier) return ok(earlier);
    const found = await foreignTo(services, await sourceOf(services, node), input);
    if (!found.ok) return found;
    const source = found.value;
    const feature = await followMain(services, node, signal, await mainWithoutOwn(services, source));
    const live = await takeAttempt(services, input, feature.tip, source.path);
    const shares = await sharesOf(services, source.path, input);
    const taken = await takeChange(live, source, feature, shares);
    const mixed = mixedProblem(node, shares, "changes" in taken ? touchedBy(taken.changes) : []);
    if (mixed) {
      await backToWork(services, live, "Nothing showed whose files these are.");
      return mixed;
    }
    const said = saidButNotSeen(input, taken);
    if (said.length > 0) {
      const words = `You named ${said.join(", ")}, but git sees no such change since you claimed ${node.id}.`;
      await backToWork(services, live, words);
      const next = [step("complete", { reference: node.id })];
      return refused("not-changed", `${words} You keep your claim.`, { details: { files: said }, next });
    }
    const hand: HandIn = { services, live, feature, leftAlone: taken.leftAlone };
    return ok(await judgeTaken(hand, taken, input.rehearse ?? false, signal));
  } catch (error) {
    if (error instanceof ClaimLost) return lost(node);
    const why = messageOf(error).replace(/(?<![.\s])[.\s]*$/, ".");
    return refused("broken", `${node.id} could not be handed in: ${why} You keep your claim.`, {
      next: [step("complete", { reference: node.id })],
    });
  }
}

/** Every step renews the claim for as long as it was made. */
function withLeaseOf({ context, ...services }: EngineServices, claim: Claim): EngineServices {
  const settings = { ...context.settings, leaseMinutes: (claim.until - claim.at) / 60_000 };
  return { ...services, context: { ...context, settings } };
}

const lost = ({ id }: Node): Result<never> =>
  refused("lease-lost", `Your claim of ${id} has ended, or it is being handed in elsewhere. Nothing was changed.`, {
    next: [step("show", { reference: id })],
  });

const inWorktree = ({ id }: Node, { worktree }: Attempt): Result<never> =>
  refused("in-worktree", `${id} is being worked on in ${worktree ?? "a worktree"}. Hand in what is there.`, {
    next: [step("work.done", { reference: id })],
  });

/** An earlier hand-in was killed. If it had moved the branch, it is done. If not, nothing of it runs on, and the next one begins again. */
async function finishInterrupted(
  services: EngineServices,
  node: Node,
  { key, fields }: Item<"attempt">,
): Promise<Completion | null> {
  const { store, root } = services.context;
  await endOrphans(runningFolder(services));
  if ((await readRef(root, attemptBranch(key))) !== null || !(await isOnBranch(services, fields))) return null;
  await recover(services, key);
  const [now, ended] = await store.read(async (reader) => [
    await reader.node(node.nr),
    await reader.item("attempt", key),
  ]);
  if (now?.outcome?.kind !== "done" || !ended) throw new ClaimLost(`${key} was interrupted.`);
  return completionOf({ key, task: node, attempt: ended.fields }, "accepted", []);
}

/** A checkout with the work, and what it is compared with. */
interface Source extends Pick<Since, "others"> {
  readonly path: string;
  readonly from: ClaimedCheckout;
}

/** With what is known not to be the worker's. */
type KnownSource = Source & Required<Pick<Since, "foreign">> & { readonly leftOut: readonly string[] };

const MAIN_OF_REMOTE = /^refs\/remotes\/[^/]+\/(main|master|HEAD)$/;

async function sourceOf({ context }: EngineServices, task: Node): Promise<Source> {
  const { root, cwd, store } = context;
  const path = checkoutAround(cwd, root) ?? root;
  const recorded = (await store.read((reader) => claimNotes(reader, task.nr)))?.checkout ?? null;
  const head = recorded?.head ?? (await mainCommitOf(context));
  if (head === null) throw new Error("the repository has no commit.");
  // In another checkout than that of the claim, everything since the commit counts.
  const from = recorded?.path === path ? recorded : { path, head, tree: null };
  const repository = findRepository(root);
  const refs = (repository && readAllRefs(repository.commonDir)) ?? (await listRefs(root, "refs/remotes"));
  const others = [...refs.keys()].filter((ref) => MAIN_OF_REMOTE.test(ref));
  return { path, from, others };
}

/** The last commit of main before the worker's own, if the worker committed on main. */
async function mainWithoutOwn({ context }: EngineServices, source: KnownSource): Promise<string | null> {
  const before = await beforeOwnCommits(source.path, source.from.head, source);
  const main = before === null ? null : await mainCommitOf(context);
  if (before === null || main === null || main === before) return null;
  return (await contains(context.root, main, before)) ? before : null;
}

async function takeChange(
  live: LiveAttempt,
  source: KnownSource,
  feature: FeatureTip,
  { include, isOfOthers }: Shares,
): Promise<TakenChange> {
  // A review task changes nothing.
  if (live.task.kind === "review") return { nothing: true, leftAlone: [] };
  const { path, from, others, foreign, leftOut } = source;
  const onto = feature.tip;
  const since = { from, onto, others: [onto, ...others], foreign, message: attemptMessage(live), include, isOfOthers };
  const taken = await commitCheckoutChanges(path, since);
  return { ...taken, leftAlone: [...new Set([...taken.leftAlone, ...leftOut])].sort() };
}

/** What the worker names must be part of the change that git sees. */
function saidButNotSeen({ created = [], modified = [], only = [] }: HandInInput, taken: TakenChange): string[] {
  if ("problem" in taken || "conflicts" in taken) return [];
  const seen = new Set("changes" in taken ? touchedBy(taken.changes) : []);
  return [...created, ...modified, ...only].map((path) => path.replace(/^\.\//, "")).filter((path) => !seen.has(path));
}

interface HandIn {
  readonly services: EngineServices;
  readonly live: LiveAttempt;
  readonly feature: FeatureTip;
  readonly leftAlone: readonly string[];
}

async function judgeTaken(hand: HandIn, taken: TakenChange, rehearse: boolean, signal: AbortSignal) {
  const { services, live, feature } = hand;
  if ("problem" in taken) return stayOpen(hand, { wrong: taken.problem });
  if ("conflicts" in taken) {
    const { begunBefore, conflicts } = taken;
    if (begunBefore.length === 0) return stayInConflict(hand, conflicts);
    return { ...(await stayOpen(hand, { wrong: begunWords(begunBefore) })), begunBefore };
  }
  const commit = "commit" in taken ? taken.commit : feature.tip;
  const stop = untilLost(live, signal);
  const beat = heartbeatOf(services, live);
  noteHandIn(services, live, taken);
  let tree: AttemptWorktree | undefined;
  try {
    tree = await layOutCommit(services, live, feature, commit, stop);
    const trial = { services, live, tree, signal: stop };
    if (rehearse) {
      const checks = await runAttemptChecks(trial, commit);
      return await stayOpen(hand, { wrong: describeFailedChecks(checks), checks });
    }
    const open = await settle(trial, await judge(trial, taken));
    if (live.lost?.signal.aborted) throw new ClaimLost(`${live.key} no longer holds ${live.task.id}.`);
    if (signal.aborted && open !== null) throw new Error("it was stopped.");
    return await conclude(hand, open);
  } catch (error) {
    if (!(error instanceof ClaimLost)) await backToWork(services, live, messageOf(error));
    throw error;
  } finally {
    beat.stop();
    await tree?.dispose();
  }
}

async function conclude(hand: HandIn, open: Unsettled | null): Promise<Completion> {
  const { services, live, leftAlone } = hand;
  if (open === null) {
    const { state } = live.attempt;
    const completion = completionOf(live, ACCEPTANCES[state] ?? "pending", leftAlone);
    return state === "accepted" ? completion : { ...completion, question: await questionAbout(services, live) };
  }
  if (open.verdict === "conflict") return stayInConflict(hand, open.files);
  if (open.checks === undefined) return stayOpen(hand, open);
  const fixesLeft = services.policy.fixes - (await countFailure(services, live));
  if (fixesLeft >= 0) return { ...(await stayOpen(hand, open)), fixesLeft };
  await endRejected(services, live, open.wrong, open.checks, { park: true });
  return completionOf(live, "rejected", leftAlone);
}

const ACCEPTANCES: Readonly<Partial<Record<AttemptState, Completion["acceptance"]>>> = {
  accepted: "accepted",
  released: "open",
  rejected: "rejected",
};

async function questionAbout({ context }: EngineServices, { task }: LiveAttempt): Promise<string | null> {
  const [first] = await context.store.read((reader) => reader.items("question", { owner: task.id, state: "open" }));
  return first?.key ?? null;
}

async function countFailure({ context }: EngineServices, { task }: LiveAttempt): Promise<number> {
  const committed = await act(context, "attempt", async (writer) => {
    const node = (await writer.node(task.nr)) ?? task;
    const { failed, changes } = await noteFailure(writer, node);
    return ok({ sentence: `${task.id} was handed in and is not done (${failed})`, changes, value: failed });
  });
  return committed.ok ? committed.value.value : 1;
}

type Wrong = Pick<Retry, "wrong" | "checks">;

/** Including what was changed before the claim would not help, so it is not offered. */
async function stayInConflict(hand: HandIn, files: readonly string[]): Promise<Completion> {
  const branch = shortName(hand.feature.feature);
  const wrong = `Others changed the same lines on ${branch}: ${files.join(", ")}. Merge that branch into your checkout (git merge ${branch}), resolve the conflicts, and hand it in again.`;
  return { ...(await stayOpen(hand, { wrong })), begunBefore: [] };
}

const begunWords = (files: readonly string[]): string =>
  `You changed ${files.join(", ")} before you claimed the task and did not commit that, so what you changed since does not apply on its own. Include ${files.length === 1 ? "the file" : "these files"} to hand in all of it, or commit the earlier change.`;

/** The claim stays, and so does the attempt, without its worktree. */
async function stayOpen(hand: HandIn, { wrong, checks = [] }: Wrong): Promise<Completion> {
  const { services, live, leftAlone } = hand;
  if (wrong !== "") noteInTranscript(services, live, `Not done yet: ${wrong}`);
  const patch = {
    checks,
    note: shortWrong(wrong, checks),
    slot: null,
    worktree: null,
    rounds: live.attempt.rounds + 1,
  };
  await enterState(services, live, { to: "working", patch });
  return completionOf(live, "open", leftAlone);
}

/** Without a footprint, any file may be the task's. */
const isOfTask = ({ files }: Node, path: string): boolean =>
  files.length === 0 || files.some((pattern) => matchesGlob(pattern, path));

function completionOf(
  { key, task, attempt }: LiveAttempt,
  acceptance: Completion["acceptance"],
  leftAlone: readonly string[],
): Completion {
  const checks = [...attempt.checks, ...attempt.mergedChecks];
  return {
    id: task.id,
    op: attempt.op,
    acceptance,
    checks,
    durationMs: (attempt.endedAt ?? attempt.startedAt) - attempt.startedAt,
    commit: acceptance === "accepted" ? attempt.merged : null,
    attempt: key,
    changes: attempt.changes,
    leftAlone,
    begunBefore: leftAlone.filter((path) => isOfTask(task, path)),
    note: attempt.note,
    question: null,
    proof: acceptance === "accepted" ? strengthOf(checks) : null,
    fixesLeft: null,
  };
}
