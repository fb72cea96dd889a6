// Operations on the log: what happened, and how to take it back. Each loads its action when it runs: nearly every answer offers
// `undo`, and to offer it needs only its declaration.

import * as z from "zod/mini";
import type { Turned, Undoable, UndoPreview } from "../../../actions/history/undo.js";
import type { Result } from "../../../model/result.js";
import { operation } from "../../operation.js";
import { field, flag, input, node, optional, wholeNumber } from "../../schema.js";

const DIGITS = /^\d{1,15}$/;

/** `12` or `"12"`. */
const operationNumber = (help: string) =>
  field(
    z.pipe(
      z.transform((value: number | string) =>
        typeof value === "string" && DIGITS.test(value) ? Number(value) : value,
      ),
      z.int().check(z.minimum(1)),
    ),
    { help, label: "OP" },
  );

const operationOrNode = () =>
  field(
    z.pipe(
      z.transform((value: number | string) => (typeof value === "number" ? String(value) : value)),
      z.string().check(z.minLength(1)),
    ),
    { help: "the number of an operation, or a node: the latest that changed it", label: "OP|NODE", names: "node" },
  );

const undo = operation({
  name: "undo",
  summary: "Undo an operation as a whole",
  description:
    "Without a number it is the latest one; with a node, the latest that changed it. It is refused when something else changed the same nodes since, and lists what did. It changes the plan only, never code. A claim comes back only while its lease lasts and no other worker has claimed the task. An agent may undo only what it did itself, and no work that it handed in or gave up.",
  who: "both",
  effect: "writes",
  looksOnly: ({ list, preview }) => list === true || preview === true,
  input: () =>
    input({
      operation: optional(operationOrNode()),
      list: optional(flag("only list what could be undone")),
      preview: optional(flag("only say what would be undone, or what is in the way")),
    }),
  examples: [
    { input: {}, does: "undoes the latest operation" },
    { input: { operation: "STORY-0001" }, does: "undoes the latest operation that changed the story" },
    { input: { list: true }, does: "lists what could be undone" },
  ],
  run: async (session, { operation: target, list, preview }): Promise<Result<Turned | Undoable[] | UndoPreview>> => {
    const actions = await import("../../../actions/history/undo.js");
    if (list) return actions.undoable(session, target);
    const undone = await (preview ? actions.previewUndo(session, target) : actions.undo(session, target));
    if (undone.ok || undone.error.reason !== "file-restored") return undone;
    const { withWayBack } = await import("../../safety/restore-backup.js");
    return withWayBack<Turned | UndoPreview>(session.root, undone);
  },
});

const redo = operation({
  name: "redo",
  summary: "Redo what was undone",
  description:
    "Without a number it is what was undone last, as long as nothing else was done since. A claim does not come back: claim the task again. It is refused when something else changed the same nodes since, and lists what did.",
  who: "both",
  effect: "writes",
  input: () => input({ operation: optional(operationNumber("the number of the operation that was undone")) }),
  examples: [{ input: {}, does: "redoes what the latest undo took back" }],
  run: async (session, { operation: op }) => (await import("../../../actions/history/undo.js")).redo(session, op),
});

const log = operation({
  name: "log",
  summary: "Show what happened, newest first",
  who: "both",
  effect: "reads",
  input: () =>
    input({
      reference: optional(node("only what changed this node")),
      limit: optional(wholeNumber("how many operations; 20 unless given", 1, 1_000_000)),
      before: optional(operationNumber("only operations before this one")),
    }),
  examples: [
    { input: {}, does: "the latest operations: number, time, actor, what happened" },
    { input: { reference: "TASK-00001", limit: 5 }, does: "the last five that changed the task" },
  ],
  run: async (session, asked) => (await import("../../../actions/history/log.js")).log(session, asked),
});

const diff = operation({
  name: "diff",
  summary: "Show what one operation changed, field by field",
  who: "both",
  effect: "reads",
  input: () =>
    input({
      operation: operationNumber("the number of an operation in the log"),
      limit: optional(wholeNumber("how many rows; all of them unless given", 1, 1_000_000)),
    }),
  examples: [{ input: { operation: 12 }, does: "every row that operation 12 changed, before and after" }],
  run: async (session, asked) => (await import("../../../actions/history/diff.js")).diff(session, asked),
});

export const historyOperations = { undo, redo, log, diff };
