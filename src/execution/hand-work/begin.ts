// A person works as an attempt does: a claim, a worktree and a branch of its own, an environment, the same checks and the
// same way onto the feature's branch. Nobody drives it; the person says when it is done.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expireLeases } from "../../actions/claim/expire.js";
import { mayOverride } from "../../actions/claim/start.js";
import { requirePerson } from "../../actions/require-person.js";
import { resolve } from "../../actions/resolve.js";
import { hasEnded } from "../../graph/attempt/attempt.js";
import { LIVE } from "../../graph/item/item.js";
import { step } from "../../graph/next-step.js";
import type { Node } from "../../graph/node/node.js";
import { ok, type Result, refused } from "../../graph/result.js";
import { beginAttempt } from "../attempt/begin.js";
import { endGivenBack } from "../attempt/ends.js";
import { type Live, Lost, move } from "../attempt/moves.js";
import { findGround, type Ground, prepareGround } from "../attempt/workspace.js";
import { requireRepository } from "../engine/require-repository.js";
import type { Services } from "../engine/services.js";
import { recover } from "../recovery/reconcile.js";
import { claimIsGone, liveByHand } from "./find.js";

export interface HandPlace {
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
  services: Services,
  { reference, despite: reason }: BeginInput,
  signal: AbortSignal,
): Promise<Result<HandPlace>> {
  const { context } = services;
  const despite = mayOverride(context, reason);
  if (!despite.ok) return despite;
  const may = requirePerson(context.actor, "work by hand");
  if (!may.ok) return may;
  const repository = await requireRepository(context);
  if (!repository.ok) return repository;
  await expireLeases(context);
  const found = await context.store.read((reader) => resolve(reader, reference, context.actor));
  if (!found.ok) return found;
  const begun = await liveByHand(services, found.value);
  if (begun && (await isStanding(services, begun))) {
    return resume(services, begun, signal).catch((error: unknown) => notPrepared(begun, error));
  }
  const live = await claim(services, begun?.task ?? found.value, despite.value);
  if (!live.ok) return live;
  try {
    const ground = await prepareGround(services, live.value, signal);
    await move(services, live.value, { to: "working" });
    return ok(placeOf(live.value, ground, false));
  } catch (error) {
    return giveUp(services, live.value, error);
  }
}

/** A program that was killed before the worktree was ready left nothing to go on with, and neither did a lost claim. */
async function isStanding(services: Services, live: Live): Promise<boolean> {
  const { state, worktree } = live.attempt;
  const ready = state !== "claimed" && state !== "prepared" && worktree !== null && existsSync(join(worktree, ".git"));
  if (ready && !(await claimIsGone(services, live))) return true;
  await recover(services, live.key);
  return false;
}

async function resume(services: Services, live: Live, signal: AbortSignal): Promise<Result<HandPlace>> {
  const ground = await findGround(services, live, signal);
  // Whoever looks again is still at it.
  if (live.attempt.state === "working") await move(services, live, { to: "working" });
  return ok(placeOf(live, ground, true));
}

async function claim(services: Services, task: Node, despite: string | null): Promise<Result<Live>> {
  const name = services.context.actor.replace(/^human:/, "");
  return beginAttempt(services, task.nr, { as: { kind: "person", name, model: null } }, { despite });
}

async function giveUp(services: Services, live: Live, error: unknown): Promise<Result<never>> {
  if (!(error instanceof Lost)) await endGivenBack(services, live, wordsOf(error));
  return notPrepared(live, error);
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const notPrepared = ({ key, task }: Live, error: unknown): Result<never> =>
  refused("not-prepared", `The folder for ${task.id} could not be prepared: ${wordsOf(error)}`, {
    next: [step("attempt.show", { id: key })],
  });

/** The person's own shell has everything else already. */
const OWN = /^(PLANWRIGHT_\w+|TMPDIR|TMP|TEMP)$/;

function placeOf({ key, task, attempt }: Live, ground: Ground, resumed: boolean): HandPlace {
  ground.release();
  return {
    attempt: key,
    task: task.id,
    title: task.title,
    worktree: ground.worktree,
    branch: attempt.branch ?? "",
    base: ground.base,
    env: Object.fromEntries(Object.entries(ground.work.env).filter(([name]) => OWN.test(name))),
    resumed,
  };
}

export interface HandLine {
  readonly attempt: string;
  readonly task: string;
  readonly by: string;
  readonly worktree: string;
  /** Null once it has ended: then only the folder is left. */
  readonly since: string | null;
}

const OWN_FOLDER = /^ATT-\d+$/;

/** What people work on, and folders that they kept. */
export function listByHand({ context, policy }: Services): Promise<HandLine[]> {
  const folder = join(context.root, policy.worktrees);
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => OWN_FOLDER.test(name)) : [];
  return context.store.read(async (reader) => {
    const live = await reader.items("attempt", { state: LIVE });
    const items = live.filter(({ fields }) => fields.worker.kind === "person");
    for (const name of names.sort()) {
      const item = await reader.item("attempt", name);
      if (item && hasEnded(item.fields.state)) items.push(item);
    }
    const lines: HandLine[] = [];
    for (const { key, fields } of items) {
      const since = hasEnded(fields.state) ? null : new Date(fields.startedAt).toISOString();
      const task = (await reader.idOf(fields.task)) ?? fields.taskId;
      lines.push({ attempt: key, task, by: fields.by, worktree: fields.worktree ?? join(folder, key), since });
    }
    return lines;
  });
}
