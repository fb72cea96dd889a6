// Who else holds the streams of a process: what a command has left running goes on speaking into them.

import { readdirSync, readlinkSync } from "node:fs";
import { isLeft } from "./group.js";
import { newerPids } from "./newer.js";

/** The names that the system has for where a process speaks; none where it does not tell (Linux does). */
export function streamsOf(pid: number | undefined): readonly string[] {
  try {
    return [1, 2].map((fd) => readlinkSync(`/proc/${pid}/fd/${fd}`));
  } catch {
    return [];
  }
}

function holds(pid: number, streams: readonly string[]): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => streams.includes(nameOf(`/proc/${pid}/fd/${fd}`)));
  } catch {
    // It has ended, or is somebody else's.
    return false;
  }
}

function nameOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

export interface Since {
  /** The number that was given out last before, and how long ago that was. */
  readonly last: number | undefined;
  readonly sinceMs: number;
  readonly but: number | undefined;
}

/** Whether a process that began since then holds one of them. Where nobody can tell which began, nobody is asked. */
export const holdsAny = (streams: readonly string[], { last, sinceMs, but }: Since): boolean =>
  streams.length > 0 &&
  last !== undefined &&
  newerPids(last, sinceMs).some(
    // What others have started speaks elsewhere; there are several at any time, and each has many files open.
    (pid) => pid !== but && isLeft(pid, but) && holds(pid, streams),
  );
