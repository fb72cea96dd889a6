// Renews the claim of a running attempt, and stops its worker when the claim is gone.

import { renewHeld } from "../../plan/claim/renew.js";
import type { EngineServices } from "../services.js";
import { type LiveAttempt, ownsClaim } from "./attempt-state.js";

/** Renewing writes an operation and looking does not, so we look more often: a worker without a claim stops soon. */
const LOOK_MS = 10_000;

/** A renewal or look that fails changes nothing: the next state change checks the claim again. */
export function heartbeatOf({ context }: EngineServices, live: LiveAttempt): { stop(): void } {
  const held = { reference: live.task.id };
  const every = (context.settings.leaseMinutes * 60_000) / 3;
  const look = async (): Promise<void> => {
    const now = await context.store.read((reader) => reader.node(live.task.nr));
    if (!ownsClaim(now, live.attempt)) live.lost?.abort();
  };
  const beats = setInterval(() => void renewHeld(context, held, live.attempt.token).catch(() => undefined), every);
  const looks = setInterval(() => void look().catch(() => undefined), Math.min(LOOK_MS, every));
  return {
    stop: () => {
      clearInterval(beats);
      clearInterval(looks);
    },
  };
}
