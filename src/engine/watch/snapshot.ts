// What was outside of a worktree before its worker began, kept beside it: the program that finds the attempt dead has something to
// compare with.

import { rmSync, writeFileSync } from "node:fs";
import { readPlainFile } from "../../base/plain-file.js";
import type { Attempt } from "../../model/attempt/attempt.js";
import type { OrdersSnapshot } from "./orders.js";
import type { OutsideState, WatchedPaths } from "./outside.js";

export interface OutsideSnapshot {
  readonly key: string;
  readonly paths: WatchedPaths;
  readonly before: OutsideState;
}

const snapshotFile = (worktree: string): string => `${worktree}.watch.json`;

export function saveSnapshot(worktree: string, { key, paths, before }: OutsideSnapshot): void {
  const { refs, files, commits, dirty, pipes } = before;
  const plain = { refs: [...refs], files: [...files], commits: [...commits], dirty: dirty && [...dirty], pipes };
  write(snapshotFile(worktree), { key, paths, before: plain });
}

function write(file: string, kept: object): void {
  // Removed first, because an existing file keeps its mode.
  rmSync(file, { force: true });
  writeFileSync(file, JSON.stringify(kept), { mode: 0o600 });
}

const ordersFile = (worktree: string): string => `${worktree}.orders.json`;

export const saveOrders = (worktree: string, orders: OrdersSnapshot): void => write(ordersFile(worktree), orders);

/** Undefined if there is none of this attempt that can be read. */
export function loadOrders(key: string, { worktree }: Attempt): OrdersSnapshot | undefined {
  if (worktree === null) return undefined;
  try {
    const kept = recordOf(JSON.parse(readPlainFile(ordersFile(worktree))));
    if (kept["key"] !== key) return undefined;
    const parts = Object.entries(recordOf(kept["parts"])).map(([name, each]) => [name, textsOf(each)]);
    return {
      key,
      home: textOf(kept["home"]),
      aside: textOf(kept["aside"]),
      isConfined: kept["isConfined"] === true,
      there: listOf(kept["there"]).map(textOf),
      files: textsOf(kept["files"]),
      parts: Object.fromEntries(parts) as OrdersSnapshot["parts"],
    };
  } catch {
    return undefined;
  }
}

const textsOf = (value: unknown): Record<string, string> =>
  Object.fromEntries(Object.entries(recordOf(value)).map(([name, each]) => [name, textOf(each)]));

/** Undefined if there is none of this attempt that can be read: a worker may have written over it. */
export function loadSnapshot(key: string, { worktree }: Attempt): OutsideSnapshot | undefined {
  if (worktree === null) return undefined;
  try {
    return read(key, JSON.parse(readPlainFile(snapshotFile(worktree))));
  } catch {
    return undefined;
  }
}

class Misshapen extends Error {}

function read(key: string, kept: unknown): OutsideSnapshot | undefined {
  const all = recordOf(kept);
  // Another attempt has had the worktree since.
  if (all["key"] !== key) return undefined;
  const [paths, before] = [recordOf(all["paths"]), recordOf(all["before"])];
  const { checkout } = paths;
  return {
    key,
    paths: {
      root: textOf(paths["root"]),
      commonDir: textOf(paths["commonDir"]),
      gitDir: textOf(paths["gitDir"]),
      checkout: checkout === null ? null : textOf(checkout),
    },
    before: {
      refs: new Map(listOf(before["refs"]).map(pairOf)),
      files: new Map(listOf(before["files"]).map(pairOf)),
      commits: new Set(listOf(before["commits"]).map(textOf)),
      dirty: before["dirty"] === null ? null : new Map(listOf(before["dirty"]).map(pairOf)),
      // A program of an earlier version saved none.
      pipes: listOf(before["pipes"] ?? []).map(textOf),
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
