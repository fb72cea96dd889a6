// Operations on conflicts: tasks that touch the same files or symbols, or whose branches do not merge.

import {
  checkConflicts,
  conflictHistory,
  listConflicts,
  showConflict,
} from "../../../actions/conflict/list-conflicts.js";
import { resolveConflict } from "../../../actions/conflict/resolve-conflict.js";
import { CONFLICT_CHOICES } from "../../../model/conflict/conflict.js";
import { problems } from "../../../model/result.js";
import { operation } from "../../operation.js";
import { choice, flag, input, key, nodes, optional } from "../../schema.js";

const conflictId = () => key("conflict", "the conflict, such as CONFLICT-00001", "ID");

const conflicts = operation({
  name: "conflicts.list",
  summary: "List tasks that conflict, and which one goes first",
  description:
    "Two tasks that overlap never run together. Overlaps are found by the files and symbols of their footprints before they begin, and by a merge of their branches while they are worked on.",
  who: "both",
  effect: "reads",
  input: () => input({ open: optional(flag("only those that are not settled")) }),
  examples: [{ input: { open: true }, does: "shows which task waits for which, and where they overlap" }],
  run: listConflicts,
});

const show = operation({
  name: "conflicts.show",
  summary: "Show one conflict with everything decided about it",
  who: "both",
  effect: "reads",
  input: () => input({ id: conflictId() }),
  examples: [{ input: { id: "CONFLICT-00001" }, does: "shows where the two overlap and what was decided" }],
  run: showConflict,
});

const check = operation({
  name: "conflicts.check",
  summary: "Check tasks for overlaps without changing anything",
  description:
    "Compares the tasks that you name with everything that is ready or in progress. Without a name, compares all of those with each other.",
  who: "both",
  effect: "reads",
  input: () => input({ references: optional(nodes("a task, or a node that stands for its open tasks")) }),
  examples: [
    { input: {}, does: "checks everything that is ready or in progress" },
    { input: { references: ["FEAT-001"] }, does: "checks the open tasks of a feature" },
  ],
  run: async (session, { references = [] }) => {
    const checked = await checkConflicts(session, references);
    if (!checked.ok || checked.value.found.length === 0) return checked;
    const { length } = checked.value.found;
    const message = `${length === 1 ? "1 overlap" : `${length} overlaps`}: these tasks cannot run at the same time.`;
    return problems("problems", message, { details: { ...checked.value } });
  },
});

const resolve = operation({
  name: "conflicts.resolve",
  summary: "Decide which of two conflicting tasks goes first",
  description: [
    "sequential: one after the other, both as they are planned.",
    "accept-proposed: the one that waits goes first as it is planned. The other waits and needs a new approval.",
    "accept-blocker: the one that goes first stays as it is planned. The other waits and needs a new approval.",
    "freeze-both: both stop, and the conflict stays open.",
    "escalate: the one that waits stops, and a question is asked. The conflict stays open.",
  ].join("\n"),
  who: "person",
  effect: "writes",
  input: () => input({ id: conflictId(), choice: choice(CONFLICT_CHOICES, "what to do", "CHOICE") }),
  examples: [{ input: { id: "CONFLICT-00001", choice: "sequential" }, does: "puts one after the other" }],
  run: resolveConflict,
});

const history = operation({
  name: "conflicts.history",
  summary: "List everything that was decided about conflicts",
  who: "both",
  effect: "reads",
  input: () => input({}),
  examples: [{ input: {}, does: "lists every step, the oldest first" }],
  run: conflictHistory,
});

export const conflictOperations = {
  "conflicts.list": conflicts,
  "conflicts.show": show,
  "conflicts.check": check,
  "conflicts.resolve": resolve,
  "conflicts.history": history,
};
