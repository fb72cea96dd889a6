// Runs a command that a task carries: with an environment of its own, nothing to read, and one stream for all that it says.
// When it has ended, so has whatever it started. A program that runs many prepares small shells for it.

import { randomUUID } from "node:crypto";
import { constants, openSync, rmSync } from "node:fs";
import { Socket } from "node:net";
import { constants as system } from "node:os";
import { join } from "node:path";
import { killEach, leftBehind, markedWith, signalGroup } from "./group.js";
import { canBeSaid, Lane, type LaneResult, quoted } from "./lane.js";
import { lastPid } from "./newer.js";
import { type RunOptions, type RunResult, run } from "./run.js";
import { Tail } from "./tail.js";

export interface CommandOptions extends Omit<RunOptions, "input" | "shell"> {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly keep: number;
}

/** Between asking a group to end and ending it. */
const GRACE_MS = 2_000;
/** A process that nobody knows may hold the stream of a command that has ended. */
const DRAIN_MS = 1_000;

/** Names that a shell takes, and that are not its own. */
const isPlain = (name: string): boolean =>
  /^[A-Za-z_]\w*$/.test(name) && !/^(E?UID|PPID|BASHOPTS|SHELLOPTS|BASH_VERSINFO)$/.test(name);

/** What a shell sets by itself. */
const OWN = ["PWD", "OLDPWD", "SHLVL"];

let folder: string | undefined;
const free: Speaking[] = [];
const pipes = new Set<string>();

/** From now on shells' commands are started through small ones. What these speak through lies in this folder. */
export function startCommandsThrough(within: string): void {
  if (folder === undefined) process.once("exit", () => pipes.forEach(removePipe));
  folder = within;
}

function removePipe(pipe: string): void {
  pipes.delete(pipe);
  rmSync(pipe, { force: true });
}

/**
 * Only what a shell runs: a sandbox is to end with the program that has put something into it, and so it is started by the
 * program itself.
 */
export function runCommand(options: CommandOptions): Promise<RunResult> {
  const { command, args, cwd, env, signal } = options;
  const words = [command, ...args, cwd, ...Object.values(env)];
  const mayBe = folder !== undefined && command === "/bin/sh" && canBeSaid(words) && Object.keys(env).every(isPlain);
  return mayBe && signal?.aborted !== true ? throughLane(options) : run({ ...options, alone: true });
}

/** A shell with a pipe that its commands speak into. */
interface Speaking {
  readonly lane: Lane;
  readonly pipe: string;
}

async function speaking(): Promise<Speaking | undefined> {
  for (let known = free.pop(); known; known = free.pop()) if (!known.lane.isGone) return known;
  const lane = new Lane({});
  const pipe = join(folder as string, `${process.pid}-${lane.pid}.pipe`);
  removePipe(pipe);
  const made = await lane.run(`mkfifo -m 600 ${quoted(pipe)}`);
  pipes.add(pipe);
  if (made.code === 0) return { lane, pipe };
  lane.end();
  return undefined;
}

async function throughLane(options: CommandOptions): Promise<RunResult> {
  const through = await speaking();
  if (!through) return run({ ...options, alone: true });
  const { lane, pipe } = through;
  const said = new Tail(options.keep);
  const stream = listen(pipe, (text) => {
    said.add(text);
    options.onText?.(text);
  });
  const started = performance.now();
  const [mark, last] = [randomUUID(), lastPid()];
  const { exit, endedBy } = await runIn(lane, lineOf(options, mark, pipe), options);
  const left = leftBehind({ session: lane.pid, mark, after: last, sinceMs: performance.now() - started });
  killEach(left);
  const silent = await stream.silent();
  // Whatever is still there, nothing that comes later is told where it can be heard.
  if (silent && left.length === 0 && endedBy === "itself" && !lane.isGone) free.push(through);
  else {
    lane.end();
    removePipe(pipe);
  }
  const durationMs = Math.round(performance.now() - started);
  return { endedBy, ...codeOf(exit), output: said.text, stdout: said.text, durationMs };
}

function lineOf({ command, args, cwd, env }: CommandOptions, mark: string, pipe: string): string {
  const own = OWN.filter((name) => !(name in env)).join(" ");
  const settings = Object.entries(markedWith(mark, env)).map(([name, value]) => `${name}=${quoted(value)}`);
  const words = [command, ...args].map(quoted).join(" ");
  const told = `cd ${quoted(cwd)} && export ${settings.join(" ")} && unset ${own} && exec ${words}`;
  return `( ${told} ) < /dev/null > ${quoted(pipe)} 2>&1`;
}

/** If a signal ended it, the shell says so: a number above 128 alone may be the command's own. */
function codeOf({ code, stderr }: LaneResult): Pick<RunResult, "exitCode" | "signal"> {
  if (code !== null && (code <= 128 || stderr === "")) return { exitCode: code, signal: null };
  const by = Object.entries(system.signals).find(
    ([, number]) => number === (code ?? 128 + system.signals.SIGKILL) - 128,
  );
  return { exitCode: null, signal: (by?.[0] ?? "SIGKILL") as NodeJS.Signals };
}

async function runIn(
  lane: Lane,
  line: string,
  { timeoutMs, signal }: Pick<RunOptions, "timeoutMs" | "signal">,
): Promise<{ exit: LaneResult; endedBy: RunResult["endedBy"] }> {
  let endedBy: RunResult["endedBy"] = "itself";
  const timers: NodeJS.Timeout[] = [];
  const stop = (why: "timeout" | "cancel"): void => {
    if (endedBy !== "itself") return;
    endedBy = why;
    signalGroup(lane.pid, "SIGTERM");
    timers.push(setTimeout(() => signalGroup(lane.pid, "SIGKILL"), GRACE_MS));
  };
  const cancel = (): void => stop("cancel");
  if (timeoutMs !== undefined) timers.push(setTimeout(() => stop("timeout"), timeoutMs));
  signal?.addEventListener("abort", cancel, { once: true });
  const exit = await lane.run(line);
  for (const timer of timers) clearTimeout(timer);
  signal?.removeEventListener("abort", cancel);
  return { exit, endedBy };
}

/** `silent`: whether everything was heard, and nobody is left who could say more. */
function listen(pipe: string, onText: (text: string) => void): { silent(): Promise<boolean> } {
  const fd = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK);
  const socket = new Socket({ fd, readable: true, writable: false });
  const closed = new Promise<boolean>((done) => {
    socket.once("close", () => done(true));
  });
  socket.setEncoding("utf8").on("data", onText);
  socket.on("error", () => {});
  return {
    async silent() {
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
