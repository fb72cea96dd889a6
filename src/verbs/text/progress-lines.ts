// What a planning run reports, in lines for people: one for each role call that ended, and for each step of the program.

import { step } from "../../model/next-step.js";
import { firstOf } from "../../model/words.js";
import type { Progress } from "../../planning/run/services.js";
import type { PlanningRunView } from "../../planning/run/view.js";
import { spell } from "../kit/spell.js";
import { makeStyle, type Style } from "../kit/style.js";
import { dollars, durationText, inLine, joined, plural } from "../kit/wording.js";

/** Where a door marks nothing. */
export const PLAIN = makeStyle(false, 80);

const GRAVITY = ["critical", "high", "unreadable", "error", "medium", "warning", "low", "remark"];

const COUNTABLE: ReadonlySet<string> = new Set(["error", "warning", "remark"]);

/** `2 high, 1 low`: the gravest first, without those that are not there. */
export function gravities(counts: Readonly<Record<string, number>>): string {
  const found = GRAVITY.flatMap((grade) => {
    const count = counts[grade] ?? 0;
    return count === 0 ? [] : [COUNTABLE.has(grade) ? plural(count, grade) : `${count} ${grade}`];
  });
  return found.length === 0 ? "none" : found.join(", ");
}

const MODES: Readonly<Record<string, string>> = {
  new: "planning",
  quick: "planning small work",
  revise: "revising the plan",
  expand: "expanding",
  review: "reviewing the plan",
};

const verdictOf = (verdict: string, style: Style): string =>
  style[verdict.startsWith("approve") ? "green" : verdict === "escalate" ? "red" : "yellow"](verdict);

/** Nothing, for what only a live display shows. */
export function progressLines(progress: Progress, style: Style = PLAIN): string[] {
  switch (progress.type) {
    case "started":
      return startedLines(progress, style);
    case "answered":
      return answeredLines(progress, style);
    case "unseen":
      return [unseenLine(progress, style)];
    case "warned":
      return [`${style.yellow("!")} ${progress.role} (${progress.stage}): ${inLine(progress.message)}`];
    case "retrying":
      return [
        `${style.yellow("↻")} ${progress.role} (${progress.stage}): ${inLine(progress.message)} Trying again in ${progress.delayMs / 1_000} s.`,
      ];
    case "sent-back":
      return [
        `${style.yellow("↩")} ${progress.role} (${progress.stage}): the reply does not fit its schema and was sent back`,
        ...progress.problems.slice(0, 5).map((problem) => `    ${style.dim(inLine(problem))}`),
      ];
    case "failed":
      return [
        `${style.red("✗")} ${progress.role} (${progress.stage}) failed: ${inLine(progress.message)}`,
        `    ${inLine(progress.recovery)}`,
      ];
    case "linted":
      return lintedLines(progress, style);
    case "sequenced":
      if (progress.cyclic.length > 0)
        return [`${style.red("✗")} sequence: these tasks wait for themselves: ${firstOf(progress.cyclic, 10)}`];
      return [
        `${style.green("✓")} sequence: ${plural(progress.tasks, "task")} in ${plural(progress.waves, "wave")}, ${progress.hours} h on the longest path${progress.added > 0 ? `, ${plural(progress.added, "overlap")} put in order` : ""}`,
      ];
    case "revising":
      return [
        `${style.yellow("↻")} revision ${progress.round}: the author gets the findings of ${joined(progress.because) || "the review"}`,
      ];
    case "asking":
    case "agent":
    case "asked":
    default:
      return [];
  }
}

function startedLines(started: Extract<Progress, { type: "started" }>, style: Style): string[] {
  const { run, mode, title, resumed, unserved, agents, parts, standIn, alsoOpen } = started;
  const head = `${style.bold(run)} ${resumed ? "continues " : ""}${MODES[mode] ?? mode}: ${inLine(title)}`;
  const names = [...new Set(Object.values(agents))];
  const roles = Object.entries(agents).map(([role, agent]) => `${role} ${agent}`);
  const isOutline = names.length === 1 && names[0] === "outline";
  const why = standIn ? "No agent is configured or installed, so the" : "The";
  const install = `To plan with a model, install a coding agent (${spell(step("agents.list"))}) or choose one with --agent.`;
  const them = unserved.length === 1 ? "it" : "them";
  return [
    head,
    style.dim(`  roles: ${roles.join(", ")}`),
    ...(alsoOpen.length > 0 ? [style.yellow(`  ${twinText(alsoOpen)}`)] : []),
    ...[
      parts > 1 ? `The spec is long: it is planned in ${parts} parts, which are then merged.` : "",
      isOutline ? `${why} built-in outline planner plans from the structure of the spec.` : "",
      isOutline ? install : "",
      unserved.length > 0 ? `Skipped ${joined(unserved)}: no agent is configured for ${them}.` : "",
    ].flatMap((line) => (line === "" ? [] : [style.dim(`  ${line}`)])),
  ];
}

const MAX_FILES_NAMED = 5;

