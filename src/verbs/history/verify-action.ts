// Does the log hold together, and does it arrive at exactly the stored rows when it is replayed?

import { readLogHead } from "../../machine/git/log-head.js";
import { findRepository } from "../../machine/git/repository.js";
import { step } from "../../model/next-step.js";
import { ok, problems, type Result } from "../../model/result.js";
import type { Context } from "../../plan/context.js";
import { requirePerson } from "../../plan/require-person.js";
import type { CheckSignature, Verification } from "../../store/store.js";

export interface VerifiedPlan extends Verification {
  /** How many differences were repaired, if that was asked for. */
  readonly repaired?: number;
  /** A copy of the plan from before the repair. */
  readonly backup?: string;
}

/** Without `checkSignature`, for lack of a secret, signatures from before the plan knew people count neither for nor against. */
export async function verifyPlan(
  context: Pick<Context, "store" | "root">,
  checkSignature?: CheckSignature,
): Promise<Result<VerifiedPlan>> {
  const noted = findRepository(context.root) ? await readLogHead(context.root) : null;
  const verification = await context.store.verify({
    ...(checkSignature && { checkSignature }),
    expect: noted && { ...noted, source: "the git repository" },
  });
  const problem = problemOf(verification, verification.log.hasPeople || checkSignature !== undefined);
  if (problem === undefined) return ok(verification);
  const canRepair = verification.log.broken === null && verification.log.signatures.wrong.length === 0;
  const { differences, log } = verification;
  const isUnknown = canRepair && log.hasPeople && log.signatures.unknownKey.length + log.signatures.unsigned.length > 0;
  const next = [
    step("log"),
    canRepair && differences.length > 0 ? step("verify", { repair: true }) : step("backup.list"),
    ...(isUnknown ? [step("people.confirm"), step("people.list")] : []),
  ];
  return problems("problems", problem, { details: { ...verification, problem }, next });
}

export interface RepairOptions {
  readonly checkSignature?: CheckSignature;
  /** The path of a copy of the plan as it is. */
  readonly backUp: () => Promise<string>;
}

/** Builds the rows again from the log, if the log itself holds. */
export async function repairPlan(
  context: Context,
  { checkSignature, backUp }: RepairOptions,
): Promise<Result<VerifiedPlan>> {
  const may = requirePerson(context.actor, "repair the plan");
  if (!may.ok) return may;
  const { actor, now, head, store, root } = context;
  const backup = await backUp();
  const noted = findRepository(root) ? await readLogHead(root) : null;
  const expect = noted && { ...noted, source: "the git repository" };
  const repaired = await store.repair(
    { actor, verb: "repair", now, commit: head() },
    { ...(checkSignature && { checkSignature }), expect },
  );
  if (!repaired.ok) return repaired;
  const verified = await verifyPlan(context, checkSignature);
  return verified.ok ? ok({ ...verified.value, repaired: repaired.value.repaired.length, backup }) : verified;
}

/** The worst first: what the log says counts only while the log itself holds. */
function problemOf({ log, differences }: Verification, isSigned: boolean): string | undefined {
  const { broken } = log;
  if (broken) {
    return `The log was changed by something other than this program. The first broken link is operation ${broken.op}: ${broken.problem}.`;
  }
  const { wrong, unsigned, unknownKey } = log.signatures;
  if (wrong.length > 0) return `${operations(wrong)}: the signature is false, so no person with your secret did this.`;
  if (unknownKey.length > 0 && log.hasPeople) {
    return `${operations(unknownKey)}: approved with a secret that this plan does not know. What was approved so does not run.`;
  }
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
