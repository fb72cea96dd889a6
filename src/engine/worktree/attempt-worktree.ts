// The worktree of an attempt: at the tip of its feature, on its own branch, with an environment and the bundle of the task.

import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { lendRepository } from "../../machine/git/lend.js";
import { commitTree, contains, mergeWithMarkers } from "../../machine/git/merge.js";
import { attemptBranch } from "../../machine/git/refs.js";
import { addWorktree, removeWorktree, resetWorktree, restoreFiles } from "../../machine/git/worktree.js";
import { homesFolder, type Sandbox, type SandboxInput, sandboxFor } from "../../machine/sandbox/sandbox.js";
import { NOTHING_SHARED, type SharedFolders } from "../../machine/worktrees/carried-copy.js";
import { setUpWorktree } from "../../machine/worktrees/carry.js";
import { type AttemptEnvironment, attemptEnvironment } from "../../machine/worktrees/environment.js";
import { isByHand } from "../../model/attempt/attempt.js";
import { MERGE_MAIN } from "../../model/node/profile.js";
import { ok, type Result } from "../../model/result.js";
import { createBundles } from "../../plan/bundle/bundle.js";
import { mainCommitOf } from "../../plan/repository/main-branch.js";
import { folderFor, slotFolder, transcriptFile, worktreeFields } from "../attempt/attempt-places.js";
import { enterState, type LiveAttempt, lastFailureOf, passState } from "../attempt/attempt-state.js";
import { ensureFeatureBranch, type FeatureTip, featureBranchOf } from "../attempt/feature-branch.js";
import type { EngineServices, WorkerInput } from "../services.js";
import { type OutsideWatch, watchAttempt, workerName } from "../watch/watch.js";
import { settleSlots } from "./worktree-pool.js";

export interface AttemptWorktree {
  /** The repository's main working tree. */
  readonly root: string;
  readonly worktree: string;
  /** The ref of the feature's branch. */
  readonly feature: string;
  /** The commit that the change set is compared with. */
  readonly base: string;
  readonly input: WorkerInput;
  /** The same for a reviewer: its own home folder in the sandbox, and a worktree that it can only read. */
  forReviewer(): Promise<WorkerInput>;
  /** What was wrong with the previous attempt. */
  readonly lastFailure: string | null;
  /** Finds what a worker without a sandbox changed outside of the worktree. */
  readonly changesOutside: OutsideWatch;
  /** Makes its files those of a commit, if it is laid out. */
  putOnto(commit: string): Promise<void>;
  /** Compares the change set with this commit from now on. */
  setBase(onto: string): void;
  /** Releases the ports, and keeps the folders. */
  release(): void;
  dispose(): Promise<void>;
}

/** The branch with main merged in, for a worker that resolves the conflicts. The branch itself does not move. */
async function withMain({ context }: EngineServices, { feature, tip }: FeatureTip): Promise<FeatureTip> {
  const { root } = context;
  const main = await mainCommitOf(context);
  if (main === null || (await contains(root, tip, main))) return { feature, tip };
  return { feature, tip: await mergedWith(root, tip, main) };
}

/** A commit with both parents, whose files have conflict markers where both changed the same lines. */
export const mergedWith = async (root: string, tip: string, main: string): Promise<string> =>
  commitTree(root, await mergeWithMarkers(root, tip, main), [tip, main], "Merge main, with conflicts to resolve\n");

async function tipFor(services: EngineServices, live: LiveAttempt): Promise<FeatureTip> {
  const { base } = live.attempt;
  if (base !== null) return { feature: await featureBranchOf(services, live.task), tip: base };
  const branch = await ensureFeatureBranch(services, live.task);
  const found = live.task.profile === MERGE_MAIN ? await withMain(services, branch) : branch;
  await enterState(services, live, { to: "claimed", patch: worktreeFields(services, live, found.tip) });
  return found;
}

export async function prepareWorktree(
  services: EngineServices,
  live: LiveAttempt,
  signal: AbortSignal,
): Promise<AttemptWorktree> {
  const { context, policy } = services;
  const { root } = context;
  await settleSlots(services, signal);
  const { feature, tip: base } = await tipFor(services, live);
  const worktree = folderFor(services, live);
  const branch = attemptBranch(live.key);
  await checkOutPooled(root, worktree, base, branch, policy.carry);
  // A person works with the repository itself.
  if (!isByHand(live.attempt)) await lendRepository(worktree, { commit: base, branch, name: workerName(live.key) });
  return openInEnvironment(services, live, worktree, false, async (environment) => {
    await setUp(services, { worktree, environment }, signal);
    const { key, text } = await packTask(services, live.task);
    writeFileSync(environment.bundle, text);
    passState(services, live, "prepared", { bundle: key, transcript: transcriptFile(services, live.key) });
    return openWorktree(services, live, { worktree, feature, base, environment });
  });
}

