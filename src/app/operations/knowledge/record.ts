// Operations on records: decisions, constraints, requirements and assumptions.

import type * as z from "zod/mini";
import { addRecord } from "../../../actions/record/add-record.js";
import { approveRecords, listRecords, previewRecords, supersedeRecord } from "../../../actions/record/list-records.js";
import { OPERATORS, patternProblem, RECORD_KINDS, type RecordKind } from "../../../model/item/record.js";
import { step } from "../../../model/next-step.js";
import { operation } from "../../operation.js";
import { allOf, choice, field, filled, flag, input, judged, key, list, node, number, optional } from "../../schema.js";

/** Fields that only one kind of record has. */
const OWN_FIELDS: Readonly<Record<string, RecordKind>> = {
  because: "decision",
  alternatives: "decision",
  metric: "requirement",
  op: "requirement",
  target: "requirement",
  run: "requirement",
  forbidFiles: "constraint",
  forbidWords: "constraint",
  check: "baseline",
  failing: "baseline",
  commit: "baseline",
};

const NEEDED: Readonly<Partial<Record<RecordKind, readonly string[]>>> = {
  requirement: ["metric", "op", "target"],
  baseline: ["check", "failing"],
};

type Fields = Readonly<Record<string, unknown>> & { readonly kind: RecordKind };

function fieldsFit(checked: z.core.ParsePayload<Fields>): void {
  const { value } = checked;
  const refuse = (name: string, message: string): unknown =>
    checked.issues.push({ code: "custom", path: [name], message, input: value });
  for (const name of NEEDED[value.kind] ?? []) if (!(name in value)) refuse(name, "is missing");
  for (const [name, kind] of Object.entries(OWN_FIELDS)) {
    if (name in value && kind !== value.kind) refuse(name, `applies only to a ${kind}`);
  }
}

const add = operation({
  name: "record.add",
  summary: "Write down a decision, constraint or another record",
  description:
    "A record holds for the whole workspace or for one feature, and goes into every prompt and bundle there. Decisions and assumptions are in force at once. Constraints and requirements are in force once you approve them: then a task that touches a forbidden file or says forbidden words cannot be approved, and neither can a feature if none of its tasks names the key, metric or command of a requirement. A baseline excuses failing tests that were there before, by name: a check whose report names only these does not reject work, and is still not green. In a file pattern * stays in one folder and ** crosses folders. A pattern without a slash matches in every folder.",
  who: "both",
  effect: "writes",
  input: () =>
    input({
      kind: choice(RECORD_KINDS, "what it is"),
      title: filled("what was decided, must hold, must be reached or is assumed"),
      body: optional(filled("a longer description")),
      in: optional(node("only for this feature, or the feature around this node")),
      tasks: optional(list(filled(""), "a task that carries it out or depends on it", "NODE")),
      because: optional(filled("why this and not an alternative")),
      alternatives: optional(list(filled(""), "what was not chosen", "TEXT")),
      metric: optional(filled("what is measured", "NAME")),
      op: optional(choice(OPERATORS, "how it compares with the target", "OP")),
      target: optional(number("what the metric is compared with", -Number.MAX_VALUE, Number.MAX_VALUE)),
      run: optional(filled("a command that measures it and prints the number on its last line", "COMMAND")),
      forbidFiles: optional(
        list(
          field(filled("").check(judged(patternProblem)), { help: "" }),
          "no task may touch a file like this",
          "GLOB",
        ),
      ),
      forbidWords: optional(list(filled(""), "no task may contain these words", "WORDS")),
      check: optional(filled("the command of a check that fails already", "COMMAND")),
      failing: optional(list(filled(""), "a test that fails already, as the runner names it", "TEST")),
      commit: optional(filled("the commit on which it fails; otherwise the one that is checked out", "COMMIT")),
    }).check(fieldsFit),
  examples: [
    {
      input: { kind: "decision", title: "Use SQLite", because: "nothing to install", alternatives: ["PostgreSQL"] },
      does: "records a decision for the whole workspace",
    },
    {
      input: { kind: "constraint", title: "The old parser stays as it is", forbidFiles: ["src/legacy/**"] },
      does: "proposes that no task touches those files",
    },
    {
      input: { kind: "requirement", title: "Answers come fast", metric: "p95_ms", op: "<=", target: 200 },
      does: "proposes a goal that some task must name",
    },
    {
      input: { kind: "assumption", title: "Users have Node 20 or newer", in: "FEAT-001" },
      does: "records an assumption for one feature",
    },
    {
      input: {
        kind: "baseline",
        title: "The date tests fail in winter",
        check: "npm test",
        failing: ["src/date.test.ts > dates > next year"],
      },
      does: "proposes to excuse this test until it is fixed",
    },
  ],
  run: addRecord,
});

const records = operation({
  name: "record.list",
  summary: "List decisions, constraints, requirements and assumptions",
  who: "both",
  effect: "reads",
  input: () =>
    input({
      in: optional(node("only what concerns this feature: its own records and the workspace's")),
      kind: optional(choice(RECORD_KINDS, "only this kind")),
      all: optional(flag("also those that another record replaced")),
    }),
  examples: [{ input: { in: "FEAT-001" }, does: "lists what is in force or proposed there" }],
  run: listRecords,
});

const approve = operation({
  name: "record.approve",
  summary: "Put proposed records in force",
  description:
    "Shows every word of the records, then asks: they go into every prompt and bundle. Without a terminal, confirm with seen or yes. Names approved work that contradicts a constraint from now on: approved tasks, and done tasks that have not landed.",
  who: "person",
  effect: "writes",
  input: () =>
    input({
      ids: allOf(key("record", "a record, such as CON-001", "ID")),
      seen: optional(filled("approve exactly what a preview with this hash showed", "HASH")),
      yes: optional(flag("approve without showing a preview and asking")),
    }),
  examples: [{ input: { ids: ["CON-001", "REQ-001"] }, does: "binds every plan to them from now on" }],
  run: async (session, { ids, ...consent }) => {
    const { confirmApproval } = await import("../../consent/confirm-approval.js");
    const seen = await confirmApproval(session, {
      consent,
      preview: (settings) => previewRecords(session, { ids }, settings),
      question: `Approve ${ids.join(", ")}?`,
      withSeen: (hash) => step("record.approve", { ids, seen: hash }),
    });
    return seen.ok ? approveRecords(session, { ids }, seen.value) : seen;
  },
});

const supersede = operation({
  name: "record.supersede",
  summary: "Replace a record by another one or by new words",
  description:
    "What a person approved, only a person can replace. Another record can replace one that is in force only when it is in force itself.",
  who: "both",
  effect: "writes",
  input: () =>
    input({
      id: key("record", "the record to replace, such as DEC-001", "ID"),
      by: optional(key("record", "the record that replaces it", "ID")),
      with: optional(filled("the new words")),
    }).check(
      judged(({ by, with: words }) =>
        (by === undefined) === (words === undefined) ? "must say either by or with" : undefined,
      ),
    ),
  examples: [{ input: { id: "DEC-001", with: "Use PostgreSQL" }, does: "writes a new decision in its place" }],
  run: supersedeRecord,
});

export const recordOperations = {
  "record.add": add,
  "record.list": records,
  "record.approve": approve,
  "record.supersede": supersede,
};
