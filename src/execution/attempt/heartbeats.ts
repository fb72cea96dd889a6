// Keeps the claim of an attempt alive while it is worked on, and stops its worker when the claim is gone.

import { renewClaim } from "../../actions/claim/renew.js";
import type { EngineServices } from "../engine/services.js";
import { type LiveAttempt, ownsClaim } from "./attempt-state.js";

/** A beat is written down, a look costs nothing: so whoever lost the claim hears of it soon. */
const LOOK_MS = 10_000;

/** A beat or a look that does not get through decides nothing: the next move asks whether the claim still stands. */
export function heartbeatOf({ context }: EngineServices, live: LiveAttempt): { stop(): void } {
  const held = { reference: live.task.id, token: live.attempt.token };
  const every = (context.settings.leaseMinutes * 60_000) / 3;
  const look = async (): Promise<void> => {
    const now = await context.store.read((reader) => reader.node(live.task.nr));
    if (!ownsClaim(now, live.attempt)) live.lost?.abort();
  };
  const beats = setInterval(() => void renewClaim(context, held).catch(() => undefined), every);
  const looks = setInterval(() => void look().catch(() => undefined), Math.min(LOOK_MS, every));
  return {
    stop: () => {
      clearInterval(beats);
      clearInterval(looks);
    },
  };
}
