// Views of operations on the daemon.

import { watch } from "node:fs";
import { harmless } from "../../../../app/text/harmless.js";
import { inLine } from "../../../../app/text/one-line.js";
import { dollars, plural } from "../../../../app/text/wording.js";
import { ok, type Result, step } from "../../../../app/vocabulary.js";
import type { EngineEvent } from "../../../../engine/tick/services.js";
import { openLog } from "../../live/log-reader.js";
import type { LiveDisplay, Terminal, ViewOf } from "../../view.js";

/** One line when an attempt reaches another state, and one when it has ended. */
function daemonLines(terminal: Terminal): LiveDisplay {
  const states = new Map<string, string>();
  const lineOf = (event: EngineEvent): string | undefined => {
    if (event.type === "notice") return inLine(event.text);
    if (event.type === "end") {
      states.delete(event.attempt);
      return `${event.task} ${event.attempt} ${event.state}: ${inLine(event.note)}`;
    }
    if (event.type !== "state" || states.get(event.attempt) === event.state) return undefined;
    states.set(event.attempt, event.state);
    return `${event.task} ${event.attempt} ${event.state}`;
  };
  return {
    onEvent: (event) => {
      if (event.kind !== "engine") return;
      if (event.event.type === "bell") terminal.progress("\u0007");
      const line = lineOf(event.event);
      if (line !== undefined) terminal.progress(`${new Date().toISOString()} ${line}\n`);
    },
    close: () => undefined,
  };
}

const daemonRun: ViewOf<"daemon.run"> = {
  live: daemonLines,
  text: ({ attempts }) => `Stopped after ${attempts.length} ${attempts.length === 1 ? "attempt" : "attempts"}.`,
};

interface Running {
  readonly pid: number;
  readonly startedAt: string;
  readonly log: string | null;
}

const describe = ({ pid, startedAt, log }: Running): string =>
  `process ${pid}, since ${startedAt}, ${log === null ? "in a terminal" : `log ${log}`}`;

const daemonStart: ViewOf<"daemon.start"> = {
  text: (daemon) => `The daemon is running: ${describe(daemon)}.`,
  note: ({ level }) => (level === "off" ? "The level is off, so it does nothing yet." : ""),
  next: ({ level }) => [level === "off" ? step("level.set", { level: "on" }) : step("daemon.logs")],
};

const daemonStop: ViewOf<"daemon.stop"> = {
  text: ({ pid }) => `The daemon has stopped (process ${pid}).`,
};

const daemonStatus: ViewOf<"daemon.status"> = {
  text: (daemon, style) => {
    const { level, beat, working, queue, today } = daemon;
    const slots = beat === null ? String(working.length) : `${working.length} of ${beat.workers}`;
    const spent = [plural(today.attempts, "attempt"), plural(today.tokens, "token"), dollars(today.costUsd ?? 0)];
    const rows: readonly (readonly [string, string])[] = [
      ["level", level],
      ["last look", beat === null ? "not yet" : beat.at],
      ["workers", slots],
      ...working.map(
        ({ attempt, task, worker, since }) => ["", `${task} ${attempt} by ${harmless(worker)} since ${since}`] as const,
      ),
      ["queue", `${plural(queue, "task")} ready`],
      ["today", spent.filter((each) => each !== "").join(", ")],
    ];
    const problem =
      beat?.problem == null ? [] : [`${style.red("✗")} Its last look at the plan failed: ${harmless(beat.problem)}`];
    return [
      `The daemon is running: ${describe(daemon)}.`,
      ...rows.map(([label, text]) => `  ${style.dim(label.padEnd(10))}${text}`),
      ...problem,
    ].join("\n");
  },
  next: ({ level }) => (level === "off" ? [step("level.set", { level: "on" })] : []),
};

const daemonInstall: ViewOf<"daemon.install"> = {
  text: ({ file, text, written }, style) => (written ? `${style.green("✓")} Wrote ${file}` : text.trimEnd()),
  note: ({ enable, disable, written }) =>
    written ? `Start it now and with every login:\n  ${enable}\nStop it for good:\n  ${disable}` : "",
};

const daemonLogs: ViewOf<"daemon.logs"> = {
  flags: { follow: "keep printing what it writes, until Ctrl-C" },
  text: ({ lines: last }) => last.join("\n"),
  after: async ({ log }, { given, terminal }) =>
    given.has("follow") && !terminal.json ? follow(log, terminal) : ok(undefined),
};

async function follow(path: string, terminal: Terminal): Promise<Result<void>> {
  const log = openLog(path);
  const signal = terminal.interrupted();
  await new Promise<void>((done) => {
    const watcher = watch(path, () => terminal.print(log.rest()));
    const end = (): void => {
      watcher.close();
      done();
    };
    if (signal.aborted) end();
    else signal.addEventListener("abort", end, { once: true });
  });
  log.close();
  return ok(undefined);
}

export const daemonViews = {
  "daemon.run": daemonRun,
  "daemon.start": daemonStart,
  "daemon.stop": daemonStop,
  "daemon.status": daemonStatus,
  "daemon.install": daemonInstall,
  "daemon.logs": daemonLogs,
};
