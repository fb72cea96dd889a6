// Runs a command that a task carries: with an environment of its own, nothing to read, and one stream for all that it says.
// When it has ended, so has whatever it started. A program that runs many prepares small shells for it.

import { randomUUID } from "node:crypto";
import { constants, openSync, rmSync } from "node:fs";
import { Socket } from "node:net";
import { constants as system } from "node:os";
import { join } from "node:path";
import { findCommand } from "./find.js";
import { killEach, leftBehind, markedWith, signalGroup } from "./group.js";
import { inherit } from "./inherit.js";
import { Lane, type LaneResult } from "./lane.js";
import { lastPid } from "./newer.js";
import { type RunOptions, type RunResult, run } from "./run.js";
import { Tail } from "./tail.js";
import { canBeTold, type Line, lineOf, quoted, type Told } from "./told.js";

export interface CommandOptions extends Omit<RunOptions, "input" | "shell" | keyof Told>, Told {
  readonly keep: number;
}

/** Between asking a group to end and ending it. */
const GRACE_MS = 2_000;
/** A process that nobody knows may hold the stream of a command that has ended. */
const DRAIN_MS = 1_000;

/** What a shell sets by itself. */
const OWN = ["PWD", "OLDPWD", "SHLVL"];

/** What a small shell itself says. */
const KEEP = 100_000;

let folder: string | undefined;
/** What makes a command the leader of a group of its own, as one is that the program starts. */
let leader: Promise<string | undefined> | undefined;
const free: Speaking[] = [];
const pipes = new Set<string>();

/** From now on shells' commands are started through small ones. What these speak through lies in this folder. */
export function startCommandsThrough(within: string): void {
  if (folder === undefined) process.once("exit", () => pipes.forEach(removePipe));
  folder = within;
  leader ??= findCommand("setsid", inherit({})["PATH"], within);
}

function removePipe(pipe: string): void {
  pipes.delete(pipe);
  rmSync(pipe, { force: true });
}

/**
 * Only what a shell runs: a sandbox is to end with the program that has put something into it, and so it is started by the
 * program itself.
 */
export async function runCommand(options: CommandOptions): Promise<RunResult> {
  const mayBe = options.command === "/bin/sh" && options.signal?.aborted !== true && canBeTold(options);
  // What did not begin there is started here, or it is said here why it cannot be.
  return (mayBe ? await throughLane(options) : undefined) ?? run({ ...options, alone: true });
}

/** A shell with a pipe that its commands speak into. */
interface Speaking {
  readonly lane: Lane;
  readonly pipe: string;
}

async function speaking(within: string): Promise<Speaking | undefined> {
  for (let known = free.pop(); known; known = free.pop()) {
    if (known.lane.isFit) return known;
    drop(known);
  }
  const lane = Lane.start({});
  if (!lane) return undefined;
  const pipe = join(within, `${process.pid}-${lane.pid}.pipe`);
  removePipe(pipe);
  const made = await lane.run(() => `mkfifo -m 600 ${quoted(pipe)}`, { keep: KEEP });
  pipes.add(pipe);
  if (made.code === 0) return { lane, pipe };
  drop({ lane, pipe });
  return undefined;
}

function drop({ lane, pipe }: Speaking): void {
  lane.end();
  removePipe(pipe);
}

/** Undefined if the command did not begin. */
async function throughLane(options: CommandOptions): Promise<RunResult | undefined> {
  const setsid = await leader;
  const through = folder === undefined || setsid === undefined ? undefined : await speaking(folder);
  if (!through || setsid === undefined) return undefined;
  const { lane, pipe } = through;
  const said = new Tail(options.keep);
  const stream = listen(pipe, (text) => {
    said.add(text);
    options.onText?.(text);
  });
  if (!stream) {
    drop(through);
    return undefined;
  }
  const started = performance.now();
  const [mark, last] = [randomUUID(), lastPid()];
  const { exit, pid, endedBy } = await runIn(lane, lineFor(options, { mark, pipe, setsid }), options);
  // What it left running would hold files and ports.
  signalGroup(pid, "SIGKILL");
  const left = leftBehind({ session: pid, mark, after: last, sinceMs: performance.now() - started });
  killEach(left);
  const silent = await stream.silent(exit.began);
  // Whatever is still there, nothing that comes later is told where it can be heard.
  if (silent && left.length === 0 && endedBy === "itself" && lane.isFit) free.push(through);
  else drop(through);
  if (!exit.began && endedBy === "itself") return undefined;
  const durationMs = Math.round(performance.now() - started);
  return { endedBy, ...codeOf(exit), output: said.text, stdout: said.text, durationMs };
}

