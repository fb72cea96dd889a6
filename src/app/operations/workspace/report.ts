// Operations that report on the whole plan: its order, its numbers, and whether the log agrees with it.

import { repairPlan, verifyPlan } from "../../../actions/history/verify.js";
import { stats as readStats } from "../../../actions/overview/stats.js";
import { waves as computeWaves } from "../../../actions/overview/waves.js";
import { operation } from "../../operation.js";
import { flag, input, node, optional, wholeNumber } from "../../schema.js";

const waves = operation({
  name: "waves",
  summary: "Show which tasks can run together, and the longest chain",
  description:
    "A wave holds the tasks that wait only for earlier waves; what is finished is left out. The critical path is the chain of tasks that takes longest, with one hour for a task without an estimate. Below a node only its own tasks are listed, in the order that the whole plan gives them.",
  who: "both",
  effect: "reads",
  input: () =>
    input({
      reference: optional(node("only below this node")),
      limit: optional(wholeNumber("at most N tasks (200)", 1, Number.MAX_SAFE_INTEGER)),
    }),
  examples: [
    { input: {}, does: "shows the waves of the whole plan" },
    { input: { reference: "FEAT-001" }, does: "shows the waves of one feature" },
  ],
  run: computeWaves,
});

const stats = operation({
  name: "stats",
  summary: "Show the plan in numbers",
  who: "both",
  effect: "reads",
  input: () => input({}),
  examples: [{ input: {}, does: "shows counts, who did what, how fast, and the size of the file" }],
  run: readStats,
});

const verify = operation({
  name: "verify",
  summary: "Check the log and compare it with the plan",
  description:
    "Follows the chain of hashes from the first operation to the last and names the first broken link. Then it builds every row again from the operations alone, and everything that is derived from the rows, and compares both with what is stored. A difference means that something other than this program changed the file. At most 100 differences are listed. With --repair, only for you: if the log holds, all rows are built again from it, after a backup.",
  who: "both",
  effect: "writes",
  input: () => input({ repair: optional(flag("build the rows again from the log")) }),
  examples: [
    { input: {}, does: "checks every operation and every row" },
    { input: { repair: true }, does: "also builds rows again that something else changed" },
  ],
  run: async (session, { repair = false }) => {
    const { oldSignatureCheck } = await import("../../consent/sign.js");
    const checkSignature = oldSignatureCheck(session);
    if (!repair) return verifyPlan(session, checkSignature);
    const { saveBackup } = await import("../../safety/backups.js");
    return repairPlan(session, {
      ...(checkSignature && { checkSignature }),
      backUp: () => saveBackup(session, session.env),
    });
  },
});

export const reportOperations = { waves, stats, verify };
