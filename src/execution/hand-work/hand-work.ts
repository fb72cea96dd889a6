// Where a person begins and ends work by hand: what the command line is given.

import type { Context } from "../../actions/context.js";
import type { Result } from "../../graph/result.js";
import type { Services } from "../engine/services.js";
import { type BeginInput, beginByHand, type HandLine, type HandPlace, listByHand } from "./begin.js";
import { abandonByHand, type EndInput, finishByHand, type Handed } from "./end.js";

export interface HandWork {
  begin(input: BeginInput, signal: AbortSignal): Promise<Result<HandPlace>>;
  finish(input: EndInput, signal: AbortSignal): Promise<Result<Handed>>;
  abandon(input: EndInput): Promise<Result<Handed>>;
  list(): Promise<HandLine[]>;
}

/** People sleep, and go on holiday. */
const LEASE_DAYS = 30;

/** The person acts, and no agent reviews their work. */
export function openHandWork(given: Services, person: Context): HandWork {
  const context = { ...person, settings: { ...person.settings, leaseMinutes: LEASE_DAYS * 24 * 60 } };
  const services: Services = { ...given, context, policy: { ...given.policy, review: false } };
  return {
    begin: (input, signal) => beginByHand(services, input, signal),
    finish: (input, signal) => finishByHand(services, input, signal),
    abandon: (input) => abandonByHand(services, input),
    list: () => listByHand(services),
  };
}
