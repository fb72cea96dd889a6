// Views of operations on the log.

import type { RowDiff } from "../../../../actions/history/diff.js";
import type { LogEntry } from "../../../../actions/history/log.js";
import type { UndoPreview } from "../../../../actions/history/undo.js";
import { harmless } from "../../../../app/text/harmless.js";
import { ok, step } from "../../../../app/vocabulary.js";
import { notes, undoStep } from "../../text/ids.js";
import { type Style } from "../../text/style.js";
import { second } from "../../text/times.js";
import type { ViewOf } from "../../view.js";

const previewText = ({ of, sentence, targets, rows }: UndoPreview): string =>
  [
    `Undo takes back operation ${of}: ${harmless(sentence)}`,
    `It changes ${rows === 1 ? "1 row" : `${rows} rows`}: ${targets.map(harmless).join(", ")}${rows > targets.length ? ", …" : ""}`,
  ].join("\n");

const undo: ViewOf<"undo"> = {
  text: (output, style) =>
    "rows" in output
      ? previewText(output)
      : "of" in output
        ? `${style.yellow("↶")} undid operation ${output.of}: ${harmless(output.sentence)}`
        : output
            .map(
              ({ op, at, sentence }) =>
                `${style.bold(String(op).padStart(5))}  ${style.dim(second(at))}  ${harmless(sentence)}`,
            )
            .join("\n"),
  note: (output) => {
    if (!("of" in output)) return output.length > 0 ? "" : "There is nothing to undo.";
    const stays = "stillOnBranch" in output ? output.stillOnBranch : null;
    const skipped = "skipped" in output ? output.skipped : [];
    return notes(
      ...skipped.map(({ op, sentence }) => `Skipped operation ${op} (${harmless(sentence)}): it has ended already.`),
      stays === null
        ? ""
        : `The commit ${stays.commit.slice(0, 10)} of ${stays.task} stays on its feature's branch: undo changes only the plan.`,
      output.stillLanded === null ? "" : `The code of ${output.stillLanded} is still on the main branch.`,
    );
  },
  next: (output) => {
    if (!("of" in output)) return [];
    if ("rows" in output) return [step("undo", { operation: output.of })];
    const revert = output.stillLanded === null ? [] : [step("revert", { reference: output.stillLanded })];
    return [...revert, ...(output.turnable ? [step("redo", { operation: output.of })] : [])];
  },
};

const redo: ViewOf<"redo"> = {
  text: ({ of, sentence }, style) => `${style.green("↷")} did operation ${of} again: ${harmless(sentence)}`,
  next: ({ of }) => undoStep(of),
};

const log: ViewOf<"log"> = {
  text: ({ operations }, style) => operations.map((entry) => renderEntry(entry, style)).join("\n"),
  note: ({ operations }) => (operations.length === 0 ? "Nothing has happened yet." : ""),
  next: ({ operations, more }) => [
    ...(more ? [step("log", { limit: operations.length * 2 })] : []),
    ...(operations[0] ? [step("diff", { operation: operations[0].op })] : []),
  ],
};

function renderEntry({ op, at, actor, sentence, commit, undone }: LogEntry, style: Style): string {
  const time = style.dim(second(at));
  // Most sentences begin with the actor, who is named before them already.
  const said = harmless(sentence.startsWith(`${actor} `) ? sentence.slice(actor.length + 1) : sentence);
  const what = undone ? `${style.dim(said)} ${style.yellow("(undone)")}` : said;
  const where = commit === null ? "" : style.dim(`  @${commit.slice(0, 8)}`);
  return `${style.bold(String(op).padStart(5))}  ${time}  ${style.cyan(harmless(actor))}  ${what}${where}`;
}

/** More rows than a person reads. */
const ROWS_SHOWN = 100;

const diff: ViewOf<"diff"> = {
  prepare: async (input, { json }) => ok(json ? input : { limit: ROWS_SHOWN, ...input }),
  text: ({ op, at, actor, sentence, rows, changes }, style) => {
    const left = rows - changes.length;
    const when = style.dim(`${second(at)}  ${actor}`);
    const head = `${style.bold(`operation ${op}`)}  ${harmless(sentence)}\n${when}`;
    const rest = left > 0 ? [style.dim(`and ${left} more rows; --json shows all of them`)] : [];
    return [head, ...changes.map((row) => renderRow(row, style)), ...rest].join("\n\n");
  },
  next: ({ op, undone }) => (undone ? [step("redo", { operation: op })] : []),
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

export const historyViews = { undo, redo, log, diff };
