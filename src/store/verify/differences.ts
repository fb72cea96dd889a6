// Collects where the plan and its log differ.

import type { Verification } from "../store.js";

type Difference = Verification["differences"][number];

/** Enough to see what is wrong. */
const SHOWN = 100;

export class Differences {
  readonly list: Difference[] = [];

  compare(row: string, field: string, stored: unknown, replayed: unknown): void {
    if (stored === replayed || isSame(stored, replayed) || this.list.length >= SHOWN) return;
    this.list.push({ row, field, stored: shortenToken(stored ?? null), replayed: shortenToken(replayed ?? null) });
  }
}

/** By value, whatever the order of keys; undefined and null are the same. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b || (a ?? null) === (b ?? null)) return true;
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>];
  for (const key in left) if (!isSame(left[key], right[key])) return false;
  for (const key in right) if (!(key in left) && !isSame(null, right[key])) return false;
  return true;
}

/** A claim's token is secret: its beginning is enough to tell two apart. */
const shortenToken = (value: unknown): unknown =>
  typeof value === "object" && value !== null && "token" in value && typeof value.token === "string"
    ? { ...value, token: `${value.token.slice(0, 4)}…` }
    : value;
