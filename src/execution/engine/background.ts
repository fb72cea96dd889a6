// A daemon in the background: started once for a workspace, found again by a note of its process, stopped politely. One
// that somebody runs at a terminal leaves the same note, so that it is known as well.

import { spawn } from "node:child_process";
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { step } from "../../graph/next-step.js";
import { absent, ok, type Result, refused } from "../../graph/result.js";
import { isRunning } from "../../process/group.js";
import { beganAt } from "../../process/orphans.js";

export interface Daemon {
  readonly pid: number;
  readonly startedAt: string;
  /** Null if it says what it does at somebody's terminal. */
  readonly log: string | null;
}

interface Note extends Daemon {
  /** When the process began, where the system tells: a number alone may have been given out again. */
  readonly began: string | null;
}

const WAIT_MS = 100;
const PATIENCE_MS = 60_000;

const noteFile = (root: string): string => join(root, ".planwright", "daemon.json");
export const logFile = (root: string): string => join(root, ".planwright", "daemon.log");

/** The one that runs, if one does. */
export function findDaemon(root: string): Daemon | undefined {
  const note = readNote(root);
  return note && isTheSame(note) ? toDaemon(note) : undefined;
}

/** One that ended without being stopped: whoever stops it takes the note away. */
export function findDeadDaemon(root: string): Daemon | undefined {
  const note = readNote(root);
  return note && !isTheSame(note) ? toDaemon(note) : undefined;
}

const toDaemon = ({ pid, startedAt, log }: Note): Daemon => ({ pid, startedAt, log });

function readNote(root: string): Note | undefined {
  try {
    return JSON.parse(readFileSync(noteFile(root), "utf8")) as Note;
  } catch {
    return undefined;
  }
}

const isTheSame = ({ pid, began }: Note): boolean => (began === null ? isRunning(pid) : beganAt(pid) === began);

/** For as long as this very process is one. What it returns takes the note away. */
export function noteForeground(root: string): () => void {
  const known = findDaemon(root);
  if (known) return () => undefined;
  const daemon = { pid: process.pid, startedAt: new Date().toISOString(), log: null };
  try {
    writeNote(root, daemon);
  } catch {
    // A full disk keeps nobody from working, only from being found.
  }
  return () => {
    if (findDaemon(root)?.pid === process.pid) rmSync(noteFile(root), { force: true });
  };
}

const writeNote = (root: string, daemon: Daemon): void =>
  writeFileSync(noteFile(root), JSON.stringify({ ...daemon, began: beganAt(daemon.pid) ?? null } satisfies Note));

/** So long it may become; as much is kept of what came before. */
const LARGEST_LOG = 5_000_000;

/** Whoever writes to it goes on at its end, wherever that is. */
export function boundLog(root: string, largest = LARGEST_LOG): void {
  const log = logFile(root);
  if ((statSync(log, { throwIfNoEntry: false })?.size ?? 0) <= largest) return;
  copyFileSync(log, `${log}.1`);
  truncateSync(log);
}

/** `command`: this program, with the words that make it a daemon. */
export function startDaemon(
  root: string,
  command: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv,
): Result<Daemon> {
  const known = findDaemon(root);
  if (known) {
    return refused("running", `A daemon is already running, as process ${known.pid}.`, {
      next: [step("daemon.status")],
    });
  }
  mkdirSync(join(root, ".planwright"), { recursive: true });
  const log = logFile(root);
  boundLog(root);
  const out = openSync(log, "a");
  const [program, ...args] = command;
  const child = spawn(program, args, { cwd: root, env, detached: true, stdio: ["ignore", out, out] });
  closeSync(out);
  child.unref();
  if (child.pid === undefined) return refused("not-started", `${program} could not be started.`);
  const daemon = { pid: child.pid, startedAt: new Date().toISOString(), log };
  writeNote(root, daemon);
  return ok(daemon);
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
    if (Date.now() > deadline) {
      return refused("still-running", `Process ${daemon.pid} was asked to stop and is still running.`, {
        next: [step("daemon.logs")],
      });
    }
    await new Promise((wake) => setTimeout(wake, WAIT_MS));
  }
  rmSync(noteFile(root), { force: true });
  return ok(daemon);
}
