import type { EngineServices } from "../../engine/services.js";
import type { NextStep } from "../../model/next-step.js";
import { ok, type Result, refused } from "../../model/result.js";
import type { Context } from "../../plan/base/context.js";
import { requireTrust } from "../consent/trust.js";
import { flag, optional, wholeNumber } from "../kit/schema.js";
import type { Execution, Session } from "../kit/session.js";

export const executionOf = async (session: Session): Promise<Execution> => (await session.engines()).execution();

/** Refuses while the settings need your trust: nothing runs with settings that only the file wants. */
export async function trustedExecutionOf(session: Session): Promise<Result<Execution>> {
  const trusted = requireTrust(session);
  return trusted.ok ? ok(await executionOf(session)) : trusted;
}

export const watched = (
  session: Partial<Pick<Session, "emit">>,
  { services }: Pick<Execution, "services">,
): EngineServices => ({ ...services, onEvent: (event) => session.emit?.({ kind: "engine", event }) });

/** The engine's services, acting as the caller instead of as a daemon. */
export const asAsker = (
  asker: Context & Partial<Pick<Session, "emit">>,
  execution: Pick<Execution, "services">,
): EngineServices => ({ ...watched(asker, execution), context: asker });

export const parallel = optional(wholeNumber("how many workers at once", 1, 16));
export const unsandboxed = optional(flag("allow workers without a sandbox on this machine, if it has none"));

interface Confirmation {
  readonly question: string;
  /** The refusal where there is no person to ask. */
  readonly unanswered: string;
  /** The same with your yes in it, and what to do without one. */
  readonly confirmed: NextStep;
  readonly instead: NextStep;
}

export async function sure(
  session: Session,
  { question, unanswered, confirmed, instead }: Confirmation,
): Promise<Result<void>> {
  if (!session.confirm) return refused("needs-yes", unanswered, { next: [confirmed, instead] });
  if (await session.confirm(question)) return ok(undefined);
  return refused("declined", "Nothing was changed.", { next: [instead] });
}
