// The five things that landing proves, as lines: from a dry run, while it lands, or with what refused it. Pure.

import type { ApiFailure } from "../api/types.js";
import type { SignName } from "../parts/sign.js";
import { lasted, plural } from "../parts/words.js";
import type { Landing } from "./landings.js";

export interface ProofLine {
  readonly sign: SignName;
  readonly words: string;
  readonly evidence: string;
}

const NOT_YET: readonly string[] = [
  "Every task is done and accepted",
  "Merges with main as it is now",
  "The commit of every task is in the result",
  "Nothing is in the way in the checkout",
  "Checks and requirements are green on the result",
];

export const openLines = (sign: SignName = "pending"): ProofLine[] =>
  NOT_YET.map((words) => ({ sign, words, evidence: "" }));

const LINES = ["tasks", "merge", "commits", "checkout", "checks"] as const;

export type Progress = ReadonlyMap<
  (typeof LINES)[number],
  { readonly state: "begun" | "proven"; readonly check: string | null }
>;

/** While it is being proven: the server says of each line when it begins and when it holds. */
export function landingLines(progress: Progress | undefined): ProofLine[] {
  return openLines().map((line, index) => {
    const name = LINES[index];
    const news = name && progress?.get(name);
    if (!news) return line;
    return { ...line, sign: news.state === "proven" ? "done" : "in_progress", evidence: news.check ?? "" };
  });
}

export function provenLines({ tasks, from, proofs, checkout, checks, requirements, branch }: Landing): ProofLine[] {
  const spent = [...checks, ...requirements].reduce((sum, { durationMs }) => sum + durationMs, 0);
  const weak = proofs.filter(({ strength }) => strength !== "strong").length;
  const excused = checks.filter(({ passed }) => !passed).length;
  const required = requirements.length === 0 ? "" : ` and ${plural(requirements.length, "requirement")}`;
  const green = checks.length - excused;
  const are = green + requirements.length === 1 ? "is" : "are";
  return [
    {
      sign: "done",
      words: `${tasks.length} of ${plural(tasks.length, "task")} ${tasks.length === 1 ? "is" : "are"} done and accepted`,
      evidence: weak > 0 ? plural(weak, "weak proof") : "",
    },
    { sign: "done", words: `Merges with ${branch ?? "main"} as it is now`, evidence: from?.slice(0, 10) ?? "" },
    { sign: "done", words: "The commit of every task is in the result", evidence: plural(proofs.length, "commit") },
    { sign: "done", words: "Nothing is in the way in the checkout", evidence: checkout ?? "" },
    {
      sign: "done",
      words: `${plural(green, "check")}${required} ${are} green on the result${excused > 0 ? `, ${excused} excused` : ""}`,
      evidence: lasted(spent),
    },
  ];
}

/** The line that a refusal is about. Checks run last, so what stands before them was proven. */
const LINE_OF_REASON: Readonly<Record<string, number>> = {
  "tasks-open": 0,
  "merge-conflict": 1,
  "rebase-conflict": 1,
  "base-moved": 1,
  "work-missing": 2,
  "dirty-tree": 3,
  locked: 3,
  "check-failed": 4,
  "hooks-changed": 4,
};

export function refusedLines({ reason }: ApiFailure): ProofLine[] {
  const at = LINE_OF_REASON[reason];
  return openLines().map((line, index) => {
    if (index === at) return { ...line, sign: "rejected" };
    return at === NOT_YET.length - 1 ? { ...line, sign: "done" } : line;
  });
}

/** The files, and the output of the check, that a refusal names. */
export function evidenceOf({ details }: ApiFailure): { readonly paths: readonly string[]; readonly output: string } {
  const listed = details?.["paths"] ?? details?.["conflicts"] ?? details?.["files"];
  const paths = Array.isArray(listed) ? listed.filter((each) => typeof each === "string") : [];
  const failed: unknown = Array.isArray(details?.["failed"]) ? details["failed"][0] : undefined;
  const output = typeof failed === "object" && failed !== null && "output" in failed ? failed.output : "";
  return { paths, output: typeof output === "string" ? output : "" };
}
