// What was outside of a worktree before its worker began, kept beside it: whoever finds the attempt dead has something to
// compare with.

import { readFileSync, writeFileSync } from "node:fs";
import type { Attempt } from "../graph/attempt.js";
import type { Around, Outside } from "./sandbox-guard.js";

export interface Picture {
  readonly key: string;
  readonly around: Around;
  readonly before: Outside;
}

const pictureOf = (worktree: string): string => `${worktree}.watch.json`;

export function keepPicture(worktree: string, { key, around, before }: Picture): void {
  const { refs, files, stood, dirty } = before;
  const plain = { refs: [...refs], files: [...files], stood: [...stood], dirty: [...dirty] };
  writeFileSync(pictureOf(worktree), JSON.stringify({ key, around, before: plain }));
}

export function findPicture(key: string, { worktree }: Attempt): Picture | undefined {
  if (worktree === null) return undefined;
  type Pairs = [string, string][];
  type Kept = { key: string; around: Around; before: { refs: Pairs; files: Pairs; stood: string[]; dirty: Pairs } };
  let kept: Kept;
  try {
    kept = JSON.parse(readFileSync(pictureOf(worktree), "utf8")) as Kept;
  } catch {
    return undefined;
  }
  // Another attempt has had the worktree since.
  if (kept.key !== key) return undefined;
  const { refs, files, stood, dirty } = kept.before;
  const before = { refs: new Map(refs), files: new Map(files), stood: new Set(stood), dirty: new Map(dirty) };
  return { key, around: kept.around, before };
}
