// A planning run in lines for people: where it stands, what was found, and what it would change.

import type { DraftDiff } from "../../planning/draft/plan-nodes.js";
import type { AppliedRun } from "../../planning/run/apply.js";
import type { PlanningRunView } from "../../planning/run/view.js";
import { type Style, widest } from "../kit/style.js";
import { dollars, harmless, inLine, joined, plural } from "../kit/wording.js";
import { countsText, gravities, twinText } from "./progress-lines.js";

export const appliedText = ({ run, added, changed, dropped, approved, idea, documents }: AppliedRun, style: Style) =>
  [
    `${style.green("✓")} ${run} is in the plan: ${added.length} added, ${changed.length} changed, ${dropped.length} dropped, ${approved.length} approved`,
    ...(idea === null ? [] : [`  ${idea} left the inbox: it is planned now.`]),
    ...(documents?.commit
      ? [`  committed ${plural(documents.files.length, "document")} as ${documents.commit.slice(0, 12)}`]
      : []),
    ...(documents?.problem ? [style.yellow(`  The documents were not committed: ${inLine(documents.problem)}`)] : []),
  ].join("\n");

export function editLines({ changes, prose }: Record<"changes" | "prose", readonly string[]>, style: Style): string[] {
  const read = changes.length === 0 ? "Nothing changed." : `Read from your edit: ${changes.map(inLine).join(", ")}`;
  if (prose.length === 0) return [read];
  return [
    read,
    style.yellow("Only an agent can act on these lines. Ask the author for changes if they matter:"),
    ...prose.map((line) => `  ${inLine(line)}`),
  ];
}

export function runLines(view: PlanningRunView, style: Style): string[] {
  const { counts, coverage, tokens, leftOut, alsoOpen, accepted } = view;
  const isWarned = view.checked?.withCheck === 0 && view.checked.tasks > 0;
  const used = [plural(view.calls, "role call"), tokens > 0 ? `${tokens} tokens` : "", dollars(view.costUsd)];
  const rounds = `${plural(view.revisions, "revision")}, ${plural(view.overviews, "overview")}`;
  return [
    `${style.bold(view.id)} ${statusWord(view, style)}: ${inLine(view.title)}`,
    ...view.headline.map((line, at) => (at === 0 && isWarned ? style.yellow(`  ${line}`) : `  ${line}`)),
    ...(counts ? [`  ${countsText(counts)}`] : []),
    ...workLines(view),
    ...(coverage === null ? [] : coverageLines(coverage, style)),
    ...Object.entries(view.findings).map(([source, grades]) => `  ${source}: ${gravities(grades)}`),
    style.dim(`  ${rounds}; ${used.filter(Boolean).join(", ")}`),
    ...(leftOut.length > 0 ? [style.dim(`  skipped: ${leftOut.join(", ")}`)] : []),
    ...(alsoOpen.length > 0 ? [style.yellow(`  ${twinText(alsoOpen)}`)] : []),
    ...dropLines(view.drops, style),
    ...(accepted === null ? [] : [style.yellow(`  You accepted it in spite of: ${accepted}`)]),
    ...view.questions.flatMap((question) => questionLines(question, style)),
  ];
}

const MAX_THREAD_SHOWN = 6;

function workLines({ work, artifacts }: PlanningRunView): string[] {
  const { plan, verification } = artifacts;
  const report = verification === undefined ? "" : `, report: ${verification}`;
  const document = plan === undefined ? [] : [`  plan document: ${plan}${report}`];
  if (work === null) return document;
  const { waves, hours, longestPathHours, steelThread, begins, files } = work;
  const more = steelThread.length > MAX_THREAD_SHOWN ? ` and ${steelThread.length - MAX_THREAD_SHOWN} more` : "";
  return [
    `  ${plural(waves, "wave")}, ${hours} h of work, ${longestPathHours} h on the longest path, ${plural(files, "file")}`,
    ...(steelThread.length === 0
      ? []
      : [
          `  steel thread: ${steelThread.slice(0, MAX_THREAD_SHOWN).map(inLine).join(" → ")}${more}, begins with: ${inLine(begins ?? "")}`,
        ]),
    ...document,
  ];
}

/** An open question with its options, as the person has to type them. */
function questionLines(asked: PlanningRunView["questions"][number], style: Style): string[] {
  const { id, question, context, options, recommended } = asked;
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

function coverageLines({ reasons, unclear }: NonNullable<PlanningRunView["coverage"]>, style: Style): string[] {
  return [
    ...reasons.map(({ reason, statements }) => style.dim(`    left out ${statements}: ${inLine(reason)}`)),
    ...unclear.map(({ line, text }) => style.yellow(`    not understood, line ${line}: ${inLine(text)}`)),
  ];
}

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
  if (status === "halted") return style.red(words);
  return status === "ready" || status === "finished" ? style.green(words) : style.yellow(words);
}

export function diffLines(diff: DraftDiff, style: Style): string[] {
  const { added, changed, dropped, kept, approves = [], cannotApprove } = diff;
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
    ...(cannotApprove === undefined ? [] : [style.yellow(`It cannot be approved as things are: ${cannotApprove}`)]),
  ];
}
