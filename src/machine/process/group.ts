// Process groups that this program has started. They end when the program ends: by itself, by an error, or by Ctrl-C.

import { readFileSync } from "node:fs";
import { codeOf } from "../../base/errors.js";
import { namesInFolder } from "../../base/paths.js";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Leaders of the groups that run. It is one set for the whole process, because signals and exit are, too. */
const alive = new Set<number>();

export function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has ended.
  }
}

export function killEach(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  }
}

/** Whether a process with this number exists, ours or another user's. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
}

/** Undefined if it has ended, and on systems without /proc. `startTime`: in clock ticks since the system started. */
export function readProcess(pid: number) {
  try {
    // The second field is a name in brackets that may contain anything.
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [state = "", parent, , session, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ", 20);
    return { pid, state, parent: Number(parent), session: Number(session), startTime: Number(rest[15]) };
  } catch {
    return undefined;
  }
}

/** None on systems without /proc. */
const allProcesses = () =>
  namesInFolder("/proc")
    .map(Number)
    .filter(Number.isInteger)
    .flatMap((pid) => readProcess(pid) ?? []);

/** Children, their children and so on, in whatever group: agents put the commands they run into groups of their own. */
export function descendantsOf(pid: number | undefined): number[] {
  if (pid === undefined) return [];
  const all = allProcesses();
  const found = new Set([pid]);
  // A set iterates over what is added meanwhile.
  for (const parent of found) for (const each of all) if (each.parent === parent) found.add(each.pid);
  found.delete(pid);
  return [...found];
}

/** A variable that a child and its descendants inherit, unless they clear their environment. */
const MARK = "PLANWRIGHT_CHILD";

export const markedWith = (mark: string, env: NodeJS.ProcessEnv): NodeJS.ProcessEnv => ({ ...env, [MARK]: mark });

/** False for processes of other users, which we may not read. */
function isMarked(pid: number, mark: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0").includes(`${MARK}=${mark}`);
  } catch {
    return false;
  }
}

/** What a child that has ended left running. Its parent is gone, so its session or its mark tells whose it was. */
export function leftBehind(child: number | undefined, mark: string): number[] {
  if (child === undefined) return [];
  // Processes older than this program cannot be a child's. That saves reading most environments.
  const since = readProcess(process.pid)?.startTime ?? 0;
  return allProcesses()
    .filter(({ pid, startTime }) => pid !== process.pid && pid !== child && startTime >= since)
    .filter(({ parent }) => !alive.has(parent))
    .filter((each) => each.session === child || isMarked(each.pid, mark))
    .map(({ pid }) => pid);
}

function killAll(): void {
  for (const pid of alive) {
    const descendants = descendantsOf(pid);
    signalGroup(pid, "SIGKILL");
    killEach(descendants);
  }
}

/** Another listener decides what the signal means. Without one it ends us, as it does by default. */
function onSignal(signal: NodeJS.Signals): void {
  if (process.listenerCount(signal) > 1) return;
  killAll();
  stopWatching();
  process.kill(process.pid, signal);
}

function startWatching(): void {
  process.on("exit", killAll);
  for (const signal of SIGNALS) process.on(signal, onSignal);
}

function stopWatching(): void {
  process.off("exit", killAll);
  for (const signal of SIGNALS) process.off(signal, onSignal);
}

/** Kills the group when this program ends. The result stops that, for a group that has ended. */
export function killOnExit(pid: number | undefined): () => void {
  if (pid === undefined) return () => {};
  if (alive.size === 0) startWatching();
  alive.add(pid);
  return () => {
    if (alive.delete(pid) && alive.size === 0) stopWatching();
  };
}
