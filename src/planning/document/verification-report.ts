// How a plan was verified: what was looked at in each task, what each round found, and how the verdicts came about.

import { append } from "../../base/append.js";
import type { Critique, Overview } from "../contracts/answers.js";
import { GRAVE, type LintFinding } from "../contracts/findings.js";
import type { CapabilityMap } from "../contracts/maps.js";
import type { DraftTask, PlanDraft } from "../contracts/plan-draft.js";
import { sharesSentence } from "../draft/headline.js";
import type { Verdict } from "../machine/verdict.js";
import type { Coverage } from "../spec/coverage.js";
import { findQuote } from "../spec/quote.js";
import type { Spec } from "../spec/spec.js";
import { blocks, bulletSection, code, codeCell, escaped, section, table } from "./markdown.js";

type ReviewedFinding = Overview["findings"][number] & {
  readonly answer?: { readonly action: string; readonly note: string } | undefined;
};

export const answerText = ({ answer }: Pick<ReviewedFinding, "answer">): string =>
  answer === undefined
    ? ""
    : `Author: ${answer.action}${answer.note === "" ? "" : `, ${escaped(answer.note).replace(/\.$/, "")}`}.`;

export interface ReviewRound {
  readonly round: number;
  readonly by: "conformance" | "critic" | "overview";
  readonly verdict: Verdict;
  readonly ratings?: Critique["ratings"] | undefined;
  readonly findings?: readonly ReviewedFinding[] | undefined;
  /** What the program found in the plan, or what is wrong with the review itself. */
  readonly lint?: readonly LintFinding[] | undefined;
}

export interface VerificationInput {
  readonly draft: PlanDraft;
  readonly map?: CapabilityMap | undefined;
  readonly spec?: Spec | undefined;
  readonly coverage?: Coverage | undefined;
  /** What the conformance lint found in this draft. */
  readonly findings: readonly LintFinding[];
  readonly rounds: readonly ReviewRound[];
  /** Roles that had no part in it. */
  readonly leftOut?: readonly string[] | undefined;
}

type TaskVerdict = "pass" | "notes" | "fail";

/** Each task by itself: the words of the spec that it fulfils, its checks, and every finding about it. */
export function evaluateTasks(input: VerificationInput) {
  const { draft, findings, rounds } = input;
  const lint = new Map<string, LintFinding[]>();
  for (const each of findings) for (const id of each.where.split(", ")) append(lint, id, each);
  const latest = new Map(rounds.filter(({ findings: found }) => found !== undefined).map((round) => [round.by, round]));
  const reviews = new Map<string, ReviewedFinding[]>();
  for (const each of [...latest.values()].flatMap(({ findings: found = [] }) => found)) {
    for (const id of new Set(each.nodes)) append(reviews, id, each);
  }
  const quotes = new Map<DraftTask, string[]>();
  for (const { quote, line, tasks } of tracesOf(input)) {
    if (line === undefined) continue;
    for (const task of tasks) append(quotes, task, `line ${line}: “${quote}”`);
  }
  return draft.tasks.map((task) => {
    const own = lint.get(task.id) ?? [];
    const said = reviews.get(task.id) ?? [];
    const grave = own.some(({ grade }) => grade === "error") || said.some(({ severity }) => GRAVE.has(severity));
    const verdict: TaskVerdict = grave ? "fail" : own.length + said.length > 0 ? "notes" : "pass";
    return {
      task: task.id,
      verdict,
      evidence: [...(quotes.get(task) ?? []), ...task.checks.map(({ run }) => `check: ${run}`)],
      against: [
        ...own.map(({ code: word, message }) => `${word}: ${message}`),
        ...said.map(({ id, severity, title }) => `${id} (${severity}): ${title}`),
      ],
    };
  });
}

export function verificationReport(input: VerificationInput): string {
  const evaluations = evaluateTasks(input);
  const count = (verdict: TaskVerdict): number => evaluations.filter((each) => each.verdict === verdict).length;
  const last = input.rounds.at(-1);
  const parts = [
    `# Verification of ${escaped(input.draft.title)}`,
    `${evaluations.length} tasks: ${count("pass")} pass, ${count("notes")} with notes, ${count("fail")} fail.${last ? ` Last verdict: ${last.verdict}.` : ""}${withoutThem(input.leftOut)}`,
    section(2, "Verdicts", verdictTable(input.rounds)),
    section(2, "Tasks", taskTable(evaluations)),
    section(2, "Coverage of the spec", coverageText(input.coverage)),
    bulletSection(2, "Quotes that are not in the spec", unfounded(input)),
    section(2, "Findings per round", ...input.rounds.map(roundSection)),
  ];
  return `${blocks(...parts)}\n`;
}