function unseenLine({ commit, files }: Extract<Progress, { type: "unseen" }>, style: Style): string {
  const more = files.length > MAX_FILES_NAMED ? [`${files.length - MAX_FILES_NAMED} more`] : [];
  const them = joined([...files.slice(0, MAX_FILES_NAMED).map(inLine), ...more]);
  const what = files.length === 1 ? "one uncommitted file" : `${files.length} uncommitted files`;
  return `${style.yellow("!")} Planning reads commit ${commit.slice(0, 10)}, without ${what}: ${them}. Commit first what the plan must build on.`;
}

export const twinText = (runs: readonly string[]): string =>
  `${joined(runs)} ${runs.length === 1 ? "is" : "are"} about the same and not over. Only one of them can be approved.`;

function answeredLines(progress: Extract<Progress, { type: "answered" }>, style: Style): string[] {
  const { summary, round, durationMs, tokens, costUsd, stage } = progress;
  const revision = round > 0 ? `, revision ${round}` : "";
  const cost = [durationText(durationMs), tokens > 0 ? `${tokens} tokens` : "", dollars(costUsd ?? 0)]
    .filter(Boolean)
    .join(", ");
  const head = (what: string): string =>
    `${style.green("✓")} ${summary.role} (${stage}${revision}): ${what} ${style.dim(cost)}`;
  switch (summary.role) {
    case "researcher":
      return [head(plural(summary.findings, "finding"))];
    case "clarifier":
      return [
        head(`${plural(summary.questions, "question")}, ${plural(summary.assumptions, "assumption")}`),
        style.dim(`    intent: ${inLine(summary.intent)}`),
      ];
    case "author":
      return [head(authorSummary(summary))];
    case "critic":
    case "overviewer":
    default: {
      const ratings = summary.role === "critic" ? Object.entries(summary.ratings) : [];
      return [
        head(`${verdictOf(summary.verdict, style)}; findings: ${gravities(summary.severities)}`),
        ...(ratings.length === 0
          ? []
          : [style.dim(`    ${ratings.map(([area, rating]) => `${area} ${rating}`).join(" · ")}`)]),
        ...assessmentLines(summary, style),
      ];
    }
  }
}

type Assessed = Record<"questions" | "against", number> & { readonly assessment: string };

function assessmentLines({ assessment, questions, against }: Assessed, style: Style): string[] {
  const extra = [
    questions > 0 ? `${plural(questions, "question")} for the author` : "",
    against > 0 ? `${plural(against, "citation")} missing or not found` : "",
  ].filter(Boolean);
  return [style.dim(`    ${inLine(assessment)}`), ...(extra.length > 0 ? [style.dim(`    ${extra.join("; ")}`)] : [])];
}

type AuthorSummary = Extract<Progress, { type: "answered" }>["summary"] & { role: "author" };

export const countsText = (counts: NonNullable<PlanningRunView["counts"]>): string =>
  [
    ...(counts.initiatives === 0 ? [] : [plural(counts.initiatives, "initiative")]),
    plural(counts.features, "feature"),
    plural(counts.stories, "story", "stories"),
    plural(counts.tasks, "task"),
    plural(counts.decisions, "decision"),
  ].join(", ");

function authorSummary(summary: AuthorSummary): string {
  switch (summary.stage) {
    case "capabilities":
      return `${plural(summary.behaviours, "behaviour")} in ${plural(summary.domains, "domain")}${summary.leftOut > 0 ? `, ${summary.leftOut} left out with a reason` : ""}`;
    case "files":
      return `${plural(summary.files, "file")} for ${plural(summary.behaviours, "behaviour")}`;
    case "tasks":
    default:
      return `${countsText(summary)} (${summary.revised ? revisedWords(summary) : "written"})`;
  }
}

function revisedWords({ fixed, declined, unchanged }: Extract<AuthorSummary, { stage: "tasks" }>): string {
  const reasons = declined
    .slice(0, 5)
    .map(({ finding, note }) => inLine(note === "" ? finding : `${finding}: ${note}`));
  const more = declined.length > reasons.length ? [`and ${declined.length - reasons.length} more`] : [];
  const refusals = declined.length === 0 ? "" : `, ${declined.length} declined: ${[...reasons, ...more].join("; ")}`;
  return `revised: ${fixed} fixed${refusals}${unchanged ? "; nothing changed" : ""}`;
}

function lintedLines(linted: Extract<Progress, { type: "linted" }>, style: Style): string[] {
  const { verdict, errors, warnings, remarks, coverage, round } = linted;
  const revision = round > 0 ? `, revision ${round}` : "";
  const found = gravities({ error: errors, warning: warnings, remark: remarks });
  const covered = coverage
    ? `; planned ${coverage.planned} %, left out ${coverage.leftOut} %, not understood ${coverage.notUnderstood} %`
    : "";
  const mark = verdict.startsWith("approve") ? style.green("✓") : style.yellow("!");
  return [`${mark} conformance (review${revision}): ${verdictOf(verdict, style)}; findings: ${found}${covered}`];
}
