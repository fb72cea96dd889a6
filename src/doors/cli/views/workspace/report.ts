// Views of reports on the whole plan.

import type { VerifiedPlan } from "../../../../actions/history/verify.js";
import type { Stats } from "../../../../actions/overview/stats.js";
import type { WavesView } from "../../../../actions/overview/waves.js";
import { harmless } from "../../../../app/text/harmless.js";
import { bytesText, usedWords } from "../../../../app/text/wording.js";
import { step } from "../../../../app/vocabulary.js";
import { statusWord } from "../../text/icons.js";
import type { Style } from "../../text/style.js";
import type { ViewOf } from "../../view.js";

const waves: ViewOf<"waves"> = {
  text: (view, style) => (view.waves.length === 0 ? style.dim("Nothing is left to run.") : renderWaves(view, style)),
  next: ({ cyclic }) => (cyclic.length > 0 ? [step("lint")] : []),
};

const countOf = (tasks: number): string => `${tasks} ${tasks === 1 ? "task" : "tasks"}`;

function renderWaves(view: WavesView, style: Style): string {
  const cyclic = new Set(view.cyclic);
  const critical = new Set(view.criticalPath.tasks);
  const lines: string[] = [];
  for (const { wave, tasks, more } of view.waves) {
    lines.push(style.bold(`Wave ${wave}`) + style.dim(`  ${countOf(tasks.length + more)}`));
    for (const id of tasks) {
      const mark = cyclic.has(id) ? style.red("↻") : critical.has(id) ? style.yellow("●") : style.dim("·");
      const hours = style.dim(`${view.tasks[id]?.hours ?? 0} h`);
      const flag = cyclic.has(id) ? style.red("  waits for itself") : "";
      lines.push(`  ${mark} ${style.bold(id)}  ${harmless(view.tasks[id]?.title ?? "")}  ${hours}${flag}`);
    }
  }
  if (view.more > 0) lines.push(style.dim(`… ${countOf(view.more)} more`));
  const { tasks, more, hours } = view.criticalPath;
  if (tasks.length > 0) {
    lines.push(
      "",
      `${style.yellow("●")} ${style.bold("Critical path")}  ${hours} h`,
      `  ${tasks.join(" → ")}${more > 0 ? ` → … ${more} more` : ""}`,
    );
  }
  return lines.join("\n");
}

const stats: ViewOf<"stats"> = {
  text: renderStats,
  next: () => [step("status")],
};

const counts = (record: Readonly<Record<string, number>>): string =>
  Object.entries(record)
    .filter(([, n]) => n > 0)
    .map(([word, n]) => `${n} ${statusWord(word as "ready")}`)
    .join(" · ") || "none";

const BARS = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

function sparkline(values: readonly number[]): string {
  const most = Math.max(1, ...values);
  return values.map((value) => (value === 0 ? "·" : BARS[Math.ceil((value / most) * BARS.length) - 1])).join("");
}

function duration(ms: number): string {
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms < 3_600_000) return `${(ms / 60_000).toFixed(1)} min`;
  return `${(ms / 3_600_000).toFixed(1)} h`;
}

function renderStats(stats: Stats, style: Style): string {
  const { throughput, meanDurationMs, oldestClaim } = stats;
  const spark = style.green(sparkline(throughput.recent.map(({ done }) => done)));
  const rows: readonly (readonly [string, string])[] = [
    ["nodes", `${stats.nodes}: ${counts(stats.tiers)}`],
    ["tasks", counts(stats.kinds)],
    ["status", counts(stats.statuses)],
    ["operations", String(stats.operations)],
    ...stats.actors
      .slice(0, 10)
      .map(
        ({ actor, operations, done }) => ["", `${harmless(actor)}: ${operations} operations, ${done} done`] as const,
      ),
    ["done", `${throughput.done}, ${throughput.perDay} a day  ${spark} ${style.dim("last 14 days")}`],
    ["duration", meanDurationMs === null ? "nothing was handed in yet" : `${duration(meanDurationMs)} on average`],
    [
      "oldest claim",
      oldestClaim ? `${oldestClaim.id} by ${harmless(oldestClaim.by)} since ${oldestClaim.at.slice(0, 16)}` : "none",
    ],
    ...spendingRows(stats.spending),
    ["file", bytesText(stats.fileBytes)],
  ];
  return rows.map(([label, text]) => `${style.dim(label.padEnd(14))}${text}`).join("\n");
}

const SHOWN_SPENDING = 5;

/** Nothing was spent where no agent was asked. */
function spendingRows({ total, roles, runs, features, days }: Stats["spending"]): (readonly [string, string])[] {
  if (total.tokens === 0 && total.costUsd === 0) return [];
  const listed = (label: string, list: Stats["spending"]["roles"]): (readonly [string, string])[] =>
    list
      .slice(0, SHOWN_SPENDING)
      .map((each, at) => [at === 0 ? label : "", `${harmless(each.of)}: ${usedWords(each)}`] as const);
  return [
    ["spent", usedWords(total)],
    ...listed("by role", roles),
    ...listed("by run", runs),
    ...listed("by feature", features),
    ...listed("by day", days.slice(-SHOWN_SPENDING)),
  ];
}

const short = (value: unknown): string => {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
};

const verify: ViewOf<"verify"> = {
  text: ({ operations, rows, log, repaired }, style) =>
    [
      ...(repaired === undefined ? [] : [repairLine(repaired)]),
      `${style.green("✓")} ${operations} operations replayed: all ${rows} rows are as they should be.`,
      ...notesOn(log).map((note) => style.dim(`  ${note}`)),
    ].join("\n"),
  note: ({ backup }) => (backup === undefined ? "" : `Backup of the plan before the repair: ${backup}`),
  problems: ({ problem, differences }: Pick<VerifiedPlan, "differences"> & { readonly problem: string }, style) =>
    [
      `${style.red("✗")} ${harmless(problem)}`,
      ...differences.map(
        ({ row, field, stored, replayed }) =>
          `  ${style.bold(harmless(row))} ${field}: ${harmless(short(stored))} is stored, ${harmless(short(replayed))} follows from the log`,
      ),
    ].join("\n"),
};

const repairLine = (repaired: number): string =>
  repaired === 0
    ? "There was nothing to repair."
    : `Built the rows again from the log: ${repaired} differences repaired.`;

/** What a reader of "all is well" must know about how much that covers. */
function notesOn({ chainedFrom, signatures, hasPeople }: VerifiedPlan["log"]): string[] {
  const { unsignedEarlier } = signatures;
  return [
    chainedFrom > 1 ? `An upgrade chained operations 1 to ${chainedFrom - 1}: changes before that cannot be seen.` : "",
    unsignedEarlier > 0
      ? `Approvals from before they were signed: ${unsignedEarlier}. They ${hasPeople ? "count where a person confirmed them" : "stay valid"}.`
      : "",
  ].filter((note) => note !== "");
}

export const reportViews = { waves, stats, verify };
