// A person works as an attempt does: a claim, a worktree and a branch of its own, an environment, the same checks and the
// same way onto the feature's branch. No program drives it; the person says when it is done.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { canHandIn, hasEnded, isByHand } from "../../model/attempt/attempt.js";
import { LIVE } from "../../model/item/item.js";
import { step } from "../../model/next-step.js";
import type { Node } from "../../model/node/node.js";
import { ok, type Result, refused } from "../../model/result.js";
import { resolve } from "../../plan/base/resolve.js";
import { expireLeases } from "../../plan/claim/claim-terms.js";
import { mayOverride } from "../../plan/claim/start.js";
import { ClaimLost, enterState, type LiveAttempt } from "../attempt/attempt-state.js";
import { beginAttempt, requireRepository } from "../attempt/begin-attempt.js";
import { endGivenBack } from "../ending/end-attempt.js";
import { recover } from "../recovery/reconcile.js";
import type { EngineServices } from "../services.js";
import { type AttemptWorktree, findWorktree, prepareWorktree } from "../worktree/attempt-worktree.js";
import { claimIsGone, liveByHand } from "./find-hand-work.js";

export interface HandWorktree {
  readonly attempt: string;
  readonly task: string;
  readonly title: string;
  /** The folder to work in. */
  readonly worktree: string;
  readonly branch: string;
  readonly base: string;
  /** What is its own in the environment. */
  readonly env: Readonly<Record<string, string>>;
  /** It was begun before. */
  readonly resumed: boolean;
}

export interface BeginInput {
  readonly reference: string;
  /** Why you work on it although work in progress touches the same files. */
  readonly despite?: string;
}

/** Begins, or says again where it is. */
export async function beginByHand(
  services: EngineServices,
  { reference, despite: reason }: BeginInput,
  signal: AbortSignal,
): Promise<Result<HandWorktree>> {
  const { context } = services;
  const despite = mayOverride(context, reason);
  if (!despite.ok) return despite;
  const repository = await requireRepository(context);
  if (!repository.ok) return repository;
  await expireLeases(context);
  const found = await context.store.read((reader) => resolve(reader, reference, context.actor));
  if (!found.ok) return found;
  const begun = await liveByHand(services, found.value);
  if (begun && (await canResume(services, begun))) {
    return resume(services, begun, signal).catch((error: unknown) => notPrepared(begun, error));
  }
  const live = await claim(services, begun?.task ?? found.value, despite.value);
  if (!live.ok) return live;
  try {
    const tree = await prepareWorktree(services, live.value, signal);
    await enterState(services, live.value, { to: "working" });
    return ok(toHandWorktree(live.value, tree, false));
  } catch (error) {
    return releaseUnprepared(services, live.value, error);
  }
}

/** A program that was killed before the worktree was ready left nothing to go on with, and neither did a lost claim. */
async function canResume(services: EngineServices, live: LiveAttempt): Promise<boolean> {
  const { state, worktree } = live.attempt;
  const ready = canHandIn(state) && worktree !== null && existsSync(join(worktree, ".git"));
  if (ready && !(await claimIsGone(services, live))) return true;
  await recover(services, live.key);
  return false;
}

async function resume(services: EngineServices, live: LiveAttempt, signal: AbortSignal): Promise<Result<HandWorktree>> {
  const tree = await findWorktree(services, live, signal);
  // Asking again shows that the work goes on.
  if (live.attempt.state === "working") await enterState(services, live, { to: "working" });
  return ok(toHandWorktree(live, tree, true));
}

async function claim(services: EngineServices, task: Node, despite: string | null): Promise<Result<LiveAttempt>> {
  const name = services.context.actor.replace(/^human:/, "");
  return beginAttempt(services, task.nr, { as: { kind: "person", name, model: null } }, { despite });
}

async function releaseUnprepared(services: EngineServices, live: LiveAttempt, error: unknown): Promise<Result<never>> {
  if (!(error instanceof ClaimLost)) await endGivenBack(services, live, wordsOf(error));
  return notPrepared(live, error);
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const notPrepared = ({ key, task }: LiveAttempt, error: unknown): Result<never> =>
  refused("not-prepared", `The folder for ${task.id} could not be prepared: ${wordsOf(error)}`, {
    next: [step("attempt.show", { id: key })],
  });

/** The person's own shell has everything else already. */
const OWN = /^(PLANWRIGHT_\w+|TMPDIR|TMP|TEMP)$/;

function toHandWorktree({ key, task, attempt }: LiveAttempt, tree: AttemptWorktree, resumed: boolean): HandWorktree {
  tree.release();
  return {
    attempt: key,
    task: task.id,
    title: task.title,
    worktree: tree.worktree,
    branch: attempt.branch ?? "",
    base: tree.base,
    env: Object.fromEntries(Object.entries(tree.input.env).filter(([name]) => OWN.test(name))),
    resumed,
  };
}

export interface HandWorkEntry {
  readonly attempt: string;
  readonly task: string;
  readonly by: string;
  readonly worktree: string;
  /** Null once it has ended: then only the folder is left. */
  readonly since: string | null;
}

const OWN_FOLDER = /^ATT-\d+$/;

/** What people work on, and folders that they kept. */
export function listByHand({ context, policy }: EngineServices): Promise<HandWorkEntry[]> {
  const folder = policy.worktrees;
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => OWN_FOLDER.test(name)) : [];
  return context.store.read(async (reader) => {
    const live = await reader.items("attempt", { state: LIVE });
    const items = live.filter(({ fields }) => isByHand(fields));
    for (const name of names.sort()) {
      const item = await reader.item("attempt", name);
      if (item && hasEnded(item.fields.state)) items.push(item);
    }
    const lines: HandWorkEntry[] = [];
    for (const { key, fields } of items) {
      const since = hasEnded(fields.state) ? null : new Date(fields.startedAt).toISOString();
      const task = (await reader.idOf(fields.task)) ?? fields.taskId;
      lines.push({ attempt: key, task, by: fields.by, worktree: fields.worktree ?? join(folder, key), since });
    }
    return lines;
  });
}
