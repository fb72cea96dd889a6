// The plan as a document for people: what they read before they approve. The same plan always gives the same text.

import { append } from "../../base/append.js";
import type { PlanRecord } from "../../model/item/record.js";
import type { Clarification } from "../contracts/answers.js";
import type { AnsweredFinding } from "../contracts/findings.js";
import type { CapabilityMap } from "../contracts/maps.js";
import { type DraftTask, type PlanDraft, tasksByFeature } from "../contracts/plan-draft.js";
import { checkedSentence, checkedWork, countOf, reasonLines, sharesSentence } from "../draft/headline.js";
import type { Sequence } from "../draft/sequence.js";
import type { Coverage } from "../spec/coverage.js";
import { blocks, bulletSection, bullets, code, escaped, escapedProse, section, table } from "./markdown.js";
import { answerText, type ReviewRound, traceability, type VerificationInput } from "./verification-report.js";

export interface PlanDocumentInput extends Omit<VerificationInput, "rounds"> {
  readonly sequence: Sequence;
  readonly records?: readonly { readonly key: string; readonly record: PlanRecord }[] | undefined;
  readonly clarification?: Clarification | undefined;
  readonly answers?:
    | readonly { readonly question: string; readonly answer: string; readonly relayedBy?: string }[]
    | undefined;
  readonly rounds?: readonly ReviewRound[] | undefined;
  readonly dialogue?: readonly AnsweredFinding[] | undefined;
  readonly approval?: { readonly by: string; readonly at: number } | undefined;
}

/** Whoever approves should know which answers came to us through an agent. */
const answerLine = ({ question, answer, relayedBy }: NonNullable<PlanDocumentInput["answers"]>[number]): string =>
  `${escaped(question)} **${escaped(answer)}**${relayedBy === undefined ? "" : ` (passed on by ${escaped(relayedBy)})`}`;

export function planDocument(input: PlanDocumentInput): string {
  const { draft, map, clarification } = input;
  const goals = draft.goals.length > 0 ? draft.goals : (map?.goals ?? []);
  const nonGoals = draft.nonGoals.length > 0 ? draft.nonGoals : (map?.nonGoals ?? []);
  const parts = [
    `# ${escaped(draft.title)}`,
    statusLine(input),
    section(2, "Overview", escapedProse(draft.overview)),
    bulletSection(2, "Goals", goals.map(escaped)),
    bulletSection(2, "Non-goals", nonGoals.map(escaped)),
    bulletSection(2, "Questions answered", (input.answers ?? []).map(answerLine)),
    section(2, "Decisions", ...draft.decisions.map(decisionOf)),
    section(2, "Records in force", recordTable(input.records ?? [])),
    bulletSection(2, "Assumptions", (clarification?.assumptions ?? []).map(assumptionLine)),
    section(2, "Risks", riskTable(draft.risks)),
    section(2, "Left out on purpose", leftOutList(map?.leftOut ?? [])),
    section(2, "Traceability", traceability(input)),
    section(2, "Coverage of the spec", coverageTable(input.coverage)),
    section(2, "Order of work", ...orderOfWork(input)),
    section(2, "Initiatives", ...initiativeSections(draft)),
    section(2, "Tasks", draft.tasks.length === 0 ? "" : FORMAT, ...taskSections(draft)),
    section(2, "Open notes", ...openNotes(input)),
    section(2, "Answers to findings", dialogueTable(input.dialogue)),
    section(2, "Rollback", escapedProse(draft.rollback) || "Nothing is said about taking it back."),
  ];
  return `${blocks(...parts)}\n`;
}

/** How to change the plan, where it is read. */
const FORMAT = `<!--
You can edit this document and give it back. What follows is read by its form:

    ### F9 A feature
    #### T9 A task: its id and its title. A new task needs no id. Its text comes next, then a list:
    - gate or review (work if neither), steel thread, a profile, 2 h
    - After: T7, T8
    - Files: \`src/a.ts\`, \`src/b.ts\`
    - create \`src/c.ts\`: what for (or modify, extend)
    - Check: \`npm test\` in \`web\`, expects \`exit 0\`

What you take out is removed; the order of the sections is the order of the tasks. What has another form goes to the author.
-->`;

const idList = (ids: readonly string[]): string => ids.map(escaped).join(", ");

const hours = (count: number): string => `${Math.round(count * 10) / 10} h`;

