// Which processes can have begun within a while, told by their numbers alone: the system gives them out in turn. To look at
// every process there is takes longer than most commands run.

import { openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { Starts } from "./starts.js";

function numberIn(path: string): number | undefined {
  try {
    const number = Number(readFileSync(path, "utf8"));
    return number > 0 ? number : undefined;
  } catch {
    return undefined;
  }
}

/** Kept open, since it is read around every command. Undefined where the system does not tell (Linux does). */
let source: { readonly fd: number | undefined } | undefined;
const digits = Buffer.alloc(16);
const starts = new Starts();

function openSource(): { readonly fd: number | undefined } {
  try {
    return { fd: openSync("/proc/sys/kernel/ns_last_pid", "r") };
  } catch {
    return { fd: undefined };
  }
}

/** The number that was given out last; undefined where the system does not tell. */
export function lastPid(): number | undefined {
  const { fd } = (source ??= openSource());
  if (fd === undefined) return undefined;
  starts.count();
  try {
    const number = Number(digits.toString("latin1", 0, readSync(fd, digits, 0, digits.length, 0)));
    return number > 0 ? number : undefined;
  } catch {
    return undefined;
  }
}

let highest: number | undefined;

/** Whether a process can be younger than the one that was last before; it can always be where nobody can tell. */
export function newerThan(last: number | undefined, sinceMs: number, now = lastPid()): (pid: number) => boolean {
  highest ??= numberIn("/proc/sys/kernel/pid_max") ?? 0;
  if (last === undefined || now === undefined || !starts.areFewer(highest - LEFT_OUT, sinceMs)) return () => true;
  // After the highest number it begins again with the lowest.
  return now >= last ? (pid) => pid > last && pid <= now : (pid) => pid > last || pid <= now;
}

/** The lowest are given out only once. */
const LEFT_OUT = 300;

/** More numbers than this are not tried one by one. */
const FEW = 100;

/** The numbers that processes which began since then can have. */
export function newerPids(last: number, sinceMs: number): number[] {
  const now = lastPid();
  const isNewer = newerThan(last, sinceMs, now);
  if (now !== undefined && now >= last && now - last <= FEW && !isNewer(last)) {
    return Array.from({ length: now - last }, (_, n) => last + 1 + n);
  }
  return allPids().filter(isNewer);
}

/** The numbers of all processes, where the system tells (Linux); elsewhere none. */
export function allPids(): number[] {
  try {
    return readdirSync("/proc")
      .map(Number)
      .filter((pid) => pid > 0);
  } catch {
    return [];
  }
}
