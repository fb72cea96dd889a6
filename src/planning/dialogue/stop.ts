// What a person has to know to decide when a run stops: the worst findings with their evidence, what the author answered
// to each, what reviewers asked, and where the whole report is.

import type { Reader } from "../../store/store.js";
import type { CodeEvidence } from "../contracts/common.js";
import { findingsBy } from "../driver/gather.js";
import type { Run } from "../driver/runs.js";
import { shortLine } from "../driver/short-text.js";
import type { Source } from "../machine/machine.js";
import { findingSubject, gravity, isMinor } from "../roles/finding.js";
import { type AnsweredFinding, answersIn } from "./responses.js";

const SHOWN = 5;
const LONGEST = 400;

type Found = Readonly<
  Partial<Record<"id" | "description" | "suggestion", string>> & { evidence: readonly CodeEvidence[] }
>;

interface Said {
  readonly source: Source;
  readonly round: number;
  readonly finding: Partial<Found>;
}

export async function contextOfStop(reader: Reader, run: Run, report: string | undefined): Promise<string> {
  const sources: readonly Source[] = run.machine.feedback.length > 0 ? run.machine.feedback : ["conformance"];
  const said: Said[] = [];
  const questions: string[] = [];
  for (const source of sources) {
    const found = source === "person" ? undefined : await findingsBy(reader, run, source);
    if (!found) continue;
    said.push(...found.findings.map((finding) => ({ source, round: found.round, finding: finding as Partial<Found> })));
    questions.push(...found.questions.map((asked) => `- ${source}: ${questionText(asked)}`));
  }
  const grave = said
    .filter(({ finding }) => !isMinor(finding))
    .toSorted((a, b) => gravity(b.finding) - gravity(a.finding));
  const answers = await answersIn(reader, run);
  return [
    ...grave.slice(0, SHOWN).map((each) => findingText(each, answers)),
    ...(grave.length > SHOWN ? [`and ${grave.length - SHOWN} more findings`] : []),
    ...(questions.length > 0 ? ["Questions of the reviewers:", ...questions.slice(0, SHOWN)] : []),
    ...(report === undefined ? [] : [`The whole report is ${report}.`]),
  ].join("\n");
}

function findingText({ source, round, finding }: Said, answers: readonly AnsweredFinding[]): string {
  const { id, description = "", suggestion = "", evidence = [] } = finding;
  const answer = answers.findLast((each) => each.source === source && each.id === id && each.round <= round);
  const more = [description, suggestion].filter((words) => words !== "").join(" ");
  return [
    `- ${source} ${shortLine(findingSubject(finding), LONGEST)}`,
    ...(more === "" ? [] : [`  ${shortLine(more, LONGEST)}`]),
    ...evidence.slice(0, 3).map(({ file, lineStart, claim }) => `  ${file}:${lineStart} ${shortLine(claim, LONGEST)}`),
    ...(answer
      ? [`  author: ${answer.action}${answer.note === "" ? "" : `, ${shortLine(answer.note, LONGEST)}`}`]
      : []),
  ].join("\n");
}

function questionText(asked: unknown): string {
  const { question = "", context = "" } = asked as { question?: string; context?: string };
  return shortLine(context === "" ? question : `${question} (${context})`, LONGEST);
}
