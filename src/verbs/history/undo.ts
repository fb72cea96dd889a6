import * as z from "zod/mini";
import { field, fields, flag, optional, planVerb, type Result, spoken, step } from "../kit/verb.js";
import { harmless, plural, second } from "../kit/wording.js";
import type { TurnAnswer, Undoable, UndoPreview } from "./take-back.js";

export const input = fields({
  operation: optional(operationOrNode()),
  list: optional(flag("only list what was done, and what would refuse to be undone")),
  preview: optional(flag("only say what would be undone, or what is in the way")),
});

export const verb = planVerb({
  command: { words: "undo", group: "decide", daily: 11, positional: ["operation"] },
  summary: "Undo an operation as a whole",
  description:
    "Without a number it is your own latest one, never something older: where that cannot be undone, it says why and names the one before. With a node it is the latest that changed it. What others did meanwhile stays, and is named. It is refused when something else changed the same nodes since, and lists what did. It changes the plan only, never code. A claim comes back only while its lease lasts and no other worker has claimed the task. An agent may undo only what it did itself, and no work that it handed in or gave up.",
  effect: "writes",
  looksOnly: ({ list, preview }) => list === true || preview === true,
  takesNode: true,
  phrases: spoken(
    "undo, undo the last thing, undo the last change, rollback, roll back, roll … back, revert, restore, " +
      "step back, take back, take … back, revert the last, revert my last, reverse the last, reverse my last, " +
      "cancel the last, cancel my last, go back one step, go back a step, scratch that, reverse that, reverse it, " +
      "cancel that, go back, revert that, revert it, revert this",
  ),
  emptyWords:
    "last latest previous thing change step operation action command edit what i just did that it this my very " +
    "once one whatever",
  tools: [{ tool: "edit", action: "undo", fields: ["operation"] }],
  input,
  examples: [
    { input: {}, does: "undoes your latest operation" },
    { input: { operation: "STORY-0001" }, does: "undoes the latest operation that changed the story" },
    { input: { list: true }, does: "lists what could be undone, and why the rest could not" },
  ],
  run: async (
    session,
    { operation: target, list, preview },
  ): Promise<Result<TurnAnswer | Undoable[] | UndoPreview>> => {
    const actions = await import("./take-back.js");
    if (list) return actions.undoable(session, target);
    const undone = await (preview ? actions.previewUndo(session, target) : actions.undo(session, target));
    if (undone.ok || undone.error.reason !== "file-restored") return undone;
    const { withWayBack } = await import("../safety/restore-backup.js");
    return withWayBack<TurnAnswer | UndoPreview>(session.root, undone);
  },
  text: (output, style) => {
    if ("rows" in output) return previewText(output);
    if ("of" in output) return `${style.yellow("↶")} undid operation ${output.of}: ${harmless(output.sentence)}`;
    const number = (op: number): string => style.bold(String(op).padStart(5));
    return output.map(({ op, at, sentence, refused }) => {
      const line = `${number(op)}  ${style.dim(second(at))}  ${harmless(sentence)}`;
      return refused === null ? line : `${line}${style.dim(` (cannot be undone now: ${harmless(refused)})`)}`;
    });
  },
  note: (output) => {
    if (!("of" in output)) return output.length > 0 ? "" : "There is nothing to undo.";
    const stays = "stillOnBranch" in output ? output.stillOnBranch : null;
    const { skipped = [], meanwhile = [] } = "rows" in output ? {} : output;
    return [
      ...skipped.map(({ op, sentence, why }) => `Skipped operation ${op} (${harmless(sentence)}): ${why}.`),
      meanwhile.length > 0 && "What others did since stays:",
      ...meanwhile.map(({ op, sentence }) => `  ${op}  ${harmless(sentence)}`),
      stays &&
        `The commit ${stays.commit.slice(0, 10)} of ${stays.task} stays on its feature's branch: undo changes only the plan.`,
      output.stillLanded && `The code of ${output.stillLanded} is still on the main branch.`,
      "asksFirst" in output &&
        output.asksFirst &&
        output.stillLanded !== null &&
        `The level of ${output.stillLanded} is on now: the daemon does not land it again without you.`,
    ];
  },
  next: (output) => {
    if (!("of" in output)) return [];
    if ("rows" in output) return [step("undo", { operation: output.of })];
    if (output.landsAgain !== null) return [step("land", { reference: output.landsAgain })];
    const revert = output.stillLanded === null ? [] : [step("revert", { reference: output.stillLanded })];
    return [...revert, ...(output.turnable ? [step("redo", { operation: output.of })] : [])];
  },
});

function operationOrNode() {
  const asText = z.transform((value: number | string) => (typeof value === "number" ? String(value) : value));
  const help = "the number of an operation, or a node: the latest that changed it";
  return field(z.pipe(asText, z.string().check(z.minLength(1))), { help, label: "OP|NODE", names: "node" });
}

const previewText = ({ of, sentence, targets, rows }: UndoPreview): string[] => [
  `Undo takes back operation ${of}: ${harmless(sentence)}`,
  `It changes ${plural(rows, "row")}: ${targets.map(harmless).join(", ")}${rows > targets.length ? ", …" : ""}`,
];
