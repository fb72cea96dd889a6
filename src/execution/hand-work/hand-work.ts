// Where a person begins and ends work by hand: what the command line is given.

import type { Context } from "../../actions/context.js";
import type { Result } from "../../graph/result.js";
import type { EngineServices } from "../engine/services.js";
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

/** The person acts, and no agent reviews their work. */
export function openHandWork(given: EngineServices, person: Context): HandWork {
  const context = { ...person, settings: { ...person.settings, leaseMinutes: LEASE_DAYS * 24 * 60 } };
  const services: EngineServices = { ...given, context, policy: { ...given.policy, review: false } };
  return {
    begin: (input, signal) => beginByHand(services, input, signal),
    finish: (input, signal) => finishByHand(services, input, signal),
    abandon: (input) => abandonByHand(services, input),
    list: () => listByHand(services),
  };
}
