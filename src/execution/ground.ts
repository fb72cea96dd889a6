// Where an attempt works: a pooled worktree at its feature's tip on a branch of its own, an environment, and the task
// packed up.

import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { bundle } from "../actions/bundle.js";
import { attemptBranch, shortName } from "../git/refs.js";
import { addWorktree, removeWorktree, resetWorktree } from "../git/worktree.js";
import { makeUsable } from "./carry.js";
import { attemptEnvironment } from "./environment.js";
import { branchFor } from "./feature-branch.js";
import { lastFailureOf } from "./history.js";
import { type Live, move } from "./moves.js";
import { sandboxFor } from "./sandbox.js";
import type { Services } from "./services.js";
import type { Work } from "./worker.js";

export interface Ground {
  /** The repository's main working tree. */
  readonly root: string;
  readonly worktree: string;
  /** The ref of the feature's branch. */
  readonly feature: string;
  /** What the change set is held against. */
  readonly base: string;
  readonly work: Work;
  /** The task as its worker gets it. */
  readonly packed: string;
  /** What was wrong with the attempt before this one. */
  readonly lastFailure: string | null;
  /** Brings what git does not keep into another tree of the same project. */
  equip(path: string): Promise<void>;
  /** From now on the worktree stands on this commit. */
  rebase(onto: string): void;
  dispose(): Promise<void>;
}

/** The tree without the attempt, while something is compared with it. */
export const baseTreeOf = (worktree: string): string => `${worktree}-base`;

export const slotFolder = ({ context, policy }: Services, slot: number): string =>
  join(context.root, policy.worktrees, `slot-${slot}`);

export async function prepareGround(services: Services, live: Live, signal: AbortSignal): Promise<Ground> {
  const { context, policy } = services;
  const { root } = context;
  const slot = live.attempt.slot as number;
  const worktree = slotFolder(services, slot);
  const { feature, tip: base } = await branchFor(services, live.task);
  const branch = attemptBranch(live.key);
  // Written down first: whoever finds this attempt dead knows what to look for.
  await move(services, live, { to: "claimed", patch: { worktree, branch: shortName(branch), base } });
  await layOut(root, worktree, base, branch, policy.carry);
  const made = await attemptEnvironment({
    slot,
    attempt: live.key,
    task: live.task.id,
    root,
    worktree,
    settings: policy,
    env: services.env,
  });
  if (!made.ok) throw new Error(made.error.message);
  const environment = made.value;
  const usable = await makeUsable({ root, worktree, policy, env: environment.variables, signal });
  if (!usable.ok) throw new Error(`${usable.error.message} ${String(usable.error.details?.["output"] ?? "")}`);
  for (const text of usable.value.notices) services.onEvent({ type: "notice", text });
  const sandbox = await sandboxFor(policy.sandbox, {
    root,
    worktree,
    env: environment.variables,
    also: [baseTreeOf(worktree)],
  });
  if (!sandbox.ok) throw new Error(sandbox.error.message);
  const packed = await bundle(context, { reference: live.task.id });
  if (!packed.ok) throw new Error(packed.error.message);
  const text = packed.value.bundles[0]?.text ?? "";
  writeFileSync(environment.bundle, text);
  const transcript = join(root, ".planwright", "transcripts", `${live.key}.jsonl`);
  await move(services, live, {
    to: "prepared",
    patch: { bundle: packed.value.bundles[0]?.bundle ?? null, transcript },
  });
  const standing = { base };
  return {
    root,
    worktree,
    feature,
    get base() {
      return standing.base;
    },
    work: {
      attempt: live.key,
      task: live.task,
      cwd: worktree,
      env: environment.variables,
      transcript,
      wrap: sandbox.value.wrap,
    },
    packed: text,
    lastFailure: await lastFailureOf(context, live),
    equip: async (path) => {
      await makeUsable({ root, worktree: path, policy, env: environment.variables, signal });
    },
    rebase: (onto) => {
      standing.base = onto;
    },
    dispose: () => environment.dispose(),
  };
}

/** A pooled worktree that cannot be made clean again is made anew. */
async function layOut(
  root: string,
  worktree: string,
  base: string,
  branch: string,
  keep: readonly string[],
): Promise<void> {
  if (existsSync(join(worktree, ".git"))) {
    const reset = await resetWorktree(worktree, base, { branch, keep });
    if (reset.ok) return;
    await removeWorktree(root, worktree);
  }
  const added = await addWorktree(root, worktree, base);
  if (!added.ok) throw new Error(`the worktree ${worktree} could not be made: ${added.problem}`);
  const switched = await resetWorktree(worktree, base, { branch, keep });
  if (!switched.ok) throw new Error(`the worktree ${worktree} could not be prepared: ${switched.problem}`);
}