function statusLine({
  draft,
  sequence,
  coverage,
  findings,
  rounds = [],
  leftOut = [],
  approval,
}: PlanDocumentInput): string {
  const count = (grade: string): number => findings.filter((each) => each.grade === grade).length;
  const parts = [
    ...(draft.initiatives.length === 0 ? [] : [countOf(draft.initiatives.length, "initiative")]),
    countOf(draft.features.length, "feature"),
    countOf(draft.tasks.length, "task"),
    countOf(sequence.waves.length, "wave"),
    `${hours(sequence.totalHours)} of work, at least ${hours(sequence.hours)} from start to end`,
    `${countOf(count("error") + count("unreadable"), "error")}, ${countOf(count("warning"), "warning")}`,
    ...rounds.slice(-1).map(({ verdict }) => `last verdict: ${verdict}`),
    ...(leftOut.length > 0 ? [`made without: ${leftOut.join(", ")}`] : []),
  ];
  const state = approval
    ? `Approved by ${escaped(approval.by)} on ${new Date(approval.at).toISOString().slice(0, 10)}.`
    : "Waits for approval.";
  const work = draft.tasks.filter(({ kind }) => kind === "work");
  const headline = [checkedSentence(checkedWork(work)), ...(coverage ? [sharesSentence(coverage)] : [])];
  return `${headline.join(" ")}\n\n${state} ${parts.join(" · ")}.`;
}

const assumptionLine = ({ text, because }: Clarification["assumptions"][number]): string =>
  `${escaped(text)}${because.trim() === "" ? "" : `, because: ${escaped(because)}`}`;

/** By their reasons, a line for each line of the spec, without the marks of its lists. */
function leftOutList(leftOut: CapabilityMap["leftOut"]): string {
  const byReason = new Map<string, string[]>();
  for (const { quote, reason } of leftOut) {
    for (const line of quote.split(/\r\n|\n|\r/)) {
      const words = line.replace(/^[\s>]*(?:[-*+•]\s+|\d+[.)]\s+)?/, "").replaceAll(/\*\*|__/g, "");
      if (words.trim() !== "") append(byReason, reason, words);
    }
  }
  return bullets(
    Array.from(byReason, ([reason, lines]) =>
      [escaped(reason) || "No reason is given.", ...lines.map((line) => `  - ${escaped(line)}`)].join("\n"),
    ),
  );
}

const decisionOf = ({ id, title, choice, because: why, alternatives, tasks }: PlanDraft["decisions"][number]): string =>
  section(
    3,
    `${escaped(id)}: ${escaped(title)}`,
    escapedProse(choice) || "Nothing is said about the choice.",
    why.trim() === "" ? "" : `Because: ${escaped(why)}`,
    alternatives.length === 0 ? "" : `Not chosen:\n\n${bullets(alternatives.map(escaped))}`,
    tasks.length === 0 ? "" : `Carried out by ${idList(tasks)}.`,
  );

const recordTable = (records: readonly { readonly key: string; readonly record: PlanRecord }[]): string => {
  const active = records.filter(({ record }) => record.state === "active");
  const rows = active.map(({ key, record: { kind, title, measure } }) => {
    const how = measure ? ` (${escaped(measure.metric)} ${escaped(measure.op)} ${measure.target})` : "";
    return [escaped(key), kind, `${escaped(title)}${how}`];
  });
  return table(["record", "kind", "what"], rows);
};

const riskTable = (risks: PlanDraft["risks"]): string =>
  table(
    ["risk", "what is done about it"],
    risks.map(({ risk, mitigation }) => [escaped(risk), escaped(mitigation)]),
  );

function coverageTable(coverage: Coverage | undefined): string {
  if (!coverage) return "";
  const sections = coverage.sections.filter(({ statements }) => statements > 0);
  const reasons = reasonLines(coverage);
  const open = coverage.uncovered.map(({ line, text: words }) => `line ${line}: ${escaped(words)}`);
  return blocks(
    sharesSentence(coverage),
    reasons.length === 0 ? "" : `Left out:\n\n${bullets(reasons)}`,
    open.length === 0 ? "" : `Not understood, so in no task:\n\n${bullets(open)}`,
    table(
      ["section", "title", "statements", "planned or left out"],
      sections.map(({ id, title, statements, covered, percent }) => [
        id,
        escaped(title),
        `${covered} of ${statements}`,
        `${percent} %`,
      ]),
    ),
  );
}

function orderOfWork({ draft, sequence }: PlanDocumentInput): string[] {
  const titles = new Map(draft.tasks.map(({ id, title }) => [id, title]));
  const named = (id: string): string => `${escaped(id)} ${escaped(titles.get(id) ?? "")}`;
  const { waves, steelThread, criticalPath, added, unordered } = sequence;
  const edges = added.map(({ task, on, why }) => `${escaped(task)} after ${escaped(on)}: ${escaped(why)}`);
  const apart = unordered.map(
    ({ tasks, paths }) =>
      `${tasks.map(escaped).join(" and ")} never together: both touch ${paths.map(code).join(", ")}`,
  );
  const thread = `${steelThread.map(named).join(" → ")}. The thinnest path from end to end, built first.`;
  const path = `${criticalPath.map(escaped).join(" → ")} (${hours(sequence.hours)}).`;
  return [
    table(
      ["wave", "tasks that may run together"],
      waves.map((wave, at) => [String(at + 1), wave.map(named).join("; ")]),
    ),
    section(3, "Steel thread", steelThread.length === 0 ? "" : thread),
    section(3, "Critical path", criticalPath.length === 0 ? "" : path),
    bulletSection(3, "Kept apart because of shared files", [...edges, ...apart]),
  ];
}

