import { stats as readStats, type Stats } from "../../../actions/overview/stats.js";
import { ok } from "../../../app/vocabulary.js";
import type { Command, Style } from "../command.js";
import { statusWord } from "../icons.js";
import { harmless } from "../style.js";

export const stats: Command = {
  name: "stats",
  group: "looking",
  summary: "Show the plan in numbers",
  examples: [{ run: "planwright stats", does: "counts, who did what, how fast, and the size of the file" }],
  run: async (_, app) => {
    const found = await readStats(await app.open());
    if (!found.ok) return found;
    return ok({
      data: found.value,
      text: (style) => render(found.value, style),
      note: () => "planwright status   shows where each of them stands",
    });
  },
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

const size = (bytes: number): string =>
  bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;

function render(stats: Stats, style: Style): string {
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
    ["file", size(stats.fileBytes)],
  ];
  return rows.map(([label, text]) => `${style.dim(label.padEnd(14))}${text}`).join("\n");
}
