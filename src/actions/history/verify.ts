// Does the log hold together, and does it arrive at exactly the stored rows when it is replayed?

import { readLogHead } from "../../git/log-head.js";
import { findRepository } from "../../git/repository.js";
import { step } from "../../graph/next-step.js";
import { ok, problems, type Result } from "../../graph/result.js";
import type { CheckSignature, Verification } from "../../store/store.js";
import type { Context } from "../context.js";

export type { Verification } from "../../store/store.js";

/** Without `checkSignature`, for lack of a secret, signatures count neither for nor against. */
export async function verifyPlan(
  context: Pick<Context, "store" | "root">,
  checkSignature?: CheckSignature,
): Promise<Result<Verification>> {
  const noted = findRepository(context.root) ? await readLogHead(context.root) : null;
  const verification = await context.store.verify({
    ...(checkSignature && { checkSignature }),
    expect: noted && { ...noted, source: "the git repository" },
  });
  const problem = problemOf(verification, checkSignature !== undefined);
  if (problem === undefined) return ok(verification);
  return problems("problems", problem, { details: { ...verification }, next: [step("log")] });
}

/** The worst first: what the log says counts only while the log itself holds. */
function problemOf({ log, differences }: Verification, isSigned: boolean): string | undefined {
  const { broken } = log;
  if (broken) {
    return `The log was changed by something other than this program. The first broken link is operation ${broken.op}: ${broken.problem}.`;
  }
  const { wrong, unsigned, unknownKey } = log.signatures;
  if (wrong.length > 0) return `${operations(wrong)}: the signature is false, so no person with your secret did this.`;
  if (isSigned && unknownKey.length > 0) {
    return `${operations(unknownKey)}: signed with a secret that is not in your secret file. If it is an earlier one of yours or a colleague's, add it there as another line.`;
  }
  if (isSigned && unsigned.length > 0)
    return `${operations(unsigned)}: approved without a signature, so nothing proves that a person did it.`;
  if (differences.length === 0) return undefined;
  const count = differences.length === 1 ? "1 difference" : `${differences.length} differences`;
  return `${count} between the log and the stored plan.`;
}

const operations = (ops: readonly number[]): string =>
  ops.length === 1 ? `Operation ${ops[0]}` : `Operations ${ops.slice(0, 10).join(", ")}${ops.length > 10 ? ", …" : ""}`;
