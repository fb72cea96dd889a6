// A person works as an attempt does: a claim, a worktree and a branch of its own, an environment, the same checks and the
// same way onto the feature's branch. No program drives it; the person says when it is done.

import { existsSync, mkdirSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { messageOf } from "../../base/errors.js";
import { isInside } from "../../base/paths.js";
import { Transcript } from "../../machine/agents/transcript.js";
import type { ChangeCommit } from "../../machine/git/change-set.js";
import type { TakenChange } from "../../machine/git/checkouts/checkout-changes.js";
import { canHandIn, hasEnded, isByHand, touchedBy } from "../../model/attempt/attempt.js";
import { LIVE } from "../../model/item/item.js";
import { step } from "../../model/next-step.js";
import type { Node } from "../../model/node/node.js";
import { absent, ok, type Result, refused, usage } from "../../model/result.js";
import { resolve } from "../../plan/base/resolve.js";
import { expireLeases } from "../../plan/claim/lease.js";
import { mayOverride } from "../../plan/claim/start.js";
import { requireRepository } from "../../plan/repository/require-repository.js";
import { transcriptFile } from "../attempt/attempt-places.js";
import { ClaimLost, enterState, type LiveAttempt } from "../attempt/attempt-state.js";
import { beginAttempt } from "../attempt/begin-attempt.js";
import { endGivenBack } from "../ending/end-attempt.js";
import { followMain } from "../judgement/follow-main.js";
import { recover } from "../recovery/reconcile.js";
import type { EngineServices } from "../services.js";
import { type AttemptWorktree, findWorktree, prepareWorktree } from "../worktree/attempt-worktree.js";

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
  const found = await context.store.read((reader) => resolve(reader, reference, context));
  if (!found.ok) return found;
  const begun = await liveByHand(services, found.value);
  if (begun && (await canResume(services, begun))) {
    return resume(services, begun).catch((error: unknown) => notPrepared(begun, error));
  }
  const as = { kind: "person", name: context.actor.replace(/^human:/, ""), model: null } as const;
  const live = await beginAttempt(services, found.value.nr, { as }, despite.value);
  if (!live.ok) return live;
  try {
    if (live.value.attempt.base === null) await followMain(services, live.value.task, signal);
    const tree = await prepareWorktree(services, live.value, signal);
    await enterState(services, live.value, { to: "working" });
    return ok(toHandWorktree(live.value, tree, false));
  } catch (error) {
    if (!(error instanceof ClaimLost)) await endGivenBack(services, live.value, messageOf(error));
    return notPrepared(live.value, error);
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

async function resume(services: EngineServices, live: LiveAttempt): Promise<Result<HandWorktree>> {
  const tree = await findWorktree(services, live);
  // Asking again shows that the work goes on.
  if (live.attempt.state === "working") await enterState(services, live, { to: "working" });
  return ok(toHandWorktree(live, tree, true));
}

const notPrepared = ({ key, task }: LiveAttempt, error: unknown): Result<never> =>
  refused("not-prepared", `The folder for ${task.id} could not be prepared: ${messageOf(error)}`, {
    next: [step("attempt.show", { id: key })],
  });

/** The person's own shell has everything else already. */
const OWN = /^(PLANWRIGHT_\w+|TMPDIR|TMP|TEMP)$/;

function toHandWorktree({ key, task, attempt }: LiveAttempt, tree: AttemptWorktree, resumed: boolean) {
  tree.release();
  return {
    attempt: key,
    task: task.id,
    title: task.title,
    worktree: tree.worktree,
    branch: attempt.branch ?? "",
    base: tree.base,
    /** What is its own in the environment. */
    env: Object.fromEntries(Object.entries(tree.input.env).filter(([name]) => OWN.test(name))),
    resumed,
  };
}

export type HandWorktree = Readonly<ReturnType<typeof toHandWorktree>>;

const OWN_FOLDER = /^ATT-\d+$/;

/** What people work on, and folders that they kept. */
export function listByHand({ context, policy }: EngineServices) {
  const folder = policy.worktrees;
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => OWN_FOLDER.test(name)) : [];
  return context.store.read(async (reader) => {
    const live = await reader.items("attempt", { state: LIVE });
    const items = live.filter(({ fields }) => isByHand(fields));
    for (const name of names.sort()) {
      const item = await reader.item("attempt", name);
      if (item && hasEnded(item.fields.state)) items.push(item);
    }
    const lines: { attempt: string; task: string; by: string; worktree: string; since: string | null }[] = [];
    for (const { key, fields } of items) {
      // Null once it has ended: then only the folder is left.
      const since = hasEnded(fields.state) ? null : new Date(fields.startedAt).toISOString();
      const task = (await reader.idOf(fields.task)) ?? fields.taskId;
      lines.push({ attempt: key, task, by: fields.by, worktree: fields.worktree ?? join(folder, key), since });
    }
    return lines;
  });
}

/** The asker's own work. No other process can begin meanwhile. */
async function liveByHand({ context }: EngineServices, task: Node): Promise<LiveAttempt | undefined> {
  const live = await context.store.read((reader) => reader.items("attempt", { owner: String(task.nr), state: LIVE }));
  const own = live.find(({ fields }) => isByHand(fields) && fields.by === context.actor);
  return own && { key: own.key, task, attempt: own.fields, lost: new AbortController() };
}

/** A freeze, a drop or the end of the lease took it away. */
export async function claimIsGone({ context }: EngineServices, { task, attempt }: LiveAttempt): Promise<boolean> {
  const now = await context.store.read((reader) => reader.node(task.nr));
  return now?.claim?.token !== attempt.token;
}

/** Finds the task by its reference, or else by the folder that you are in. */
export async function taskByHand({ context, policy }: EngineServices, reference?: string): Promise<Result<Node>> {
  const { store, cwd } = context;
  if (reference !== undefined) return store.read((reader) => resolve(reader, reference, context));
  const here = await store.read(async (reader) => {
    for (const { key, fields } of await reader.items("attempt", { state: LIVE })) {
      const folder = fields.worktree ?? join(policy.worktrees, key);
      if (isByHand(fields) && isInside(cwd, folder)) return reader.node(fields.task);
    }
    return undefined;
  });
  if (here) return ok(here);
  return usage("usage", "Say which task, or run this in its folder.", { next: [step("work.list")] });
}

export async function requireByHand(services: EngineServices, task: Node): Promise<Result<LiveAttempt>> {
  const own = await liveByHand(services, task);
  if (own) return ok(own);
  const { context } = services;
  const { id: reference, claim } = task;
  if (claim !== null && claim.by !== context.actor) {
    const message = `${reference} is being worked on by ${claim.by}, not by you.`;
    return refused("not-yours", message, { next: [step("show", { reference })] });
  }
  return absent("not-begun", `You have not started work on ${reference}.`, {
    next: [step("work.start", { reference })],
  });
}

/** The conversation of someone who works by hand is not ours to keep. What was handed in, and what came of it, is. */
export function noteInTranscript(services: EngineServices, { key }: LiveAttempt, text: string): void {
  const { context, redact } = services;
  const file = transcriptFile(services, key);
  mkdirSync(dirname(file), { recursive: true });
  new Transcript({ file, redact, now: () => new Date(context.now()) }).entry({ type: "notice", text });
}

export function noteHandIn(services: EngineServices, live: LiveAttempt, change: ChangeCommit | TakenChange): void {
  const what =
    "changes" in change ? touchedBy(change.changes).join(", ") : "problem" in change ? "a change" : "no change";
  noteInTranscript(services, live, `${services.context.actor} handed in ${what}.`);
}

/**
 * The hand-in failed, and not because of the work: its worker goes on where it was. If that cannot be written either, or another
 * hand-in took the attempt over, the next one finds the attempt as it is.
 */
export async function backToWork(services: EngineServices, live: LiveAttempt, note: string): Promise<void> {
  const isOurFolder = live.attempt.checkout !== undefined;
  const patch = { note, ...(isOurFolder && { slot: null, worktree: null }) };
  await enterState(services, live, { to: "working", patch }).catch(() => undefined);
}
