import { type RowDiff, diff as readDiff } from "../../../actions/history/diff.js";
import { ok } from "../../../app/vocabulary.js";
import type { Command, Style } from "../command.js";
import { harmless } from "../style.js";
import { second } from "../times.js";

/** More than this is read by a program. */
const ROWS_SHOWN = 100;

export const diff: Command = {
  name: "diff",
  group: "looking",
  summary: "Show what one operation changed, field by field",
  arguments: [{ name: "OP", help: "the number of an operation, from `planwright log`" }],
  examples: [{ run: "planwright diff 12", does: "every row that operation 12 changed, before and after" }],
  run: async (input, app) => {
    const found = await readDiff(await app.open(), input.args[0] as string, input.json ? undefined : ROWS_SHOWN);
    if (!found.ok) return found;
    const { op, at, actor, sentence, rows, changes, undone } = found.value;
    const left = rows - changes.length;
    return ok({
      data: found.value,
      text: (style) => {
        const when = style.dim(`${second(at)}  ${actor}`);
        const head = `${style.bold(`operation ${op}`)}  ${harmless(sentence)}\n${when}`;
        const rest = left > 0 ? [style.dim(`and ${left} more rows; --json has them all`)] : [];
        return [head, ...changes.map((row) => renderRow(row, style)), ...rest].join("\n\n");
      },
      note: () => (undone ? `It was taken back; to do it again: planwright redo ${op}` : ""),
    });
  },
};

const SIGNS: Readonly<Record<RowDiff["change"], readonly [sign: string, colour: "green" | "yellow" | "red"]>> = {
  created: ["+", "green"],
  changed: ["~", "yellow"],
  removed: ["-", "red"],
};

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

const text = (value: unknown): string => harmless(typeof value === "string" ? value : JSON.stringify(value));
