// Whether the program that drives an attempt or a planning run still runs.

import { createHash } from "node:crypto";
import { hostname } from "node:os";
import { isRunning } from "./group.js";
import { beganAt } from "./orphans.js";

/** The start time of a process, shortened. Systems reuse process numbers, so the number alone is not enough. */
const markOf = (pid: number): string | undefined => {
  const began = beganAt(pid);
  return began === undefined ? undefined : createHash("sha256").update(began).digest("hex").slice(0, 12);
};

/** `host/pid@mark`: this program. */
export function ownDriver(): string {
  const mark = markOf(process.pid);
  return `${hostname()}/${process.pid}${mark === undefined ? "" : `@${mark}`}`;
}

/** A process on another machine cannot be seen, so its lease counts. */
export function isAlive(driver: string): boolean {
  const [, host, pid, mark] = /^(.*)\/(\d+)(?:@([0-9a-f]+))?(?:#|$)/.exec(driver) ?? [];
  if (host !== hostname()) return true;
  if (Number(pid) === process.pid) return false;
  if (mark !== undefined) return markOf(Number(pid)) === mark;
  return isRunning(Number(pid));
}
