import { type HandInInput, handInCheckout } from "../../engine/hand-work/hand-in.js";
import type { Result } from "../../model/result.js";
import type { Completion } from "../../plan/claim/complete.js";
import { asAsker, executionOf } from "../execution/execution-shared.js";
import type { Session } from "../kit/session.js";

export async function judgeHandIn(session: Session, input: HandInInput): Promise<Result<Completion>> {
  const execution = await executionOf(session);
  if (!execution.ok) return execution;
  const services = asAsker(session, execution.value);
  return execution.value.contain(() => handInCheckout(services, input, session.signal));
}
