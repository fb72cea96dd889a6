// What was outside of a worktree before its worker began, kept beside it: the program that finds the attempt dead has something to
// compare with.

import { rmSync, writeFileSync } from "node:fs";
import * as z from "zod/mini";
import { readPlainFile } from "../../base/plain-file.js";
import type { Attempt } from "../../model/attempt/attempt.js";

const texts = z.readonly(z.array(z.string()));
const textByName = z.readonly(z.record(z.string(), z.string()));

/** Maps and sets are lists in the file. */
const map = z.pipe(
  z.array(z.tuple([z.string(), z.string()])),
  z.transform((pairs): ReadonlyMap<string, string> => new Map(pairs)),
);
const set = z.pipe(
  texts,
  z.transform((each): ReadonlySet<string> => new Set(each)),
);

const outside = z.object({
  key: z.string(),
  /** Where to look. Found before the worker begins: what it makes of its `.git` leads nowhere else. */
  paths: z.object({
    /** The folder that holds `.planwright`. */
    root: z.string(),
    commonDir: z.string(),
    /** The worktree's own part of the repository. */
    gitDir: z.string(),
    /** The main working tree, if there is one. */
    checkout: z.nullable(z.string()),
  }),
  before: z.object({
    refs: map,
    /** Maps each path to a stamp that differs if the file was written or replaced. */
    files: map,
    /** Commits that the worktree had checked out. */
    commits: set,
    /** Files of the main checkout that are not as the commit has them; null if pipes there keep git from looking. */
    dirty: z.nullable(map),
    /** Those pipes. A program of an earlier version saved none. */
    pipes: z.prefault(texts, []),
  }),
});

export type OutsideSnapshot = z.output<typeof outside>;
export type OutsideState = OutsideSnapshot["before"];
export type WatchedPaths = OutsideSnapshot["paths"];

const orders = z.object({
  key: z.string(),
  home: z.string(),
  /** The folder for what is put aside. */
  aside: z.string(),
  /** In a sandbox, what was there is read-only: if that changed, the worker did not do it. */
  isConfined: z.boolean(),
  there: texts,
  /** Without a sandbox. By path: what it takes to put it back. */
  files: textByName,
  /** Maps each file to its parts that start programs: the keys that lead to a part, as JSON, to its value, as JSON. */
  parts: z.record(z.string(), textByName),
});

export type OrdersSnapshot = z.output<typeof orders>;

/** A file beside the worktree, with the ending of its name. */
const snapshotFile = <T extends { readonly key: string }>(ending: string, shape: z.ZodMiniType<T>) => ({
  save: (worktree: string, kept: T): void => {
    const file = `${worktree}${ending}`;
    // Removed first, because an existing file keeps its mode.
    rmSync(file, { force: true });
    const asList = (_: string, value: unknown) => (value instanceof Map || value instanceof Set ? [...value] : value);
    writeFileSync(file, JSON.stringify(kept, asList), { mode: 0o600 });
  },
  /** Undefined if there is none of this attempt that can be read: a worker may have written over it. */
  load: (key: string, { worktree }: Pick<Attempt, "worktree">): T | undefined => {
    if (worktree === null) return undefined;
    try {
      const kept = shape.parse(JSON.parse(readPlainFile(`${worktree}${ending}`)));
      // Another attempt may have had the worktree since.
      return kept.key === key ? kept : undefined;
    } catch {
      return undefined;
    }
  },
});

export const outsideSnapshots = snapshotFile(".watch.json", outside);
export const orderSnapshots = snapshotFile(".orders.json", orders);
