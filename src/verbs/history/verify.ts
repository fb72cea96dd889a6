import { fields, flag, optional } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { harmless } from "../text/harmless.js";
import { repairPlan, type VerifiedPlan, verifyPlan } from "./verify-action.js";

const short = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
};

const repairLine = (repaired: number): string =>
  repaired === 0
    ? "There was nothing to repair."
    : `Built the rows again from the log: ${repaired} differences repaired.`;

export const input = fields({ repair: optional(flag("build the rows again from the log")) });

export const verb = planVerb({
  name: "verify",
  command: { words: "verify", group: "look" },
  summary: "Check the log and compare it with the plan",
  description:
    "Follows the chain of hashes from the first operation to the last and names the first broken link. Then it builds every row again from the operations alone, and everything that is derived from the rows, and compares both with what is stored. A difference means that something other than this program changed the file. At most 100 differences are listed. With --repair, only for you: if the log holds, all rows are built again from it, after a backup.",
  who: "both",
  effect: "writes",
  input,
  examples: [
    { input: {}, does: "checks every operation and every row" },
    { input: { repair: true }, does: "also builds rows again that something else changed" },
  ],
  run: async (session, { repair = false }) => {
    const { oldSignatureCheck } = await import("../consent/sign.js");
    const checkSignature = oldSignatureCheck(session);
    if (!repair) return verifyPlan(session, checkSignature);
    const { saveBackup } = await import("../safety/backups.js");
    return repairPlan(session, {
      ...(checkSignature && { checkSignature }),
      backUp: () => saveBackup(session, session.env),
    });
  },
  text: ({ operations, rows, log, repaired }, style) =>
    [
      ...(repaired === undefined ? [] : [repairLine(repaired)]),
      `${style.green("✓")} ${operations} operations replayed: all ${rows} rows are as they should be.`,
      ...notesOn(log).map((note) => style.dim(`  ${note}`)),
    ].join("\n"),
  note: ({ backup }) => (backup === undefined ? "" : `Backup of the plan before the repair: ${backup}`),
  problems: ({ problem, differences }: Pick<VerifiedPlan, "differences"> & { readonly problem: string }, style) =>
    [
      `${style.red("✗")} ${harmless(problem)}`,
      ...differences.map(
        ({ row, field, stored, replayed }) =>
          `  ${style.bold(harmless(row))} ${field}: ${harmless(short(stored))} is stored, ${harmless(short(replayed))} follows from the log`,
      ),
    ].join("\n"),
});

/** What a reader of "all is well" must know about how much that covers. */
function notesOn({ chainedFrom, signatures, hasPeople }: VerifiedPlan["log"]): string[] {
  const { unsignedEarlier } = signatures;
  return [
    chainedFrom > 1 ? `An upgrade chained operations 1 to ${chainedFrom - 1}: changes before that cannot be seen.` : "",
    unsignedEarlier > 0
      ? `Approvals from before they were signed: ${unsignedEarlier}. They ${hasPeople ? "count where a person confirmed them" : "stay valid"}.`
      : "",
  ].filter((note) => note !== "");
}
