// What is noted about work that somebody hands in by hand: in its transcript, and in the attempt when the hand-in itself failed.

import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { Transcript } from "../../machine/agents/transcript.js";
import { transcriptFile } from "../attempt/attempt-places.js";
import { enterState, type LiveAttempt } from "../attempt/attempt-state.js";
import type { EngineServices } from "../services.js";

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
