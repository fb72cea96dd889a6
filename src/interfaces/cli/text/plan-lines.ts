// A planning run in lines for people: what each role answered, what was found, and what it would change.

import { spell } from "../../../app/command-line.js";
import { step } from "../../../app/vocabulary.js";
import type { DraftDiff } from "../../../planning/draft/diff.js";
import type { Progress } from "../../../planning/driver/progress.js";
import type { PlanningRunView } from "../../../planning/driver/view.js";
import { inLine } from "./one-line.js";
import { harmless, type Style, widest } from "./style.js";
import { dollars, joined, plural, seconds } from "./wording.js";

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
  verdict.startsWith("approve")
    ? style.green(verdict)
    : verdict === "escalate"
      ? style.red(verdict)
      : style.yellow(verdict);

/** Nothing, for what only a live display shows. */
export function progressLines(progress: Progress, style: Style): string[] {
  switch (progress.type) {
    case "started":
      return startedLines(progress, style);
    case "answered":
      return answeredLines(progress, style);
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

function startedLines(
  { run, mode, title, resumed, unserved, agents, parts, standIn, alsoOpen }: Extract<Progress, { type: "started" }>,
  style: Style,
): string[] {
  const head = `${style.bold(run)} ${resumed ? "continues " : ""}${MODES[mode] ?? mode}: ${inLine(title)}`;
  const names = [...new Set(Object.values(agents))];
  const lines = [
    head,
    style.dim(
      `  roles: ${Object.entries(agents)
        .map(([role, agent]) => `${role} ${agent}`)
        .join(", ")}`,
    ),
  ];
  if (alsoOpen.length > 0) lines.push(style.yellow(`  ${twinText(alsoOpen)}`));
  if (parts > 1) lines.push(style.dim(`  The spec is long: it is planned in ${parts} parts, which are then merged.`));
  if (names.length === 1 && names[0] === "outline") {
    lines.push(
      style.dim(
        `  ${standIn ? "No agent is configured or installed, so the" : "The"} built-in outline planner plans from the structure of the spec.`,
      ),
      style.dim(
        `  To plan with a model, install a coding agent (${spell(step("agents.list"))}) or choose one with --agent.`,
      ),
    );
  }
  if (unserved.length > 0) {
    const them = unserved.length === 1 ? "it" : "them";
    lines.push(style.dim(`  Skipped ${joined(unserved)}: no agent is configured for ${them}.`));
  }
  return lines;
}

const twinText = (runs: readonly string[]): string =>
  `${joined(runs)} ${runs.length === 1 ? "is" : "are"} about the same and not over. Only one of them can be approved.`;

function answeredLines(progress: Extract<Progress, { type: "answered" }>, style: Style): string[] {
  const { summary, round, durationMs, tokens, costUsd, stage } = progress;
  const revision = round > 0 ? `, revision ${round}` : "";
  const cost = [seconds(durationMs), tokens > 0 ? `${tokens} tokens` : "", dollars(costUsd ?? 0)]
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
      return [
        head(`${verdictOf(summary.verdict, style)}; findings: ${gravities(summary.severities)}`),
        style.dim(
          `    ${Object.entries(summary.ratings)
            .map(([area, rating]) => `${area} ${rating}`)
            .join(" · ")}`,
        ),
        ...assessed(summary, style),
      ];
    case "overviewer":
    default:
      return [
        head(`${verdictOf(summary.verdict, style)}; findings: ${gravities(summary.severities)}`),
        ...assessed(summary, style),
      ];
  }
}

function assessed(
  { assessment, questions, against }: { assessment: string; questions: number; against: number },
  style: Style,
): string[] {
  const extra = [
    questions > 0 ? `${plural(questions, "question")} for the author` : "",
    against > 0 ? `${plural(against, "citation")} missing or not found` : "",
  ].filter(Boolean);
  return [style.dim(`    ${inLine(assessment)}`), ...(extra.length > 0 ? [style.dim(`    ${extra.join("; ")}`)] : [])];
}

type AuthorSummary = Extract<Progress, { type: "answered" }>["summary"] & { role: "author" };

function authorSummary(summary: AuthorSummary): string {
  switch (summary.stage) {
    case "capabilities":
      return `${plural(summary.behaviours, "behaviour")} in ${plural(summary.domains, "domain")}${summary.leftOut > 0 ? `, ${summary.leftOut} left out with a reason` : ""}`;
    case "files":
      return `${plural(summary.files, "file")} for ${plural(summary.behaviours, "behaviour")}`;
    case "tasks":
    default:
      return `${plural(summary.features, "feature")}, ${plural(summary.stories, "story", "stories")}, ${plural(summary.tasks, "task")}, ${plural(summary.decisions, "decision")} (${summary.revised ? revisedWords(summary) : "written"})`;
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

function lintedLines(
  { verdict, errors, warnings, remarks, coverage, round }: Extract<Progress, { type: "linted" }>,
  style: Style,
): string[] {
  const revision = round > 0 ? `, revision ${round}` : "";
  const found = gravities({ error: errors, warning: warnings, remark: remarks });
  const covered = coverage
    ? `; planned ${coverage.planned} %, left out ${coverage.leftOut} %, not understood ${coverage.notUnderstood} %`
    : "";
  const mark = verdict.startsWith("approve") ? style.green("✓") : style.yellow("!");
  return [`${mark} conformance (review${revision}): ${verdictOf(verdict, style)}; findings: ${found}${covered}`];
}

/** What was understood of an edited document, and what was not. */
export function editLines(
  { changes, prose }: { readonly changes: readonly string[]; readonly prose: readonly string[] },
  style: Style,
): string[] {
  const read = changes.length === 0 ? "Nothing changed." : `Read from your edit: ${changes.map(inLine).join(", ")}`;
  if (prose.length === 0) return [read];
  return [
    read,
    style.yellow("Only an agent can act on these lines. Ask the author for changes if they matter:"),
    ...prose.map((line) => `  ${inLine(line)}`),
  ];
}

/** The end of a run, or where it stands. */
export function runLines(view: PlanningRunView, style: Style): string[] {
  const { counts, coverage, findings, tokens, costUsd } = view;
  const lines = [`${style.bold(view.id)} ${statusWord(view, style)}: ${inLine(view.title)}`];
  const isWarned = view.checked?.withCheck === 0 && view.checked.tasks > 0;
  lines.push(...view.headline.map((line, at) => (at === 0 && isWarned ? style.yellow(`  ${line}`) : `  ${line}`)));
  if (counts) {
    lines.push(
      `  ${plural(counts.features, "feature")}, ${plural(counts.stories, "story", "stories")}, ${plural(counts.tasks, "task")}, ${plural(counts.decisions, "decision")}`,
    );
  }
  lines.push(...workLines(view));
  if (coverage !== null) lines.push(...coverageLines(coverage, style));
  for (const [source, grades] of Object.entries(findings)) lines.push(`  ${source}: ${gravities(grades)}`);
  const used = [plural(view.calls, "role call"), tokens > 0 ? `${tokens} tokens` : "", dollars(costUsd)]
    .filter(Boolean)
    .join(", ");
  lines.push(style.dim(`  ${plural(view.revisions, "revision")}, ${plural(view.overviews, "overview")}; ${used}`));
  if (view.leftOut.length > 0) lines.push(style.dim(`  skipped: ${view.leftOut.join(", ")}`));
  if (view.alsoOpen.length > 0) lines.push(style.yellow(`  ${twinText(view.alsoOpen)}`));
  lines.push(...dropLines(view.drops, style));
  if (view.accepted !== null) lines.push(style.yellow(`  You accepted it in spite of: ${view.accepted}`));
  return [...lines, ...view.questions.flatMap((asked) => questionLines(asked, style))];
}

const SHOWN_THREAD = 6;

/** How the work goes, and where the plan can be read. */
function workLines({ work, artifacts }: PlanningRunView): string[] {
  const document = artifacts.plan === undefined ? [] : [`  plan document: ${artifacts.plan}`];
  if (work === null) return document;
  const { waves, hours, longestPathHours, steelThread, files } = work;
  const more = steelThread.length > SHOWN_THREAD ? ` and ${steelThread.length - SHOWN_THREAD} more` : "";
  return [
    `  ${plural(waves, "wave")}, ${hours} h of work, ${longestPathHours} h on the longest path, ${plural(files, "file")}`,
    ...(steelThread.length === 0
      ? []
      : [`  steel thread: ${steelThread.slice(0, SHOWN_THREAD).map(inLine).join(" → ")}${more}`]),
    ...document,
  ];
}

/** An open question with its options, as the person has to type them. */
function questionLines(
  { id, question, context, options, recommended }: PlanningRunView["questions"][number],
  style: Style,
): string[] {
  const width = widest(options.map((option) => option.id));
  return [
    `${style.yellow("?")} ${style.bold(id)}  ${inLine(question)}`,
    ...context
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => style.dim(`    ${harmless(line)}`)),
    ...options.map(
      (option) =>
        `    ${harmless(option.id).padEnd(width)}  ${inLine(option.label)}${option.id === recommended ? style.green(" (recommended)") : ""}`,
    ),
  ];
}

/** Why parts of the spec are in no task, and which of them were not understood. */
function coverageLines({ reasons, unclear }: NonNullable<PlanningRunView["coverage"]>, style: Style): string[] {
  return [
    ...reasons.map(({ reason, statements }) => style.dim(`    left out ${statements}: ${inLine(reason)}`)),
    ...unclear.map(({ line, text }) => style.yellow(`    not understood, line ${line}: ${inLine(text)}`)),
  ];
}

/** What an approval would take away. */
function dropLines({ ids, claimed }: PlanningRunView["drops"], style: Style): string[] {
  if (ids.length === 0) return [];
  const lost = claimed.length === 0 ? "" : `; workers have claimed ${joined(claimed)} and would lose the claim`;
  return [style.red(`  drops ${joined(ids)}${lost}`)];
}

const WORDS: Readonly<Record<PlanningRunView["status"], string>> = {
  running: "is running",
  waiting: "waits for your answer",
  ready: "is ready for approval",
  halted: "has stopped",
  finished: "is finished",
  aborted: "was aborted",
};

function statusWord({ status, stopped, verdict, mode }: PlanningRunView, style: Style): string {
  const words = `${WORDS[status]}${stopped === null ? "" : ` (${stopped})`}${mode === "review" && verdict !== null ? `, verdict ${verdict}` : ""}`;
  return status === "ready" || status === "finished"
    ? style.green(words)
    : status === "halted"
      ? style.red(words)
      : style.yellow(words);
}

/** What a plan would do to what is there, one line for each node. */
export function diffLines({ added, changed, dropped, kept, approves = [] }: DraftDiff, style: Style): string[] {
  const named = ({ id, tier, title }: DraftDiff["added"][number]): string =>
    `${tier.padEnd(7)} ${id}  ${harmless(title)}`;
  const shown = new Set([...added, ...changed].map(({ id }) => id));
  const also = approves.filter((id) => !shown.has(id));
  return [
    ...added.map((node) => `${style.green("+")} ${named(node)}`),
    ...changed.map(
      (node) => `${style.yellow("~")} ${named(node)}  ${style.dim(node.fields.map(({ field }) => field).join(", "))}`,
    ),
    ...dropped.map((node) => `${style.red("-")} ${named(node)}`),
    style.dim(`${added.length} added, ${changed.length} changed, ${dropped.length} dropped, ${kept.length} kept`),
    ...(also.length === 0 ? [] : [style.dim(`An approval also approves ${also.join(", ")}.`)]),
  ];
}
