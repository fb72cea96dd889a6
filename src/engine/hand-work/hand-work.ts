// Begins and ends work by hand.

import { isPerson } from "../../model/actor.js";
import type { Result } from "../../model/result.js";
import type { Context } from "../../plan/context.js";
import type { EngineServices } from "../services.js";
import { type BeginInput, beginByHand, type HandWorkEntry, type HandWorktree, listByHand } from "./begin-hand-work.js";
import { abandonByHand, type EndInput, finishByHand, type HandInResult } from "./end-hand-work.js";

export interface HandWork {
  begin(input: BeginInput, signal: AbortSignal): Promise<Result<HandWorktree>>;
  finish(input: EndInput, signal: AbortSignal): Promise<Result<HandInResult>>;
  abandon(input: EndInput): Promise<Result<HandInResult>>;
  list(): Promise<HandWorkEntry[]>;
}

/** People sleep, and go on holiday. */
const LEASE_DAYS = 30;

/** A person has a long lease, an agent the usual one. */
export function openHandWork(given: EngineServices, asker: Context): HandWork {
  const leaseMinutes = isPerson(asker.actor) ? LEASE_DAYS * 24 * 60 : asker.settings.leaseMinutes;
  const context = { ...asker, settings: { ...asker.settings, leaseMinutes } };
  const services: EngineServices = { ...given, context };
  return {
    begin: (input, signal) => beginByHand(services, input, signal),
    finish: (input, signal) => finishByHand(services, input, signal),
    abandon: (input) => abandonByHand(services, input),
    list: () => listByHand(services),
  };
}
