import { step } from "../../model/next-step.js";
import { ok } from "../../model/result.js";
import { fields, optional, wholeNumber } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { harmless } from "../text/harmless.js";
import type { Style } from "../text/style.js";
import { second } from "../text/times.js";
import type { RowDiff } from "./diff-action.js";
import { operationNumber } from "./history-shared.js";

/** More rows than a person reads. */
const ROWS_SHOWN = 100;

const SIGNS: Readonly<Record<RowDiff["change"], readonly [sign: string, colour: "green" | "yellow" | "red"]>> = {
  created: ["+", "green"],
  changed: ["~", "yellow"],
  removed: ["-", "red"],
};

const text = (value: unknown): string => harmless(typeof value === "string" ? value : JSON.stringify(value));

export const input = fields({
  operation: operationNumber("the number of an operation in the log"),
  limit: optional(wholeNumber("how many rows; all of them unless given", 1, 1_000_000)),
});

export const verb = planVerb({
  name: "diff",
  command: { words: "diff", group: "look", positional: ["operation"] },
  summary: "Show what one operation changed, field by field",
  who: "both",
  effect: "reads",
  resource: {
    address: "operation",
    summary: "What one operation changed",
    field: "operation",
    numbered: true,
    fixed: { limit: 200 },
  },
  input,
  examples: [{ input: { operation: 12 }, does: "every row that operation 12 changed, before and after" }],
  run: async (session, asked) => (await import("./diff-action.js")).diff(session, asked),
  prepare: async (input, { json }) => ok(json ? input : { limit: ROWS_SHOWN, ...input }),
  text: ({ op, at, actor, sentence, rows, changes }, style) => {
    const left = rows - changes.length;
    const when = style.dim(`${second(at)}  ${actor}`);
    const head = `${style.bold(`operation ${op}`)}  ${harmless(sentence)}\n${when}`;
    const rest = left > 0 ? [style.dim(`and ${left} more rows; --json shows all of them`)] : [];
    return [head, ...changes.map((row) => renderRow(row, style)), ...rest].join("\n\n");
  },
  next: ({ op, undone }) => (undone ? [step("redo", { operation: op })] : []),
});

function renderRow({ entity, id, change, fields }: RowDiff, style: Style): string {
  const [sign, colour] = SIGNS[change];
  const name = entity === "focus" ? `focus of ${id}` : id;
  const lines = [`${style[colour](sign)} ${style.bold(harmless(name))}`];
  for (const { field, before, after } of fields) {
    const values = [
      ...(before === null ? [] : [style.red(`- ${text(before)}`)]),
      ...(after === null ? [] : [style.green(`+ ${text(after)}`)]),
    ];
    lines.push(`    ${style.dim(field)}`, ...values.map((value) => `      ${value}`));
  }
  return lines.join("\n");
}
