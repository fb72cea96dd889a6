import { verify as verifyStore } from "../../../actions/history/verify.js";
import { ok } from "../../../app/vocabulary.js";
import type { Command } from "../command.js";
import { harmless } from "../style.js";

const PROBLEMS = 1;

const short = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
};

export const verify: Command = {
  name: "verify",
  group: "looking",
  summary: "Replay the log and compare it with the plan",
  description:
    "Builds every row again from the operations alone, and everything that is derived from the rows, and compares both with what is stored. Exits with 1 when anything differs: then the file was changed by something other than this program. At most 100 differences are listed.",
  examples: [{ run: "planwright verify --json", does: "operations, rows and differences, as JSON" }],
  run: async (_, app) => {
    const found = await verifyStore(await app.open());
    if (!found.ok) return found;
    const { operations, rows, differences } = found.value;
    return ok({
      data: found.value,
      exit: differences.length > 0 ? PROBLEMS : 0,
      text: (style) =>
        differences.length === 0
          ? `${style.green("✓")} ${operations} operations replayed: all ${rows} rows are as they should be.`
          : differences
              .map(
                ({ row, field, stored, replayed }) =>
                  `${style.red("✗")} ${style.bold(harmless(row))} ${field}: ${harmless(short(stored))} is stored, ${harmless(short(replayed))} follows from the log`,
              )
              .join("\n"),
      note: () =>
        differences.length === 0 ? "" : "The log shows how each row came about: planwright log ID, planwright diff OP",
    });
  },
};