/** Each with the features that belong to it: moving an id to another list moves the feature. */
const initiativeSections = ({ initiatives, features }: PlanDraft): string[] =>
  initiatives.map(({ id, title, body }) => {
    const own = features.filter(({ parent }) => parent === id).map((feature) => feature.id);
    return section(3, `${escaped(id)} ${escaped(title)}`, escapedProse(body), `${FEATURES_OF}${idList(own) || "none"}`);
  });

/** Begins the line that lists the features of an initiative. */
export const FEATURES_OF = "- Features: ";

function taskSections(draft: PlanDraft): string[] {
  const stories = new Map(draft.stories.map(({ id, title }) => [id, title]));
  const known = new Set(draft.features.map(({ id }) => id));
  const byFeature = tasksByFeature(draft);
  const others = [...byFeature.keys()].filter((id) => !known.has(id)).map((id) => ({ id, title: "", body: "" }));
  return [...draft.features, ...others].map(({ id, title, body }) =>
    section(
      3,
      `${escaped(id)} ${escaped(title)}`.trim(),
      escapedProse(body),
      ...(byFeature.get(id) ?? []).map((task) => taskSection(task, stories.get(task.parent))),
    ),
  );
}

/** "gate, steel thread, backend, 2 h". */
export const marksOf = ({ kind, steelThread, profile, estimateHours }: DraftTask): string[] => [
  ...(kind === "work" ? [] : [kind]),
  ...(steelThread ? ["steel thread"] : []),
  ...(profile === undefined ? [] : [profile]),
  ...(estimateHours === undefined ? [] : [hours(estimateHours)]),
];

/** A task as the document has it, under its heading. */
export function taskSection(task: DraftTask, story: string | undefined): string {
  const { files, checks, sizeReason } = task;
  const fact = (label: string, words: string): string[] => (words === "" ? [] : [`${label}${words}`]);
  const list = [
    ...(story === undefined ? [] : [`Story: ${escaped(story)}`]),
    ...fact("", idList(marksOf(task))),
    ...fact("After: ", idList(task.dependsOn)),
    ...fact("Behaviours: ", idList(task.behaviours)),
    ...fact("Requirements: ", idList(task.requirements)),
    ...files.map(
      ({ path, action, purpose }) => `${action} ${code(path)}${purpose.trim() === "" ? "" : `: ${escaped(purpose)}`}`,
    ),
    ...fact("Symbols: ", task.symbols.map(code).join(", ")),
    ...checks.map(({ run, expect, cwd }) => {
      const wanted = expect === undefined ? "" : `, expects ${code(expect)}`;
      return `Check: ${code(run)}${cwd === undefined ? "" : ` in ${code(cwd)}`}${wanted}`;
    }),
    ...(sizeReason === undefined ? [] : [`Its size: ${escaped(sizeReason)}`]),
  ];
  return section(
    4,
    `${escaped(task.id)} ${escaped(task.title)}`,
    escapedProse(task.body),
    bullets(list) || "Nothing more is said about it.",
  );
}

const dialogueTable = (lines: readonly AnsweredFinding[] = []): string =>
  table(
    ["finding", "by", "severity", "the author's answer"],
    lines.map(({ source, id, severity, title, action, note }) => [
      `${escaped(id)} ${escaped(title)}`,
      source,
      escaped(severity),
      note === "" ? action : `${action}: ${escaped(note)}`,
    ]),
  );

function openNotes({ findings, rounds = [] }: PlanDocumentInput): string[] {
  const lint = findings.map(
    ({ code: word, grade, message, suggestion }) => `${word} (${grade}): ${escaped(message)} ${escaped(suggestion)}`,
  );
  // Only the latest word of each reviewer counts.
  const latest = new Map(rounds.map((round) => [round.by, round]));
  const notes = [...latest.values()].flatMap(({ by, findings: found = [] }) =>
    found.map((note) => {
      const { id, severity, title, description, suggestion } = note;
      const rest = [...[description, suggestion].map(escaped), answerText(note)]
        .filter((part) => part !== "")
        .join(" ");
      return `${by} ${escaped(id)} (${escaped(severity)}): **${escaped(title)}** ${rest}`.trim();
    }),
  );
  return [bulletSection(3, "From the lint", lint), bulletSection(3, "From reviewers", notes)];
}
