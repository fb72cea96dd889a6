// What was outside of a worktree before its worker began, kept beside it: whoever finds the attempt dead has something to
// compare with.

import { readFileSync, rmSync, writeFileSync } from "node:fs";
import type { Attempt } from "../../graph/attempt/attempt.js";
import type { Around, Outside } from "./outside.js";

export interface Picture {
  readonly key: string;
  readonly around: Around;
  readonly before: Outside;
}

const pictureOf = (worktree: string): string => `${worktree}.watch.json`;

export function keepPicture(worktree: string, { key, around, before }: Picture): void {
  const { refs, files, stood, dirty } = before;
  const plain = { refs: [...refs], files: [...files], stood: [...stood], dirty: [...dirty] };
  // Written anew, since a file that is there keeps its mode.
  rmSync(pictureOf(worktree), { force: true });
  writeFileSync(pictureOf(worktree), JSON.stringify({ key, around, before: plain }), { mode: 0o600 });
}

/** Undefined if there is none of this attempt that can be read: a worker may have written over it. */
export function findPicture(key: string, { worktree }: Attempt): Picture | undefined {
  if (worktree === null) return undefined;
  try {
    return read(key, JSON.parse(readFileSync(pictureOf(worktree), "utf8")));
  } catch {
    return undefined;
  }
}

class Misshapen extends Error {}

function read(key: string, kept: unknown): Picture | undefined {
  const all = recordOf(kept);
  // Another attempt has had the worktree since.
  if (all["key"] !== key) return undefined;
  const [around, before] = [recordOf(all["around"]), recordOf(all["before"])];
  const { checkout } = around;
  return {
    key,
    around: {
      root: textOf(around["root"]),
      commonDir: textOf(around["commonDir"]),
      gitDir: textOf(around["gitDir"]),
      checkout: checkout === null ? null : textOf(checkout),
    },
    before: {
      refs: new Map(listOf(before["refs"]).map(pairOf)),
      files: new Map(listOf(before["files"]).map(pairOf)),
      stood: new Set(listOf(before["stood"]).map(textOf)),
      dirty: new Map(listOf(before["dirty"]).map(pairOf)),
    },
  };
}

function recordOf(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null) throw new Misshapen();
  return value as Record<string, unknown>;
}

function textOf(value: unknown): string {
  if (typeof value !== "string") throw new Misshapen();
  return value;
}

function listOf(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw new Misshapen();
  return value;
}

function pairOf(value: unknown): [string, string] {
  const [first, second] = listOf(value);
  return [textOf(first), textOf(second)];
}
