import type * as z from "zod/mini";
import { isPerson } from "../../model/actor.js";
import { OPERATORS, patternProblem, RECORD_KINDS, type RecordKind } from "../../model/item/record.js";
import { featureOf, resolveAll } from "../../plan/base/resolve.js";
import { toRecordView } from "../../plan/record/record-view.js";
import { type NewRecord, saveRecord } from "../../plan/record/save-record.js";
import { choice, field, fields, filled, judged, list, node, number, optional } from "../kit/schema.js";
import { actWithNumber, type Context, harmless, ok, planVerb, undoStep } from "../kit/verb.js";
import { contradictingTasks, contradictionLines, contradictionNote } from "./contradicting-tasks.js";
import { proposalNote, proposalSteps } from "./list.js";

export const input = fields({
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
    list(field(filled("").check(judged(patternProblem)), { help: "" }), "no task may touch a file like this", "GLOB"),
  ),
  forbidWords: optional(list(filled(""), "no task may contain these words", "WORDS")),
  check: optional(filled("the command of a check that fails already", "COMMAND")),
  failing: optional(list(filled(""), "a test that fails already, as the runner names it", "TEST")),
  commit: optional(filled("the commit on which it fails; otherwise the one that is checked out", "COMMIT")),
}).check(fieldsFit);

export const verb = planVerb({
  command: {
    words: "record add",
    group: "record",
    positional: ["title"],
    flags: { tasks: "on", forbidWords: "forbid-words" },
    aliases: [
      ...RECORD_KINDS.map((kind) => ({ words: `record add ${kind}`, fixed: { kind } })),
      { words: "decide", fixed: { kind: "decision" } },
      { words: "constrain", fixed: { kind: "constraint" } },
      { words: "require", fixed: { kind: "requirement" } },
      { words: "assume", fixed: { kind: "assumption" } },
    ],
  },
  summary: "Write down a decision, constraint or another record",
  description:
    "A record holds for the whole workspace or for one feature, and goes into every prompt and bundle there. What you write is in force at once; what an agent writes, once you approve it. Then a task that touches a forbidden file or says forbidden words cannot be approved, and neither can a feature if none of its tasks names the key, metric or command of a requirement. A baseline excuses failing tests that were there before, by name: a check whose report names only these does not reject work, and is still not green. In a file pattern * stays in one folder and ** crosses folders. A pattern without a slash matches in every folder.",
  effect: "writes",
  inForce: true,
  tools: [
    {
      tool: "record",
      action: "add",
      fields: [
        "kind",
        "title",
        "body",
        "in",
        "because",
        "alternatives",
        "metric",
        "op",
        "target",
        "run",
        "forbidFiles",
        "forbidWords",
      ],
    },
  ],
  input,
  examples: [
    {
      input: { kind: "decision", title: "Use SQLite", because: "nothing to install", alternatives: ["PostgreSQL"] },
      does: "records a decision for the whole workspace",
    },
    {
      input: { kind: "constraint", title: "The old parser stays as it is", forbidFiles: ["src/legacy/**"] },
      does: "no task may touch those files",
    },
    {
      input: { kind: "requirement", title: "Answers come fast", metric: "p95_ms", op: "<=", target: 200 },
      does: "sets a goal that some task must name",
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
      does: "excuses this test until it is fixed",
    },
  ],
  run: addRecord,
  text: ({ id, title, state, for: feature, contradictions }, style) => {
    const scope = feature === null ? "" : style.dim(`  for ${feature}`);
    const head = `${style.green("+")} ${style.bold(id)}  ${harmless(title)}${scope}  ${style.dim(state)}`;
    return [head, ...contradictionLines(contradictions, style)];
  },
  note: (record) => [proposalNote(record), contradictionNote(record.contradictions)],
  next: (record) => [...proposalSteps(record), ...undoStep(record.op)],
});

/** As the log names them: the word for programs, and the words of the sentence. */
const VERBS: Readonly<Record<RecordKind, readonly [verb: string, did: string]>> = {
  decision: ["decide", "decided"],
  constraint: ["constrain", "wrote the constraint"],
  requirement: ["require", "wrote the requirement"],
  assumption: ["assume", "assumed"],
  baseline: ["baseline", "wrote the baseline"],
};

export function addRecord(context: Context, asked: z.output<typeof input>) {
  const { in: where, tasks: carriers = [], metric, op, target, run = null, ...rest } = asked;
  const { forbidFiles: files = [], forbidWords: words = [], check, failing = [], commit, ...content } = rest;
  const [verb, did] = VERBS[asked.kind];
  return actWithNumber(context, verb, async (writer, at) => {
    const scope = where === undefined ? ok(null) : await featureOf(writer, context, where);
    if (!scope.ok) return scope;
    const tasks = await resolveAll(writer, carriers, context);
    if (!tasks.ok) return tasks;
    const isMeasured = metric !== undefined && op !== undefined && target !== undefined;
    const record: NewRecord = {
      ...content,
      scope: scope.value,
      tasks: tasks.value.map(({ nr }) => nr),
      measure: isMeasured ? { metric, op, target, run } : null,
      forbids: files.length + words.length === 0 ? null : { files, words },
      ...(check !== undefined && { baseline: { run: check, commit: commit ?? context.head(), tests: failing } }),
    };
    // What you write yourself needs no second yes.
    const saved = await saveRecord(writer, record, { by: context.actor, at }, isPerson(context.actor));
    const sentence = `${context.actor} ${did} ${saved.key}: ${content.title}`;
    const contradictions = saved.fields.state === "active" ? await contradictingTasks(writer, [saved]) : [];
    return ok({ sentence, changes: saved.changes, value: { ...(await toRecordView(writer, saved)), contradictions } });
  });
}

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