async function setUp(
  services: EngineServices,
  { worktree, environment }: Pick<WorktreeParts, "worktree" | "environment">,
  signal: AbortSignal,
): Promise<void> {
  const usable = await setUpIn(services, worktree, environment.variables, signal);
  if (!usable.ok) throw new Error(`${usable.error.message} ${JSON.stringify(usable.error.details?.["output"] ?? "")}`);
  for (const text of usable.value.notices) services.onEvent({ type: "notice", text });
}

/** Carries what git does not keep into a worktree and runs the set-up commands, in the sandbox of all that runs there. */
export async function setUpIn(
  services: EngineServices,
  worktree: string,
  env: Readonly<Record<string, string>>,
  signal: AbortSignal,
  { paths, mounts }: SharedFolders = NOTHING_SHARED,
) {
  const { context, redact } = services;
  const sandbox = await sandboxIn(services, worktree, env, { laid: mounts });
  if (!sandbox.ok) return sandbox;
  const { wrap } = sandbox.value;
  const policy = { ...services.policy, carry: services.policy.carry.filter((path) => !paths.includes(path)) };
  const done = await setUpWorktree({ root: context.root, worktree, policy, env, wrap, redact, signal });
  return done.ok ? ok({ ...done.value, wrap }) : done;
}

/**
 * For work that was done elsewhere, in a checkout or in the folder of a person. Only a reviewer reads the worktree, so it is laid out
 * when one does: a hand-in takes 8 ms less processor time without it, in a small repository.
 */
export async function layOutCommit(
  services: EngineServices,
  live: LiveAttempt,
  { feature, tip: base }: FeatureTip,
  commit: string,
  signal: AbortSignal,
): Promise<AttemptWorktree> {
  const { root } = services.context;
  await settleSlots(services, signal);
  const worktree = slotFolder(services, live.attempt.slot as number);
  const layOut = async (): Promise<void> => {
    await checkOutPooled(root, worktree, commit, null, services.policy.carry);
    await lendRepository(worktree, { commit, branch: null, name: workerName(live.key) });
  };
  // The temporary folder of someone who works by hand is in use: nothing of it may go.
  const again = isByHand(live.attempt);
  return openInEnvironment(services, live, worktree, again, async (environment) => {
    writeFileSync(environment.bundle, await bundleTextOf(services, live));
    return openWorktree(services, live, { worktree, feature, base, environment, layOut });
  });
}

/** Where an attempt stands that another process has prepared. */
export type AttemptFolder = Pick<AttemptWorktree, "worktree" | "feature" | "base">;

export async function findFolder(services: EngineServices, live: LiveAttempt): Promise<AttemptFolder> {
  const { worktree, base } = live.attempt;
  if (worktree === null || base === null || !existsSync(join(worktree, ".git"))) {
    throw new Error(`the worktree of ${live.key} is not there any more`);
  }
  const { feature } = await ensureFeatureBranch(services, live.task);
  return { worktree, base, feature };
}

/** Finds the folder of an attempt, and makes its environment again. */
export async function findWorktree(services: EngineServices, live: LiveAttempt): Promise<AttemptWorktree> {
  const folder = await findFolder(services, live);
  return openInEnvironment(services, live, folder.worktree, true, (environment) =>
    openWorktree(services, live, { ...folder, environment }),
  );
}

/** `again`: the environment was made before, and what is in its temporary folder stays. */
async function openInEnvironment(
  { context, policy, env }: EngineServices,
  { key, task, attempt }: LiveAttempt,
  worktree: string,
  again: boolean,
  open: (environment: AttemptEnvironment) => Promise<AttemptWorktree>,
): Promise<AttemptWorktree> {
  const made = await attemptEnvironment({
    slot: attempt.slot as number,
    attempt: key,
    task: task.id,
    root: context.root,
    worktree,
    settings: policy,
    env,
    again,
    ...(attempt.worker.kind === "person" ? { actor: context.actor } : {}),
  });
  if (!made.ok) throw new Error(made.error.message);
  const environment = made.value;
  try {
    return await open(environment);
  } catch (error) {
    // The caller has no handle yet to dispose of it.
    if (again) environment.release();
    else await environment.dispose();
    throw error;
  }
}

/** The sandbox for everything that runs in a worktree: worker, checks and set-up commands. */
function sandboxIn(
  { context, policy }: Pick<EngineServices, "context" | "policy">,
  worktree: string,
  env: Readonly<Record<string, string>>,
  { who = "worker", laid = [] }: Pick<SandboxInput, "who" | "laid"> = {},
): Promise<Result<Sandbox>> {
  const { root } = context;
  const { network = "all", loopback: ports = [], readable = [], writable = [] } = policy;
  const linked = policy.carryBy === "link" ? policy.carry.map((path) => join(root, path)) : [];
  return sandboxFor(policy.sandbox, {
    root,
    worktree,
    env,
    who,
    access: who === "reviewer" ? "read" : "write",
    network,
    ports,
    readable: [...readable, ...linked],
    writable,
    hidden: policy.keyFolder,
    laid,
  });
}

/** An attempt whose change is laid out to be judged. */
export interface Trial {
  readonly services: EngineServices;
  readonly live: LiveAttempt;
  readonly tree: AttemptWorktree;
  /** Aborted from outside, or when the claim is gone. */
  readonly signal: AbortSignal;
}