function lineFor(
  { command, args, cwd, env }: CommandOptions,
  { mark, pipe, setsid }: { readonly mark: string; readonly pipe: string; readonly setsid: string },
): Line {
  const without = OWN.filter((name) => !(name in env));
  const streams = `< /dev/null > ${quoted(pipe)} 2>&1`;
  return lineOf({ command, args, cwd, env: markedWith(mark, env) }, { leader: setsid, without, streams });
}

/**
 * If a signal ended it, the shell says so: a number above 128 alone may be the command's own. Of two signals, that of
 * Ctrl-C and that of a broken pipe, shells say nothing; then it stays a number, as a check may expect one.
 */
function codeOf({ code, stderr }: LaneResult): Pick<RunResult, "exitCode" | "signal"> {
  if (code !== null && (code <= 128 || stderr === "")) return { exitCode: code, signal: null };
  const by = Object.entries(system.signals).find(
    ([, number]) => number === (code ?? 128 + system.signals.SIGKILL) - 128,
  );
  return { exitCode: null, signal: (by?.[0] ?? "SIGKILL") as NodeJS.Signals };
}

/** The group of a command that has just begun is not there yet. */
function tell(pid: number, signal: NodeJS.Signals): void {
  for (const whom of [-pid, pid]) {
    try {
      process.kill(whom, signal);
      return;
    } catch {
      // No such group, or it has ended by itself.
    }
  }
}

interface Ran {
  readonly exit: LaneResult;
  readonly pid: number | undefined;
  readonly endedBy: RunResult["endedBy"];
}

async function runIn(
  lane: Lane,
  line: Line,
  { timeoutMs, signal }: Pick<RunOptions, "timeoutMs" | "signal">,
): Promise<Ran> {
  let endedBy: RunResult["endedBy"] = "itself";
  let pid: number | undefined;
  const timers: NodeJS.Timeout[] = [];
  const make = (): void => (pid === undefined ? lane.end() : tell(pid, "SIGKILL"));
  const stop = (why: "timeout" | "cancel"): void => {
    if (endedBy !== "itself") return;
    endedBy = why;
    if (pid !== undefined) tell(pid, "SIGTERM");
    timers.push(setTimeout(make, GRACE_MS));
  };
  const cancel = (): void => stop("cancel");
  if (timeoutMs !== undefined) timers.push(setTimeout(() => stop("timeout"), timeoutMs));
  signal?.addEventListener("abort", cancel, { once: true });
  // It may have come while a shell was prepared.
  if (signal?.aborted) cancel();
  const exit = await lane.run(line, {
    keep: KEEP,
    onBegin(own) {
      pid = own;
      if (own !== undefined && endedBy !== "itself") tell(own, "SIGTERM");
    },
  });
  for (const timer of timers) clearTimeout(timer);
  signal?.removeEventListener("abort", cancel);
  return { exit, pid, endedBy };
}

interface Listening {
  /** Whether everything was heard, and nobody is left who could say more. */
  silent(began: boolean): Promise<boolean>;
}

/** Undefined if the pipe is gone, or cannot be opened. */
function listen(pipe: string, onText: (text: string) => void): Listening | undefined {
  const fd = openPipe(pipe);
  if (fd === undefined) return undefined;
  const socket = new Socket({ fd, readable: true, writable: false });
  const closed = new Promise<boolean>((done) => {
    socket.once("close", () => done(true));
  });
  socket.setEncoding("utf8").on("data", onText);
  socket.on("error", () => {});
  return {
    async silent(began) {
      // A pipe into which nobody has spoken does not end.
      if (!began) socket.destroy();
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<boolean>((done) => {
        timer = setTimeout(() => done(false), DRAIN_MS);
      });
      const silent = await Promise.race([closed, late]);
      clearTimeout(timer);
      socket.destroy();
      return silent;
    },
  };
}

function openPipe(pipe: string): number | undefined {
  try {
    return openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch {
    return undefined;
  }
}
