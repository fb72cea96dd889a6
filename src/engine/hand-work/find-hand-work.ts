// The attempt that a person works on, by its task or by the folder that they are in.

import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { isInside } from "../../base/paths.js";
import { Transcript } from "../../machine/agents/transcript.js";
import { isByHand } from "../../model/attempt/attempt.js";
import { type Item, LIVE } from "../../model/item/item.js";
import { step } from "../../model/next-step.js";
import type { Node } from "../../model/node/node.js";
import { absent, ok, type Result, refused, usage } from "../../model/result.js";
import { resolve } from "../../plan/base/resolve.js";
import { transcriptFile } from "../attempt/attempt-places.js";
import type { LiveAttempt } from "../attempt/attempt-state.js";
import { enterState } from "../attempt/attempt-state.js";
import type { EngineServices } from "../services.js";

const toLive = ({ key, fields }: Item<"attempt">, task: Node): LiveAttempt => ({
  key,
  task,
  attempt: fields,
  lost: new AbortController(),
});

/** By any actor: a second one cannot begin meanwhile. */
export async function liveByHand({ context }: EngineServices, task: Node): Promise<LiveAttempt | undefined> {
  const live = await context.store.read((reader) => reader.items("attempt", { owner: String(task.nr), state: LIVE }));
  const own = live.find(({ fields }) => isByHand(fields) && fields.by === context.actor);
  return own && toLive(own, task);
}

/** A freeze, a drop or the end of the lease took it away. */
export async function claimIsGone({ context }: EngineServices, { task, attempt }: LiveAttempt): Promise<boolean> {
  const now = await context.store.read((reader) => reader.node(task.nr));
  return now?.claim?.token !== attempt.token;
}

/** By its reference, or else the one whose folder this is. */
export async function taskByHand(
  { context, policy }: EngineServices,
  reference: string | undefined,
): Promise<Result<Node>> {
  const { store, actor, cwd } = context;
  if (reference !== undefined) return store.read((reader) => resolve(reader, reference, actor));
  const here = await store.read(async (reader) => {
    for (const { key, fields } of await reader.items("attempt", { state: LIVE })) {
      const folder = fields.worktree ?? join(policy.worktrees, key);
      if (isByHand(fields) && isInside(cwd, folder)) return reader.node(fields.task);
    }
    return undefined;
  });
  if (here) return ok(here);
  return usage("usage", "Say which task, or run this in its folder.", {
    next: [step("work.list")],
  });
}

export async function requireByHand(services: EngineServices, task: Node): Promise<Result<LiveAttempt>> {
  const own = await liveByHand(services, task);
  if (own) return ok(own);
  const { context } = services;
  if (task.claim !== null && task.claim.by !== context.actor) {
    return refused("not-yours", `${task.id} is being worked on by ${task.claim.by}, not by you.`, {
      next: [step("show", { reference: task.id })],
    });
  }
  return absent("not-begun", `You have not started work on ${task.id}.`, {
    next: [step("work.start", { reference: task.id })],
  });
}

/** The conversation of someone who works by hand is not ours to keep. What was handed in, and what came of it, is. */
export function noteInTranscript(services: EngineServices, { key }: LiveAttempt, text: string): void {
  const { context, redact } = services;
  const file = transcriptFile(services, key);
  mkdirSync(dirname(file), { recursive: true });
  new Transcript({ file, redact, now: () => new Date(context.now()) }).entry({ type: "notice", text });
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
