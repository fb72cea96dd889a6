// A daemon in the background: started once for a workspace, found again by a note of its process, stopped politely. One
// that somebody runs at a terminal leaves the same note, so that it is known as well.

import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { readPlainBytes, readPlainFile } from "../../base/plain-file.js";
import { isRunning } from "../../machine/process/group.js";
import { beganAt } from "../../machine/process/orphans.js";
import { step } from "../../model/next-step.js";
import { absent, ok, type Result, refused } from "../../model/result.js";

export interface Daemon {
  readonly pid: number;
  readonly startedAt: string;
  /** Null if it says what it does at somebody's terminal. */
  readonly log: string | null;
}

interface DaemonNote extends Daemon {
  /** When the process began, where the system tells: a number alone may have been given out again. */
  readonly began: string | null;
}

const WAIT_MS = 100;
const PATIENCE_MS = 60_000;

const noteFile = (root: string): string => join(root, ".planwright", "daemon.json");
export const logFile = (root: string): string => join(root, ".planwright", "daemon.log");

const beatFile = (root: string): string => join(root, ".planwright", "daemon-beat.json");

export interface DaemonBeat {
  readonly pid: number;
  readonly at: string;
  /** How many attempts it may run at once. */
  readonly workers: number;
  /** Why its last look failed. Null if it did not. */
  readonly problem: string | null;
}

export function writeBeat(root: string, beat: Omit<DaemonBeat, "pid">): void {
  try {
    const file = beatFile(root);
    writeFileSync(`${file}.new`, JSON.stringify({ pid: process.pid, ...beat } satisfies DaemonBeat));
    renameSync(`${file}.new`, file);
  } catch {
    // A full disk must not end the daemon.
  }
}

/** The beat of this daemon, not of one before it. */
export function readBeat(root: string, { pid }: Pick<Daemon, "pid">): DaemonBeat | undefined {
  const beat = readJson(beatFile(root)) as DaemonBeat | undefined;
  return beat?.pid === pid ? beat : undefined;
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readPlainFile(file));
  } catch {
    return undefined;
  }
}

/** The daemon that left a note, if it runs, or if it does not. */
function notedDaemon(root: string, runs: boolean): Daemon | undefined {
  const note = readJson(noteFile(root)) as DaemonNote | undefined;
  if (!note) return undefined;
  const { began, ...daemon } = note;
  const isTheSame = began === null ? isRunning(daemon.pid) : beganAt(daemon.pid) === began;
  return isTheSame === runs ? daemon : undefined;
}

export const findDaemon = (root: string): Daemon | undefined => notedDaemon(root, true);

/** A daemon that was killed or crashed. */
export const findDeadDaemon = (root: string): Daemon | undefined => notedDaemon(root, false);

/** Notes that this very process is a daemon. Call the result when it no longer is. */
export function noteForeground(root: string): () => void {
  const known = findDaemon(root);
  const forget = (): void => {
    if (findDaemon(root)?.pid === process.pid) rmSync(noteFile(root), { force: true });
  };
  // The program that started it in the background has noted it.
  if (known) return known.pid === process.pid && known.log !== null ? forget : () => undefined;
  const daemon = { pid: process.pid, startedAt: new Date().toISOString(), log: null };
  try {
    writeNote(root, daemon);
  } catch {
    // With a full disk the work goes on, but the process cannot be found.
  }
  return forget;
}

const writeNote = (root: string, daemon: Daemon): void =>
  writeFileSync(noteFile(root), JSON.stringify({ ...daemon, began: beganAt(daemon.pid) ?? null } satisfies DaemonNote));

/** The log may become so long. As much is kept of what came before. */
const LARGEST_LOG = 5_000_000;

/** Writers append at its end. */
export function boundLog(root: string, largest = LARGEST_LOG): void {
  const log = logFile(root);
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) <= largest) return;
  copyFileSync(log, `${log}.1`);
  truncateSync(log);
}

/** How long `start` waits for the first look at the plan. A slow machine may take longer, and that is no failure. */
const FIRST_LOOK_MS = 20_000;
const MAX_LINES = 5;

/** `command`: this program, with the words that make it a daemon. Settles when it works, or when it has failed. */
export async function startDaemon(
  root: string,
  command: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
): Promise<Result<Daemon>> {
  const known = findDaemon(root);
  const next = [step("daemon.status")];
  if (known) return refused("running", `A daemon is already running, as process ${known.pid}.`, { next });
  mkdirSync(join(root, ".planwright"), { recursive: true });
  const log = logFile(root);
  boundLog(root);
  const from = statSync(log, { throwIfNoEntry: false })?.size ?? 0;
  const out = openSync(log, "a");
  const [program, ...args] = command;
  const child = spawn(program, args, { cwd: root, env, detached: true, stdio: ["ignore", out, out] });
  closeSync(out);
  // A program that could not be started reports that as an error.
  const ended = once(child, "exit").catch(() => undefined);
  child.unref();
  const { pid } = child;
  if (pid === undefined) return refused("not-started", `${program} could not be started.`);
  const daemon = { pid, startedAt: new Date().toISOString(), log };
  writeNote(root, daemon);
  if ((await Promise.race([ended, firstLook(root, pid)])) === "looked") return ok(daemon);
  rmSync(noteFile(root), { force: true });
  const lines = readPlainBytes(log).subarray(from).toString("utf8").trim().split("\n").slice(-MAX_LINES);
  const why = lines.join(" ").trim();
  return refused("not-started", `The daemon stopped at once${why === "" ? "." : `: ${why}`}`, {
    next: [step("doctor"), step("daemon.logs")],
    details: { log, lines },
  });
}

async function firstLook(root: string, pid: number): Promise<"looked"> {
  const until = performance.now() + FIRST_LOOK_MS;
  while (readBeat(root, { pid }) === undefined && performance.now() < until) await wait(WAIT_MS);
  return "looked";
}

/** Asks it to give back what it works on, and waits until it has. */
export async function stopDaemon(root: string): Promise<Result<Daemon>> {
  const daemon = findDaemon(root);
  if (!daemon) {
    rmSync(noteFile(root), { force: true });
    return absent("not-running", "No daemon is running here.", { next: [step("daemon.start")] });
  }
  process.kill(daemon.pid, "SIGTERM");
  const deadline = Date.now() + PATIENCE_MS;
  while (findDaemon(root) !== undefined) {
    const message = `Process ${daemon.pid} was asked to stop and is still running.`;
    if (Date.now() > deadline) return refused("still-running", message, { next: [step("daemon.logs")] });
    await wait(WAIT_MS);
  }
  rmSync(noteFile(root), { force: true });
  return ok(daemon);
}
