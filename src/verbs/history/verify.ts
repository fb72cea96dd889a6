import type { Context } from "../../plan/base/context.js";
import { requirePerson } from "../../plan/node/require-person.js";
import type { LogWitness } from "../../store/log-witness.js";
import type { CheckSignature, Verification } from "../../store/verification.js";
import { fields, flag, ok, optional, planVerb, problems, type Result, type Session, step } from "../kit/verb.js";
import { harmless, plural } from "../kit/wording.js";

export const input = fields({ repair: optional(flag("build the rows again from the log")) });

export const verb = planVerb({
  command: { words: "verify", group: "look" },
  summary: "Check the log and compare it with the plan",
  description:
    "Reads every page of the file. Then it follows the chain of hashes from the first operation to the last, names the first broken link, and asks git, the note beside the file and the backups whether the log went on. Then it builds every row again from the operations alone, and everything that is derived from the rows, and compares both with what is stored. A difference means that something other than this program changed the file. At most 100 differences are listed. With --repair, only for you: if the log holds, all rows are built again from it, after a backup.",
  effect: "writes",
  looksOnly: ({ repair = false }) => !repair,
  input,
  examples: [
    { input: {}, does: "checks every operation and every row" },
    { input: { repair: true }, does: "also builds rows again that something else changed" },
  ],
  run: async (session, { repair = false }) => {
    const { oldSignatureCheck } = await import("../consent/person.js");
    const checkSignature = oldSignatureCheck(session);
    return repair ? repairPlan(session, checkSignature) : verifyPlan(session, checkSignature);
  },
  text: ({ operations, rows, log, repaired }, style) => [
    repaired === 0 && "There was nothing to repair.",
    repaired !== undefined && repaired > 0 && `Built the rows again from the log: ${repaired} differences repaired.`,
    `${style.green("✓")} ${operations} operations replayed: all ${rows} rows are as they should be.`,
    ...notesOn(log).map((note) => style.dim(`  ${note}`)),
  ],
  note: ({ backup }) => (backup === undefined ? "" : `Backup of the plan before the repair: ${backup}`),
  problems: ({ problem, differences = [], damage = [] }: Partial<Found> & { readonly problem: string }, style) => [
    `${style.red("✗")} ${harmless(problem)}`,
    ...damage.map((line) => `  ${harmless(line)}`),
    ...differences.map(
      ({ row, field, stored, replayed }) =>
        `  ${style.bold(harmless(row))} ${field}: ${harmless(short(stored))} is stored, ${harmless(short(replayed))} follows from the log`,
    ),
  ],
});

type Found = Pick<VerifiedPlan, "differences"> & { readonly damage: readonly string[] };

/** What the log says is not asked of a file that cannot be read whole. */
async function damaged(damage: readonly string[], { root, env }: Checked): Promise<Result<never>> {
  const { listBackups } = await import("../safety/backups.js");
  const newest = env && (await listBackups(root, env)).find(({ replaced, otherPlan }) => !replaced && !otherPlan);
  const restore = newest ? [step("backup.restore", { file: newest.file })] : [];
  const problem = `The file of the plan is damaged: ${plural(damage.length, "page or index", "pages or indexes")} cannot be read. What is still readable works on, but may be wrong. Restore a backup.`;
  return problems("problems", problem, { details: { damage, problem }, next: [...restore, step("backup.list")] });
}

const short = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
};

/** What a reader of "all is well" must know about how much that covers. */
function notesOn({ chainedFrom, signatures, hasPeople, head, knownTo }: VerifiedPlan["log"]): string[] {
  const { unsignedEarlier } = signatures;
  return [
    knownTo < head.op
      ? `Nothing outside of the file knows more than operation ${knownTo}: if operations after ${head.op} were cut off, this cannot be seen.`
      : "",
    chainedFrom > 1 ? `An upgrade chained operations 1 to ${chainedFrom - 1}: changes before that cannot be seen.` : "",
    unsignedEarlier > 0
      ? `Approvals from before they were signed: ${unsignedEarlier}. They ${hasPeople ? "count where a person confirmed them" : "stay valid"}.`
      : "",
  ].filter((note) => note !== "");
}

interface VerifiedPlan extends Verification {
  readonly repaired?: number;
  /** A copy of the plan from before the repair. */
  readonly backup?: string;
}

/** Without `checkSignature`, for lack of a secret, signatures from before the plan knew people count neither for nor against. */
export async function verifyPlan(context: Checked, checkSignature?: CheckSignature): Promise<Result<VerifiedPlan>> {
  const damage = await context.store.damage();
  if (damage.length > 0) return damaged(damage, context);
  const witnesses = await witnessesOf(context);
  const verification = await context.store.verify({
    ...(checkSignature && { checkSignature }),
    witnesses,
    report: context.report,
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

type Checked = Pick<Context, "store" | "root" | "report"> & Partial<Pick<Session, "env">>;

async function witnessesOf({ store, root, env }: Checked): Promise<LogWitness[]> {
  const { logWitnesses } = await import("../safety/log-witnesses.js");
  const end = await store.read((reader) => reader.end());
  return logWitnesses(root, env, end?.first);
}

async function repairPlan(session: Session, checkSignature?: CheckSignature): Promise<Result<VerifiedPlan>> {
  const may = requirePerson(session.actor, "repair the plan");
  if (!may.ok) return may;
  const { actor, now, head, store } = session;
  const damage = await store.damage();
  if (damage.length > 0) return damaged(damage, session);
  const witnesses = await witnessesOf(session);
  const { saveBackup } = await import("../safety/backups.js");
  const backup = await saveBackup(session, session.env);
  const repaired = await store.repair(
    { actor, verb: "repair", now, commit: head() },
    { ...(checkSignature && { checkSignature }), witnesses },
  );
  if (!repaired.ok) return repaired;
  const verified = await verifyPlan(session, checkSignature);
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
  return `${plural(differences.length, "difference")} between the log and the stored plan.`;
}

const operations = (ops: readonly number[]): string =>
  ops.length === 1 ? `Operation ${ops[0]}` : `Operations ${ops.slice(0, 10).join(", ")}${ops.length > 10 ? ", …" : ""}`;
