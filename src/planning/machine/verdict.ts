// Verdicts, computed from findings by tables. What a reviewer says about its own verdict is never asked for.

import type { Grade } from "../../model/lint-codes.js";
import type { Critique, Overview } from "../contracts/answers.js";
import type { CodeEvidence, Severity } from "../contracts/common.js";
import { finding, GRAVE, type LintFinding } from "../contracts/findings.js";

const VERDICTS = ["approve", "approve-with-notes", "revise", "escalate"] as const;

export type Verdict = (typeof VERDICTS)[number];

export const gravest = (verdicts: Iterable<Verdict>): Verdict => {
  const given = new Set(verdicts);
  return VERDICTS.findLast((verdict) => given.has(verdict)) ?? "approve";
};

const BY_GRADE: Readonly<Record<Grade, Verdict>> = {
  unreadable: "escalate",
  error: "revise",
  warning: "approve-with-notes",
  remark: "approve",
};

export const conformanceVerdict = (findings: readonly Pick<LintFinding, "grade">[]): Verdict =>
  gravest(findings.map(({ grade }) => BY_GRADE[grade]));

type BySeverity = Readonly<Record<Severity, Verdict>>;

const CRITIC: BySeverity = { critical: "escalate", high: "revise", medium: "revise", low: "approve-with-notes" };

const OVERVIEW: BySeverity = { ...CRITIC, critical: "revise" };

/** From the second round on, what is only medium no longer forces a revision. */
const inRound = (table: BySeverity, round: number): BySeverity =>
  round < 2 ? table : { ...table, medium: "approve-with-notes" };

const BY_RATING = { pass: "approve", warn: "approve-with-notes", fail: "revise" } as const;

/** `round` counts reviews, from 1. */
export function criticVerdict({ findings, ratings }: Pick<Critique, "findings" | "ratings">, round: number): Verdict {
  const table = inRound(CRITIC, round);
  const rated = Object.values(ratings).map((rating) => BY_RATING[rating]);
  return gravest([...findings.map(({ severity }) => table[severity]), ...rated]);
}

/** `round` counts overviews, from 1. */
export function overviewVerdict({ findings }: Pick<Overview, "findings">, round: number): Verdict {
  const table = inRound(OVERVIEW, round);
  return gravest(findings.map(({ severity }) => table[severity]));
}

/** What has to be gone after a revision: each id once, in order. */
export const highIds = (findings: readonly { readonly id: string; readonly severity: Severity }[]): string[] => {
  const grave = findings.filter(({ severity }) => GRAVE.has(severity));
  return [...new Set(grave.map(({ id }) => id))].sort();
};

/** The same grave findings twice running, with a revision in between: going on would not help. */
export function stagnant(previous: readonly string[], current: readonly string[], round: number): boolean {
  const before = new Set(previous);
  const now = new Set(current);
  return round >= 2 && now.size > 0 && before.size === now.size && [...now].every((id) => before.has(id));
}

export type Sighting = "ok" | "no-file" | "no-line";

/** Findings of the critic have an area, those of the overviewer have none. */
type CitingFinding = Pick<Overview["findings"][number], "id" | "title" | "description" | "evidence"> & {
  readonly area?: string;
};

/** What is wrong with a review itself: code that is not there, and claims about code that show none. */
export function checkEvidence(
  findings: readonly CitingFinding[],
  exists: (file: string, line: number) => Sighting,
): LintFinding[] {
  return findings.flatMap((cited) => {
    const missing = cited.evidence.flatMap((evidence) => notThere(cited.id, evidence, exists));
    return cited.evidence.length === 0 && claimsCode(cited) ? [uncited(cited)] : missing;
  });
}

function notThere(id: string, evidence: CodeEvidence, exists: (file: string, line: number) => Sighting): LintFinding[] {
  const { file, lineStart, lineEnd = lineStart } = evidence;
  const seen = [lineStart, lineEnd].map((line) => exists(file, line)).find((each) => each !== "ok");
  const backwards = lineEnd < lineStart;
  if (seen === undefined && !backwards) return [];
  const lines = lineStart === lineEnd ? `line ${lineStart}` : `lines ${lineStart} to ${lineEnd}`;
  const wrong = backwards ? "end before they begin" : lineStart === lineEnd ? "does not exist" : "do not all exist";
  const what = seen === "no-file" ? `${file}, which does not exist` : `${lines} of ${file}, which ${wrong}`;
  return [finding("R-CITATION", id, `The finding ${id} cites ${what}.`)];
}

/** Areas that are about code, as opposed to the plan's own words. */
const ABOUT_CODE: ReadonlySet<string> = new Set(["soundness", "implementability"]);

const NAMES_CODE = /`[^`\n]+`|(?<![\w/.-])(?:[\w.-]+\/)+[\w.-]+\.[a-z]{1,5}\b/i;

const claimsCode = ({ area, title, description }: CitingFinding): boolean =>
  (area === undefined || ABOUT_CODE.has(area)) && NAMES_CODE.test(`${title}\n${description}`);

const uncited = ({ id }: CitingFinding): LintFinding =>
  finding("R-UNCITED", id, `The finding ${id} speaks about code and cites none.`);
