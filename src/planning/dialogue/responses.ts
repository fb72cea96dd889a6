// What the author answers to findings: fixed, declined with a reason, or left to a person. Kept with the finding that it
// is about, so that reviewers, the report and the plan can show both sides.

import type { Reader } from "../../store/store.js";
import type { PlanRevision } from "../contracts/plan-draft.js";
import { jsonArtifact, type RunArtifact } from "../driver/artifacts.js";
import type { Run } from "../driver/runs.js";
import { type Source } from "../machine/machine.js";

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
export interface GivenFeedback {
  readonly source: Source;
  readonly round: number;
  readonly findings: readonly unknown[];
}

type Found = Readonly<Partial<Record<"id" | "code" | "where" | "severity" | "grade" | "title" | "message", string>>>;

/** The id under which the author answers: reviewers number their findings, the program has a code and a place. */
const idOf = ({ id, code = "", where = "" }: Found): string => id ?? `${code} ${where}`.trim().slice(0, 100);

const GRAVE: ReadonlySet<string> = new Set(["critical", "high"]);

const isReviewer = (source: Source): boolean => source === "critic" || source === "overviewer";

/** What is missing in the answers of a revision: grave findings without one, and refusals without a reason. */
export function missingAnswers(given: readonly GivenFeedback[], responses: PlanRevision["responses"]): string[] {
  const answered = new Set(responses.map(({ finding }) => finding));
  const grave = given
    .filter(({ source }) => isReviewer(source))
    .flatMap(({ findings }) => findings as readonly Found[])
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
    ({ source, findings }) => isReviewer(source) && (findings as readonly Found[]).some((f) => idOf(f) === id),
  );

/** The answers, each with its finding. Answers to findings that do not exist are left out. */
export function answeredFindings(
  given: readonly GivenFeedback[],
  responses: PlanRevision["responses"],
): AnsweredFinding[] {
  const byId = new Map(responses.map((response) => [response.finding, response]));
  return given.flatMap(({ source, round, findings }) =>
    (findings as readonly Found[]).flatMap((finding) => {
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

export const responsesArtifact = (answers: readonly AnsweredFinding[]): RunArtifact =>
  jsonArtifact("responses", { answers });

/** Every answer of the run, the latest last. */
export async function answersIn(reader: Reader, run: Run): Promise<AnsweredFinding[]> {
  const found: AnsweredFinding[] = [];
  for (const { fields } of await reader.items("artifact", { owner: run.key, state: "responses" })) {
    const text = await reader.document(fields.hash);
    if (text !== undefined) found.push(...(JSON.parse(text) as { answers: AnsweredFinding[] }).answers);
  }
  return found;
}

/** The latest answer to each finding of one reviewer. */
export function latestAnswers(answers: readonly AnsweredFinding[], source: Source): AnsweredFinding[] {
  const own = answers.filter((each) => each.source === source);
  return [...new Map(own.map((each) => [each.id, each])).values()];
}
