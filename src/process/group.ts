// The process groups that this program has started. They are told to end, made to end, and never left behind
// when the program itself ends: by its own will, by an error, or by Ctrl-C.

import { existsSync, readFileSync } from "node:fs";
import { allPids, newerPids } from "./newer.js";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const alive = new Set<number>();

export function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has ended by itself.
  }
}

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly session: number;
  /** When it began, in the system's own count. */
  readonly began: number;
}

function processOf(pid: number): Process | undefined {
  const folder = `/proc/${pid}`;
  // Most of those that are asked about have ended, and to look is cheaper than to fail.
  if (!existsSync(folder)) return undefined;
  try {
    // The second field is a name in brackets that may contain anything.
    const stat = readFileSync(`${folder}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ", 20);
    return { pid, parent: Number(fields[1]), session: Number(fields[3]), began: Number(fields[19]) };
  } catch {
    // It has just ended.
    return undefined;
  }
}

const processesAmong = (pids: readonly number[]): Process[] => pids.flatMap((pid) => processOf(pid) ?? []);

/** Whether it runs, and its parent is not somebody else whom this program has started: then it would be theirs. */
export function isLeft(pid: number, but: number | undefined): boolean {
  const found = processOf(pid);
  return found !== undefined && (found.parent === but || !alive.has(found.parent));
}

const childrenOf = (parents: ReadonlySet<number>, all: readonly Process[]): number[] =>
  all.filter(({ parent }) => parents.has(parent)).map(({ pid }) => pid);

/** What a process started, and what that started: agents put the commands they run into groups of their own. */
export function descendantsOf(pid: number | undefined): number[] {
  if (pid === undefined) return [];
  const all = processesAmong(allPids());
  const found = new Set<number>();
  for (let wave = childrenOf(new Set([pid]), all); wave.length > 0; wave = childrenOf(new Set(wave), all)) {
    for (const child of wave) found.add(child);
  }
  return [...found];
}

/** The name under which a child and everything that it starts carry its mark. */
const MARK = "PLANWRIGHT_CHILD";

/** An environment that tells whose process it is. */
export const markedWith = <T extends NodeJS.ProcessEnv>(mark: string, env: T): T & Record<typeof MARK, string> => ({
  ...env,
  [MARK]: mark,
});

/** Whether a process got this mark, or has it from one that did. Those of other people cannot be read, and are not ours. */
function isMarked(pid: number, entry: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0").includes(entry);
  } catch {
    return false;
  }
}

export interface Ended {
  /** Of the child that has ended. */
  readonly session: number | undefined;
  readonly mark: string;
  /** The number that was given out last before it began, and how long ago that was. */
  readonly after?: number | undefined;
  readonly sinceMs?: number;
}

let began: number | undefined;

/** What a child that has ended left running: nobody is its parent any more, so its session and its mark tell. */
export function leftBehind({ session, mark, after, sinceMs = 0 }: Ended): number[] {
  if (session === undefined) return [];
  const entry = `${MARK}=${mark}`;
  const all = processesAmong(after === undefined ? allPids() : newerPids(after, sinceMs));
  // A child can only have left what began after this program; to read every environment there is would take long.
  began ??= processOf(process.pid)?.began ?? 0;
  const since = began;
  return all
    .filter(({ pid, began: its }) => pid !== process.pid && pid !== session && its >= since)
    .filter(({ parent }) => !alive.has(parent))
    .filter(({ pid, session: own }) => own === session || isMarked(pid, entry))
    .map(({ pid }) => pid);
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

function killAll(): void {
  for (const pid of alive) {
    const below = descendantsOf(pid);
    signalGroup(pid, "SIGKILL");
    killEach(below);
  }
}

/** Whoever listens to the signal as well decides what it means. If nobody does, it ends us, as it would without groups. */
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

/** From now on the group ends with this program. Gives back the way to let go of a group that has ended. */
export function adoptGroup(pid: number | undefined): () => void {
  if (pid === undefined) return () => {};
  if (alive.size === 0) startWatching();
  alive.add(pid);
  return () => {
    if (alive.delete(pid) && alive.size === 0) stopWatching();
  };
}
