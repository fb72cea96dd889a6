// Where a person begins and ends work by hand: what the command line is given.

import type { Context } from "../../actions/context.js";
import type { Result } from "../../graph/result.js";
import type { EngineEvent, Services } from "../engine/services.js";
import { type BeginInput, beginByHand, type HandLine, type HandPlace, listByHand } from "./begin.js";
import { abandonByHand, type EndInput, finishByHand, type Handed } from "./end.js";

export interface Watched {
  readonly signal: AbortSignal;
  onEvent(event: EngineEvent): void;
}

export interface HandWork {
  begin(input: BeginInput, watched: Watched): Promise<Result<HandPlace>>;
  finish(input: EndInput, watched: Watched): Promise<Result<Handed>>;
  abandon(input: EndInput, watched: Watched): Promise<Result<Handed>>;
  list(): Promise<HandLine[]>;
}

/** People sleep, and go on holiday. */
const LEASE_DAYS = 30;

/** The person is the one who acts, and no agent looks their work through. */
export function openHandWork(given: Omit<Services, "onEvent">, person: Context): HandWork {
  const context = { ...person, settings: { ...person.settings, leaseMinutes: LEASE_DAYS * 24 * 60 } };
  const policy = { ...given.policy, review: false };
  const services = ({ onEvent }: Pick<Watched, "onEvent">): Services => ({ ...given, context, policy, onEvent });
  return {
    begin: (input, watched) => beginByHand(services(watched), input, watched.signal),
    finish: (input, watched) => finishByHand(services(watched), input, watched.signal),
    abandon: (input, watched) => abandonByHand(services(watched), input),
    list: () => listByHand(services({ onEvent: () => undefined })),
  };
}
