// Findings about a plan: what the program finds, how grave a finding of any judge is, and what the author answers to it:
// fixed, declined with a reason, or left to a person.

import { type Grade, LINT_CODES, type LintCode } from "../../model/lint-codes.js";
import type { Critique } from "./answers.js";
import type { PlanRevision } from "./plan-draft.js";

export const LINT_LEVELS = ["lenient", "normal", "strict"] as const;

/** `lenient` looks at errors alone, `normal` also at warnings, `strict` also at remarks. */
export type LintLevel = (typeof LINT_LEVELS)[number];

export interface LintFinding {
  readonly code: LintCode;
  readonly grade: Grade;
  /** Where: ids of nodes, a behaviour, a section of the spec. */
  readonly where: string;
  readonly message: string;
  readonly suggestion: string;
  readonly fixable: boolean;
}

/** Only what differs from the table of codes has to be said. */
export const finding = (
  code: LintCode,
  where: string,
  message: string,
  { grade = LINT_CODES[code].grade, suggestion = LINT_CODES[code].advice, fixable = false }: Partial<LintFinding> = {},
): LintFinding => ({ code, grade, where, message, suggestion, fixable });

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

/** A finding of any judge, as it is kept: reviewers number theirs and give a severity, the program has a code, a place and a grade. */
export type StoredFinding = Partial<
  LintFinding & Omit<Critique["findings"][number], "severity" | "suggestion"> & { readonly severity: string }
>;

const gravityWord = ({ severity, grade }: StoredFinding): string => severity ?? grade ?? "";

export const gravity = (finding: StoredFinding): number => GRAVITY[gravityWord(finding)] ?? 0;

/** What the program only warns of or remarks. */
export const isMinor = ({ grade }: StoredFinding): boolean => grade === "warning" || grade === "remark";

/** Ids that a finding is about: reviewers list them, the program names the place. */
export const namedIn = ({ nodes = [], where }: StoredFinding): string[] => [...nodes, ...(where?.split(", ") ?? [])];

/** The id under which the author answers. */
const idOf = ({ id, code, where }: StoredFinding): string => id ?? `${code ?? ""} ${where ?? ""}`.trim();

const titleOf = ({ title, message = "" }: StoredFinding): string => title ?? message;

/** For an index: its id or code, how grave it is, and its title. */
export const findingSubject = (finding: StoredFinding): string =>
  `${idOf(finding)} (${gravityWord(finding)}) ${titleOf(finding)}`;

/** What one of the judges said in the latest round. */
export interface Feedback {
  readonly source: Source;
  readonly round: number;
  readonly findings: readonly StoredFinding[];
  readonly questions: Critique["questions"];
  readonly note: string;
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

/** As an answer names it. */
const answerId = (finding: StoredFinding): string => finding.id ?? idOf(finding).slice(0, 100);

/** The severities that a revision must not leave unanswered. */
export const GRAVE: ReadonlySet<string> = new Set(["critical", "high"]);

const ANSWERS = "Say fixed, declined or needs-decision.";

const isReviewer = (source: Source): boolean => source === "critic" || source === "overviewer";

/** What is missing in the answers of a revision: grave findings without one, and refusals without a reason. */
export function missingAnswers(given: readonly Feedback[], responses: PlanRevision["responses"]): string[] {
  const answered = new Set(responses.map(({ finding }) => finding));
  const reviewed = given.filter(({ source }) => isReviewer(source)).flatMap(({ findings }) => findings);
  const ids = new Set(reviewed.map(answerId));
  const open = reviewed.filter((finding) => GRAVE.has(gravityWord(finding)) && !answered.has(answerId(finding)));
  const bare = responses.filter(
    ({ finding, action, note }) => action !== "fixed" && note.trim() === "" && ids.has(finding),
  );
  return [
    ...open.map((finding) => `the finding ${answerId(finding)} (${gravityWord(finding)}) has no response. ${ANSWERS}`),
    ...bare.map(({ finding, action }) => `${finding} is ${action} without a reason. Give one in its note.`),
  ].map((problem) => `responses: ${problem}`);
}

/** The answers, each with its finding. Answers to findings that do not exist are left out. */
export function answeredFindings(given: readonly Feedback[], responses: PlanRevision["responses"]): AnsweredFinding[] {
  const byId = new Map(responses.map((response) => [response.finding, response]));
  return given.flatMap(({ source, round, findings }) =>
    findings.flatMap((finding) => {
      const id = answerId(finding);
      const response = byId.get(id);
      if (!response) return [];
      const { action, note } = response;
      return [{ source, round, id, severity: gravityWord(finding), title: titleOf(finding), action, note }];
    }),
  );
}

/** What reviewers have to hear of, and a person, if they insist. Each overviewer is a fresh one, whose ids say nothing. */
export const idsWith = (answers: readonly AnsweredFinding[], action: AnsweredFinding["action"]): string[] => {
  const found = answers.filter((each) => isReviewer(each.source) && each.action === action);
  return [...new Set(found.map(({ id, source, title }) => (source === "overviewer" ? title : id)))];
};

export function latestAnswers(answers: readonly AnsweredFinding[], source: Source): AnsweredFinding[] {
  const own = answers.filter((each) => each.source === source);
  return [...new Map(own.map((each) => [each.id, each])).values()];
}

export function countSeverities(findings: readonly StoredFinding[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { severity = "" } of findings) counts[severity] = (counts[severity] ?? 0) + 1;
  return counts;
}
