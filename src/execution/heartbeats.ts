// Keeps the claim of an attempt alive while it is worked on.

import { heartbeat } from "../actions/heartbeat.js";
import type { Live } from "./moves.js";
import type { Services } from "./services.js";

/** A beat that does not get through decides nothing: whether the claim still stands is asked with the next move. */
export function heartbeatOf({ context }: Services, live: Live): { stop(): void } {
  const held = { reference: live.task.id, token: live.attempt.token };
  const every = (context.settings.leaseMinutes * 60_000) / 3;
  const timer = setInterval(() => void heartbeat(context, held).catch(() => undefined), every);
  return { stop: () => clearInterval(timer) };
}