interface WorktreeParts extends Pick<AttemptWorktree, "worktree" | "feature" | "base"> {
  readonly environment: AttemptEnvironment;
  /** Makes the worktree that a reviewer reads, if it is not there. */
  readonly layOut?: () => Promise<void>;
}

/** Nothing of what a worker left: folders of its own, made for this review, with the task as it was packed. */
async function reviewersVariables(services: EngineServices, live: LiveAttempt, env: Readonly<Record<string, string>>) {
  const around = join(homesFolder(env["PLANWRIGHT_TMP"] as string), "review");
  const [tmp, cache] = [join(around, "tmp"), join(around, "cache")];
  rmSync(around, { recursive: true, force: true });
  for (const folder of [tmp, cache]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const bundle = join(tmp, "bundle.md");
  writeFileSync(bundle, await bundleTextOf(services, live));
  const own = { TMPDIR: tmp, TMP: tmp, TEMP: tmp, PLANWRIGHT_TMP: tmp };
  return { ...env, ...own, PLANWRIGHT_CACHE: cache, PLANWRIGHT_BUNDLE: bundle };
}

async function openWorktree(
  services: EngineServices,
  live: LiveAttempt,
  { worktree, feature, base, environment, layOut }: WorktreeParts,
): Promise<AttemptWorktree> {
  const { context } = services;
  const { root } = context;
  const sandbox = await sandboxIn(services, worktree, environment.variables);
  if (!sandbox.ok) throw new Error(sandbox.error.message);
  const { wrap, kind, home } = sandbox.value;
  const isWatched = kind === "none" && live.attempt.worker.kind !== "person";
  const env = { ...environment.variables, ...(isWatched && { GIT_COMMITTER_NAME: workerName(live.key) }) };
  const transcript = transcriptFile(services, live.key);
  const standing = { base, isLaidOut: layOut === undefined };
  return {
    root,
    worktree,
    feature,
    changesOutside: await watchAttempt(services, live, sandbox.value),
    get base() {
      return standing.base;
    },
    input: { attempt: live.key, task: live.task, cwd: worktree, env, transcript, wrap, home },
    forReviewer: async () => {
      await layOut?.();
      standing.isLaidOut = true;
      const own = await reviewersVariables(services, live, env);
      const made = await sandboxIn(services, worktree, own, { who: "reviewer" });
      if (!made.ok) throw new Error(made.error.message);
      const { wrap: around, home: inside } = made.value;
      return { attempt: live.key, task: live.task, cwd: worktree, env: own, transcript, wrap: around, home: inside };
    },
    lastFailure: await lastFailureOf(context, live),
    putOnto: async (commit) => {
      if (standing.isLaidOut) await restoreWorktree(worktree, commit);
    },
    setBase: (onto) => {
      standing.base = onto;
    },
    release: () => environment.release(),
    dispose: () => environment.dispose(),
  };
}

/** Reuses the pooled worktree, and makes a new one if it cannot be reset. */
async function checkOutPooled(
  root: string,
  worktree: string,
  base: string,
  branch: string | null,
  keep: readonly string[],
): Promise<void> {
  const to = branch === null ? { keep } : { branch, keep };
  if (existsSync(join(worktree, ".git")) && (await resetWorktree(worktree, base, to)).ok) return;
  // Removes a broken or half-made worktree, too.
  const removed = await removeWorktree(root, worktree);
  if (!removed.ok) throw new Error(`the worktree ${worktree} could not be made: ${removed.problem}`);
  const added = await addWorktree(root, worktree, base);
  if (!added.ok) throw new Error(`the worktree ${worktree} could not be made: ${added.problem}`);
  // A new one is exactly the commit.
  if (branch === null) return;
  const switched = await resetWorktree(worktree, base, to);
  if (!switched.ok) throw new Error(`the worktree ${worktree} could not be prepared: ${switched.problem}`);
}

async function restoreWorktree(worktree: string, commit: string): Promise<void> {
  const restored = await restoreFiles(worktree, commit);
  // In a half-restored worktree, the worker would seem to have deleted files.
  if (!restored.ok) throw new Error(`the worktree could not be restored: ${restored.problem}`);
}

/** Packs the task as it is now. If nothing has changed since it was packed before, the bundle stays the same. */
export async function packTask({ context }: EngineServices, { id }: { readonly id: string }) {
  const packed = await createBundles(context, { references: [id], verb: "attempt" });
  if (!packed.ok) throw new Error(packed.error.message);
  const [made] = packed.value.bundles;
  if (!made) throw new Error(`${id} could not be packed.`);
  return { key: made.bundle, text: made.text };
}

/** The text that was packed for this attempt. */
export async function bundleTextOf(services: EngineServices, { attempt, task }: LiveAttempt): Promise<string> {
  const { bundle } = attempt;
  const stored = await services.context.store.read(async (reader) => {
    const item = bundle === null ? undefined : await reader.item("bundle", bundle);
    return item && reader.document(item.fields.hash);
  });
  return stored ?? (await packTask(services, task)).text;
}
