// Operations on the daemon: run it here or in the background, look after it, and have the system start it.

import { homedir } from "node:os";
import { readLevel } from "../../../actions/level/level.js";
import { messageOf } from "../../../base/errors.js";
import { readPlainFile } from "../../../base/plain-file.js";
import { loadSettings } from "../../../config/settings.js";
import { type Daemon, logFile, startDaemon, stopDaemon } from "../../../engine/tick/background.js";
import { runDaemon } from "../../../engine/tick/daemon.js";
import { type DaemonStatus, daemonStatus as readDaemonStatus } from "../../../engine/tick/daemon-status.js";
import { requireRepository } from "../../../engine/tick/require-repository.js";
import type { EndedAttempt } from "../../../engine/tick/run-session.js";
import { type ServiceUnit, serviceUnit, writeUnit } from "../../../engine/tick/service-unit.js";
import { isPerson } from "../../../model/actor.js";
import { step } from "../../../model/next-step.js";
import { absent, ok, type Result, refused } from "../../../model/result.js";
import type { Level } from "../../../model/rules/level.js";
import { commandWords } from "../../command-line.js";
import { daemonHere } from "../../daemon-here.js";
import { operation } from "../../operation.js";
import { noticeSandbox } from "../../safety/sandbox-here.js";
import { flag, input, optional, wholeNumber } from "../../schema.js";
import type { Session } from "../../session.js";
import { parallel, trustedExecutionOf, watched } from "./execution.js";

export interface DaemonStarted extends Daemon {
  /** How far it may go. */
  readonly level: Level;
}

export interface Installed extends ServiceUnit {
  readonly written: boolean;
}

const actorOf = ({ actor }: Session): string => (isPerson(actor) ? daemonHere() : actor);

const noProgram = (): Result<never> =>
  refused("no-program", "This program cannot be started in the background from here.");

const daemonRun = operation({
  name: "daemon.run",
  summary: "Work on the plan in this terminal until you stop it",
  description:
    "Starts tasks, retries them, asks questions and sends notifications, as far as the level allows. With the setting board.port it also serves the board. It does nothing in a workspace or feature whose level is off.",
  who: "both",
  effect: "runs",
  input: () => input({ parallel }),
  examples: [{ input: {}, does: "works in this terminal until Ctrl-C" }],
  run: async (session, { parallel: workers }): Promise<Result<{ readonly attempts: readonly EndedAttempt[] }>> => {
    const execution = await trustedExecutionOf(session);
    if (!execution.ok) return execution;
    const { notifications, contain } = execution.value;
    await noticeSandbox(session);
    const options = { ...(workers !== undefined && { workers }), signal: session.signal };
    const board = serveBoardToo(session);
    const served = await contain(() => runDaemon(watched(session, execution.value), notifications, options));
    await board;
    return served.ok ? ok({ attempts: served.value }) : served;
  },
});

/** By the setting `board.port`. The daemon works on without it. */
async function serveBoardToo(session: Session): Promise<void> {
  const { root, env, signal, serveBoard } = session;
  const { port } = loadSettings(root, env).board;
  if (port === null || serveBoard === undefined) return;
  const notice = (text: string): void => session.emit({ kind: "engine", event: { type: "notice", text } });
  notice(`The board is on port ${port} of this machine. The command board opens it.`);
  await serveBoard(port, signal).catch((error: unknown) =>
    notice(`The board cannot be served on port ${port}: ${messageOf(error)}`),
  );
}

const daemonStart = operation({
  name: "daemon.start",
  summary: "Work on the plan in the background",
  who: "both",
  effect: "runs",
  input: () => input({ parallel }),
  examples: [{ input: {}, does: "works in the background from now on" }],
  description: "Settles when the daemon works. If it cannot, it says why, and nothing stays behind.",
  run: async (session, asked): Promise<Result<DaemonStarted>> => {
    const execution = await trustedExecutionOf(session);
    if (!execution.ok) return execution;
    const repository = await requireRepository(session);
    if (!repository.ok) return repository;
    if (!session.program) return noProgram();
    const words = commandWords(step("daemon.run", asked));
    // A daemon is no person: it needs no secret, and its workers must not find one.
    const { PLANWRIGHT_SECRET: _, ...env } = session.env;
    const command = [...session.program, ...words] as const;
    const started = await startDaemon(session.root, command, { ...env, PLANWRIGHT_ACTOR: actorOf(session) });
    const level = started.ok ? await readLevel(session) : started;
    return started.ok && level.ok ? ok({ ...started.value, level: level.value.level }) : (level as Result<never>);
  },
});

const daemonStop = operation({
  name: "daemon.stop",
  summary: "Stop the daemon, and wait until it has stopped",
  who: "both",
  effect: "runs",
  input: () => input({}),
  examples: [{ input: {}, does: "gives unfinished tasks back and stops" }],
  run: (session): Promise<Result<Daemon>> => stopDaemon(session.root),
});

const daemonStatus = operation({
  name: "daemon.status",
  summary: "Show the daemon: its workers, queue and spending",
  description: "Says so, too, when the daemon has died.",
  who: "both",
  effect: "reads",
  input: () => input({}),
  examples: [{ input: {}, does: "shows its process, since when it runs, and its log" }],
  run: (session): Promise<Result<DaemonStatus>> => readDaemonStatus(session),
});

const daemonInstall = operation({
  name: "daemon.install",
  summary: "Write a unit that starts the daemon with your login",
  description:
    "For systemd on Linux and launchd on macOS. It writes the file and shows what to type to enable it. It starts nothing by itself.",
  who: "person",
  effect: "writes",
  input: () => input({ parallel, print: optional(flag("show the unit and write nothing")) }),
  examples: [
    { input: {}, does: "writes the unit and shows how to enable it" },
    { input: { print: true }, does: "shows what it would write" },
  ],
  run: async (session, { print = false, ...asked }): Promise<Result<Installed>> => {
    const { root, env, program } = session;
    if (!program) return noProgram();
    const command = [...program, "-C", root, ...commandWords(step("daemon.run", asked))];
    const home = env["HOME"] ?? homedir();
    const { PATH: path = "", XDG_CONFIG_HOME: config } = env;
    const actor = actorOf(session);
    const unit = serviceUnit({ root, command, platform: process.platform, home, path, config, actor });
    if (!unit.ok) return unit;
    const written = print ? ok(undefined) : writeUnit(unit.value);
    return written.ok ? ok({ ...unit.value, written: !print }) : written;
  },
});

export interface DaemonLog {
  readonly log: string;
  readonly lines: readonly string[];
}

const DEFAULT_LINES = 50;

const daemonLogs = operation({
  name: "daemon.logs",
  summary: "Show what the daemon did",
  who: "both",
  effect: "reads",
  input: () => input({ lines: optional(wholeNumber(`the last N lines (${DEFAULT_LINES})`, 1, 100_000)) }),
  examples: [{ input: { lines: 200 }, does: "shows the last 200 lines of its log" }],
  run: async (session, { lines = DEFAULT_LINES }): Promise<Result<DaemonLog>> => {
    const log = logFile(session.root);
    try {
      const all = readPlainFile(log).trimEnd().split("\n");
      return ok({ log, lines: all.slice(-lines) });
    } catch {
      return absent("no-log", "No daemon has written a log here yet.", { next: [step("daemon.start")] });
    }
  },
});

export const daemonOperations = {
  "daemon.run": daemonRun,
  "daemon.start": daemonStart,
  "daemon.stop": daemonStop,
  "daemon.status": daemonStatus,
  "daemon.install": daemonInstall,
  "daemon.logs": daemonLogs,
};