const withoutThem = (roles: readonly string[] = []): string =>
  roles.length === 0 ? "" : ` Made without: ${roles.join(", ")}; what they would have found is not here.`;

const verdictTable = (rounds: readonly ReviewRound[]): string =>
  table(
    ["round", "by", "verdict", "findings", "areas"],
    rounds.map(({ round, by, verdict, ratings, findings = [], lint = [] }) => [
      String(round),
      by,
      verdict,
      String(findings.length + lint.length),
      Object.entries(ratings ?? {})
        .map(([area, rating]) => `${area} ${rating}`)
        .join(", ") || "–",
    ]),
  );

const taskTable = (evaluations: ReturnType<typeof evaluateTasks>): string =>
  table(
    ["task", "verdict", "evidence", "against it"],
    evaluations.map(({ task, verdict, evidence, against }) => [
      escaped(task),
      verdict,
      evidence.map(escaped).join("; ") || "–",
      against.map(escaped).join("; ") || "–",
    ]),
  );

const coverageText = (coverage: Coverage | undefined): string => {
  if (!coverage) return "";
  const sections = coverage.sections.filter(({ statements }) => statements > 0);
  const lacking = coverage.requirements.filter(({ covered }) => !covered).map(({ id }) => escaped(id));
  return blocks(
    sharesSentence(coverage),
    table(
      ["section", "planned or left out"],
      sections.map(({ id, title, percent }) => [`${id} ${escaped(title)}`, `${percent} %`]),
    ),
    lacking.length === 0 ? "" : `Requirements without a task: ${lacking.join(", ")}.`,
  );
};

const unfounded = ({ draft, spec }: VerificationInput): string[] =>
  spec === undefined
    ? []
    : draft.tasks.flatMap(({ id, quotes }) =>
        quotes
          .filter((quote) => findQuote(spec, quote) === undefined)
          .map((quote) => `${escaped(id)}: “${escaped(quote)}”`),
      );

function roundSection({ round, by, verdict, findings = [], lint = [] }: ReviewRound): string {
  const found = findings.map((finding) => {
    const { id, severity, title, description, suggestion, nodes, evidence } = finding;
    const where = nodes.length === 0 ? "" : ` [${nodes.map(escaped).join(", ")}]`.replaceAll(/[[\]]/g, "\\$&");
    const shown = evidence.map(({ file, lineStart, lineEnd, claim }) => {
      const lines = lineEnd === undefined || lineEnd === lineStart ? String(lineStart) : `${lineStart}-${lineEnd}`;
      return `  - ${code(`${file}:${lines}`)} ${escaped(claim)}`;
    });
    const said = [description, suggestion]
      .map(escaped)
      .filter((part) => part !== "")
      .join(" ");
    const answer = answerText(finding);
    return [
      `- ${escaped(id)} (${severity})${where}: **${escaped(title)}** ${said}`.trimEnd(),
      ...shown,
      ...(answer === "" ? [] : [`  - ${answer}`]),
    ].join("\n");
  });
  const linted = lint.map(({ code: word, grade, message, suggestion }) =>
    `- ${escaped(word)} (${grade}): ${escaped(message)} ${escaped(suggestion)}`.trimEnd(),
  );
  return section(3, `Round ${round}, ${by}: ${verdict}`, [...found, ...linted].join("\n") || "Nothing was found.");
}

type SpecSources = Pick<VerificationInput, "draft" | "spec">;

interface SpecTrace {
  readonly quote: string;
  readonly line: number | undefined;
  readonly tasks: DraftTask[];
}

/** Words of the spec with the tasks that quote them, in the order of the spec. */
export function tracesOf({ draft, spec }: SpecSources): readonly SpecTrace[] {
  const traces = new Map<string, SpecTrace>();
  for (const task of draft.tasks) {
    for (const quote of new Set(task.quotes)) {
      const trace = traces.get(quote);
      if (trace) trace.tasks.push(task);
      else traces.set(quote, { quote, line: spec ? findQuote(spec, quote)?.line : undefined, tasks: [task] });
    }
  }
  const far = Number.MAX_SAFE_INTEGER;
  return [...traces.values()].sort((a, b) => (a.line ?? far) - (b.line ?? far));
}

export function traceability(sources: SpecSources): string {
  const rows = tracesOf(sources).map(({ quote, line, tasks }) => [
    line === undefined ? "–" : String(line),
    escaped(quote),
    tasks.map(({ id }) => escaped(id)).join(", "),
    [...new Set(tasks.flatMap(({ checks }) => checks.map(({ run }) => codeCell(run))))].join("; ") || "–",
  ]);
  return table(["line", "the spec says", "task", "shown by"], rows);
}
