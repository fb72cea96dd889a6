import type { EngineServices } from "../../engine/services.js";
import type { NextStep } from "../../model/next-step.js";
import { ok, type Result, refused } from "../../model/result.js";
import type { Context } from "../../plan/base/context.js";
import { requireTrust } from "../consent/require-trust.js";
import { optional, wholeNumber } from "../kit/schema.js";
import type { Session } from "../kit/session.js";
import type { LiveDisplay, Terminal } from "../kit/view.js";
import type { Execution } from "../services/execution.js";
import { harmless } from "../text/wording.js";

/** What a program says while it works, one line each. */
export const lines = (terminal: Terminal): LiveDisplay => ({
  onEvent: (event) => {
    if (event.kind !== "engine") return;
    if (event.event.type === "line") terminal.progress(`${terminal.style.dim(harmless(event.event.line))}\n`);
    if (event.event.type === "notice") terminal.progress(`${harmless(event.event.text)}\n`);
  },
  close: () => undefined,
});

export const executionOf = async (session: Session): Promise<Result<Execution>> =>
  (await session.engines()).execution();

/** The same, unless the settings need your trust first: nothing runs with settings that only the file wants. */
export async function trustedExecutionOf(session: Session): Promise<Result<Execution>> {
  const execution = await executionOf(session);
  const trusted = execution.ok ? requireTrust(session) : execution;
  return trusted.ok ? execution : trusted;
}

/** The engine's services, with events for the caller. */
export const watched = (
  session: Partial<Pick<Session, "emit">>,
  { services }: Pick<Execution, "services">,
): EngineServices => ({ ...services, onEvent: (event) => session.emit?.({ kind: "engine", event }) });

/** The same, acting as the caller instead of as a daemon. */
export const asAsker = (
  asker: Context & Partial<Pick<Session, "emit">>,
  execution: Pick<Execution, "services">,
): EngineServices => ({ ...watched(asker, execution), context: asker });

export const parallel = optional(wholeNumber("how many workers at once", 1, 16));

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
