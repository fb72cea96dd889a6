import { daemonStatus } from "../../engine/tick/daemon-status.js";
import { dollars, harmless, planVerb, plural, step } from "../kit/verb.js";
import { describeDaemon } from "./start.js";

export const verb = planVerb({
  command: { words: "daemon status", group: "work" },
  summary: "Show the daemon: its workers, queue and spending",
  description: "Says so, too, when the daemon has died.",
  effect: "reads",
  examples: [{ input: {}, does: "shows its process, since when it runs, and its log" }],
  run: (session) => daemonStatus(session),
  text: (daemon, style) => {
    const { level, beat, working, queue, today } = daemon;
    const slots = beat === null ? String(working.length) : `${working.length} of ${beat.workers}`;
    const spent = [plural(today.attempts, "attempt"), plural(today.tokens, "token"), dollars(today.costUsd ?? 0)];
    const rows: readonly (readonly [string, string])[] = [
      ["level", level],
      ["last look", beat?.at ?? "not yet"],
      ["workers", slots],
      ...working.map(
        (each) => ["", `${each.task} ${each.attempt} by ${harmless(each.worker)} since ${each.since}`] as const,
      ),
      ["queue", `${plural(queue, "task")} ready`],
      ["today", spent.filter((each) => each !== "").join(", ")],
    ];
    const problem =
      beat?.problem == null ? [] : [`${style.red("✗")} Its last look at the plan failed: ${harmless(beat.problem)}`];
    return [
      `The daemon is running: ${describeDaemon(daemon)}.`,
      ...rows.map(([label, text]) => `  ${style.dim(label.padEnd(10))}${text}`),
      ...problem,
    ].join("\n");
  },
  next: ({ level }) => (level === "off" ? [step("level", { level: "on" })] : []),
});
