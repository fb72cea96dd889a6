import { step } from "../../model/next-step.js";
import { fields } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { harmless } from "../text/harmless.js";
import { statusWord } from "../text/icons.js";
import type { Style } from "../text/style.js";
import { bytesText, usedWords } from "../text/wording.js";
import { stats as readStats, type Stats } from "./stats-action.js";

const counts = (record: Readonly<Record<string, number>>): string =>
  Object.entries(record)
    .filter(([, n]) => n > 0)
    .map(([word, n]) => `${n} ${statusWord(word as "ready")}`)
    .join(" · ") || "none";

const BARS = ["▁", "▂", "▃", "▄", "▅", "▆", "▇", "█"];

const SHOWN_SPENDING = 5;

export const input = fields({});

export const verb = planVerb({
  name: "stats",
  command: { words: "stats", group: "look" },
  summary: "Show the plan in numbers",
  who: "both",
  effect: "reads",
  input,
  examples: [{ input: {}, does: "shows counts, who did what, how fast, and the size of the file" }],
  run: readStats,
  text: renderStats,
  next: () => [step("status")],
});

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
