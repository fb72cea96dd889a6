// Findings about a plan: what the program finds, how grave a finding of any judge is, and what the author answers to it:
// fixed, declined with a reason, or left to a person.

import type { PlanRevision } from "./plan-draft.js";

export const LINT_LEVELS = ["lenient", "normal", "strict"] as const;

/** `lenient` looks at errors alone, `normal` also at warnings, `strict` also at remarks. */
export type LintLevel = (typeof LINT_LEVELS)[number];

/** An `error` forces a revision, `unreadable` escalates: the plan cannot be judged at all. */
export type Grade = "unreadable" | "error" | "warning" | "remark";

export interface LintFinding {
  /** Such as `P-QUOTE`. */
  readonly code: string;
  readonly grade: Grade;
  /** Where: ids of nodes, a behaviour, a section of the spec. */
  readonly where: string;
  readonly message: string;
  /** What to do about it. */
  readonly suggestion: string;
  /** Whether `lint --fix` fixes it. */
  readonly fixable: boolean;
}

/** Whose feedback the author gets: only that of the latest round. */
export type Source = "conformance" | "critic" | "overviewer" | "person";

const GRAVITY: Readonly<Record<string, number>> = {
  critical: 5,
  unreadable: 5,
  high: 4,
  error: 4,
  medium: 3,
  warning: 2,
  low: 1,
  remark: 1,
};

type AnyFinding = Readonly<
  Record<"id" | "code" | "severity" | "grade" | "title" | "message" | "nodes" | "where", unknown>
>;

const saying = (value: unknown): string => (typeof value === "string" ? value : "");

/** Reviewers give a severity, the program a grade. */
export function gravity(finding: unknown): number {
  const { severity, grade } = finding as AnyFinding;
  return GRAVITY[saying(severity) || saying(grade)] ?? 0;
}

/** What the program only warns of or remarks. */
export const isMinor = (finding: unknown): boolean => {
  const { grade } = finding as AnyFinding;
  return grade === "warning" || grade === "remark";
};

/** Ids that a finding is about: reviewers list them, the program names the place. */
export function namedIn(finding: unknown): string[] {
  const { nodes, where } = finding as AnyFinding;
  return [...(Array.isArray(nodes) ? nodes.filter((id) => typeof id === "string") : []), ...places(where)];
}

const places = (where: unknown): string[] => (typeof where === "string" ? where.split(", ") : []);

/** For an index: its id or code, how grave it is, and its title. */
export function findingSubject(finding: unknown): string {
  const { id, code, severity, grade, title, message, where } = finding as AnyFinding;
  const name = saying(id) || `${saying(code)} ${saying(where)}`.trim();
  return `${name} (${saying(severity) || saying(grade)}) ${saying(title) || saying(message)}`;
}

export interface AnsweredFinding {
  /** Who found it, and in which round of theirs. */
  readonly source: Source;
  readonly round: number;
  readonly id: string;
  readonly severity: string;
  readonly title: string;
  readonly action: PlanRevision["responses"][number]["action"];
  readonly note: string;
}

/** Findings that an author was given. */
interface GivenFeedback {
  readonly source: Source;
  readonly round: number;
  readonly findings: readonly unknown[];
}

type GivenFinding = Readonly<
  Partial<Record<"id" | "code" | "where" | "severity" | "grade" | "title" | "message", string>>
>;

/** The id under which the author answers: reviewers number their findings, the program has a code and a place. */
const idOf = ({ id, code = "", where = "" }: GivenFinding): string => id ?? `${code} ${where}`.trim().slice(0, 100);

const GRAVE: ReadonlySet<string> = new Set(["critical", "high"]);

const isReviewer = (source: Source): boolean => source === "critic" || source === "overviewer";

/** What is missing in the answers of a revision: grave findings without one, and refusals without a reason. */
export function missingAnswers(given: readonly GivenFeedback[], responses: PlanRevision["responses"]): string[] {
  const answered = new Set(responses.map(({ finding }) => finding));
  const grave = given
    .filter(({ source }) => isReviewer(source))
    .flatMap(({ findings }) => findings as readonly GivenFinding[])
    .filter(({ severity = "" }) => GRAVE.has(severity));
  const unanswered = grave.filter((finding) => !answered.has(idOf(finding)));
  return [
    ...unanswered.map(
      (finding) =>
        `responses: the finding ${idOf(finding)} (${finding.severity ?? ""}) has no response. Say fixed, declined or needs-decision.`,
    ),
    ...responses
      .filter(({ finding, action, note }) => action !== "fixed" && note.trim() === "" && isAbout(given, finding))
      .map(({ finding, action }) => `responses: ${finding} is ${action} without a reason. Give one in its note.`),
  ];
}

const isAbout = (given: readonly GivenFeedback[], id: string): boolean =>
  given.some(
    ({ source, findings }) => isReviewer(source) && (findings as readonly GivenFinding[]).some((f) => idOf(f) === id),
  );

/** The answers, each with its finding. Answers to findings that do not exist are left out. */
export function answeredFindings(
  given: readonly GivenFeedback[],
  responses: PlanRevision["responses"],
): AnsweredFinding[] {
  const byId = new Map(responses.map((response) => [response.finding, response]));
  return given.flatMap(({ source, round, findings }) =>
    (findings as readonly GivenFinding[]).flatMap((finding) => {
      const response = byId.get(idOf(finding));
      if (!response) return [];
      const { severity, grade, title, message } = finding;
      const about = { id: idOf(finding), severity: severity ?? grade ?? "", title: title ?? message ?? "" };
      return [{ source, round, ...about, action: response.action, note: response.note }];
    }),
  );
}

/** What reviewers have to hear of, and a person, if they insist. */
export const idsWith = (answers: readonly AnsweredFinding[], action: AnsweredFinding["action"]): string[] => [
  ...new Set(answers.filter((each) => isReviewer(each.source) && each.action === action).map(({ id }) => id)),
];

/** The latest answer to each finding of one reviewer. */
export function latestAnswers(answers: readonly AnsweredFinding[], source: Source): AnsweredFinding[] {
  const own = answers.filter((each) => each.source === source);
  return [...new Map(own.map((each) => [each.id, each])).values()];
}

export function countSeverities(findings: readonly unknown[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { severity = "" } of findings as readonly GivenFinding[]) counts[severity] = (counts[severity] ?? 0) + 1;
  return counts;
}
