// What cleaning up looks for: things that Planwright made, by the names that it gives them, and that are older than the settings
// allow. Everything with another name stays, and so does whatever a link leads to.

import { lstatSync, readdirSync, type Stats } from "node:fs";
import { join } from "node:path";
import type { Context } from "../../plan/base/context.js";

export const DAY_MS = 86_400_000;

export type GarbageKind =
  | "transcript"
  | "bundle"
  | "replaced plan"
  | "upgrade backup"
  | "ref"
  | "worktree leftover"
  | "temporary folder";

/** Something that may go. */
export interface Garbage {
  readonly kind: GarbageKind;
  /** A path or the full name of a ref. */
  readonly name: string;
  /** Null for refs: git shares objects. */
  readonly bytes: number | null;
  /** Does nothing if it is gone already. */
  readonly remove: () => Promise<void>;
}

export interface GarbageSettings {
  readonly transcriptDays: number;
  readonly leftoverDays: number;
  readonly repository: "auto" | "off";
}

export interface GarbageInput {
  readonly context: Context;
  readonly settings: GarbageSettings;
  /** The folder of worktrees, as an absolute path. */
  readonly worktrees: string;
  /** The system's folder for temporary files. */
  readonly tmp: string;
  /** Whether the program that drives a planning run still runs. */
  readonly isAlive: (driver: string) => boolean;
}

export interface FolderEntry {
  readonly name: string;
  readonly path: string;
  readonly stat: Stats;
}

const lookAt = (path: string): Stats | undefined => {
  try {
    return lstatSync(path);
  } catch {
    return undefined;
  }
};

/** Nothing if it is not a folder, or is a link to one. */
export function entriesOf(folder: string): FolderEntry[] {
  if (!lookAt(folder)?.isDirectory()) return [];
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    const stat = lookAt(path);
    return stat ? [{ name, path, stat }] : [];
  });
}

/** Of everything in it. */
export const bytesIn = ({ path, stat }: FolderEntry): number =>
  stat.isDirectory() ? entriesOf(path).reduce((sum, entry) => sum + bytesIn(entry), 0) : stat.size;

/** `2026-01-31T12-00-00-000Z`, as names of files have it. Undefined if it is no time. */
export function timeOfStamp(stamp: string): number | undefined {
  const [, day, hour, minute, rest, ms] = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z$/.exec(stamp) ?? [];
  const time = Date.parse(`${day}T${hour}:${minute}:${rest}.${ms}Z`);
  return Number.isNaN(time) ? undefined : time;
}
