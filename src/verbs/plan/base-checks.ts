import { type BaseChecks, checkBase } from "../../engine/judgement/check-base.js";
import type { Node } from "../../model/node/node.js";
import { fail, ok, type Result } from "../../model/result.js";
import { asAsker, trustedExecutionOf } from "../execution/engine-access.js";
import type { Session } from "../kit/session.js";
import { withinLine } from "../kit/wording.js";

export interface WithBaseChecks {
  readonly base?: BaseChecks;
}

/** Nothing runs that nobody approved, unless a person who is there sees the commands and says yes. */
const askFor =
  ({ confirm }: Pick<Session, "confirm">) =>
  async (tasks: readonly Node[]): Promise<boolean> => {
    if (confirm === undefined) return false;
    const commands = tasks.flatMap(({ id, checks }) => checks.map(({ run }) => `  ${id}: ${withinLine(run)}`));
    return confirm(`Nobody approved these commands:\n${commands.join("\n")}\nRun them now?`);
  };

/** Adds how the checks stand to an answer, also to one that names problems. */
export async function withBaseChecks<T>(session: Session, reference: string | undefined, answer: Result<T>) {
  if (!answer.ok && answer.error.reason !== "problems") return answer;
  const execution = await trustedExecutionOf(session);
  if (!execution.ok) return execution;
  const services = asAsker(session, execution.value);
  const base = await execution.value.contain(() => checkBase(services, reference, session.signal, askFor(session)));
  if (!base.ok) return base;
  if (answer.ok) return ok({ ...answer.value, base: base.value });
  return fail({ ...answer.error, details: { ...answer.error.details, base: base.value } });
}
