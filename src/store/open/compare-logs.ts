// Looks at a plan that a backup is about to replace: what would be lost (both logs begin alike and part at some operation), and whether
// it knows somebody.

import { existsSync, statSync } from "node:fs";
import { type Connection, connect } from "../dialects/sqlite/driver.js";
import { isSameFile } from "../dialects/sqlite/other-processes.js";
import type { SqliteOptions } from "../dialects/sqlite/sqlite.js";
import { whoSigned } from "../migrations/seal-old-approvals.js";
import { People } from "../people/people.js";
import { idOfSecret } from "../signer.js";
import type { PeopleOptions } from "../store.js";
import { openBeside } from "./open.js";

export interface TakenOut {
  /** How many operations of the plan are not in the backup. */
  readonly operations: number;
  /** When the first of them happened, and what the last one was. */
  readonly since: number;
  readonly latest: string;
  /** The last operation of the plan. */
  readonly end: number;
}

/** Null if the backup has every operation of the plan, or if one of the two cannot be read: then restoring it says why. */
export function takenOutBy({ path, engine }: SqliteOptions, file: string): TakenOut | null {
  const [plan, backup] = [path, file].map((each) => statSync(each, { throwIfNoEntry: false }));
  if (!plan || !backup || isSameFile(plan, backup)) return null;
  try {
    // Attached, because an engine may hold a file that it opened for as long as a statement exists, and restoring needs it free.
    const db = connect(":memory:", engine);
    try {
      db.prepare("attach database ? as live").run(path);
      const other = connect(file, engine, true);
      try {
        return compare(logIn(db, "live.operation"), logIn(other, "operation"));
      } finally {
        other.close();
        db.exec("detach database live");
      }
    } finally {
      db.close();
    }
  } catch {
    return null;
  }
}

interface Entry {
  readonly at: number;
  readonly actor: string;
  readonly sentence: string;
}

interface Log {
  readonly end: number;
  readonly entry: (op: number) => Entry | undefined;
}

function logIn(db: Connection, table: string): Log {
  const { end } = db.prepare(`select coalesce(max(op), 0) as end from ${table}`).get() as { end: number };
  const entries = db.prepare(`select at, actor, sentence from ${table} where op = ?`);
  return { end, entry: (op) => entries.get(op) as Entry | undefined };
}

function compare(plan: Log, backup: Log): TakenOut | null {
  const shared = lastShared(plan, backup);
  if (shared === plan.end) return null;
  const [first, last] = [plan.entry(shared + 1), plan.entry(plan.end)];
  return { operations: plan.end - shared, since: first?.at ?? 0, latest: last?.sentence ?? "", end: plan.end };
}

/** Links cannot be compared: a backup of an older program has none. */
function lastShared(plan: Log, backup: Log): number {
  const isShared = (op: number): boolean => {
    const [a, b] = [plan.entry(op), backup.entry(op)];
    return a !== undefined && a.at === b?.at && a.actor === b.actor && a.sentence === b.sentence;
  };
  let [shared, beyond] = [0, Math.min(plan.end, backup.end) + 1];
  while (beyond - shared > 1) {
    const middle = Math.floor((shared + beyond) / 2);
    if (isShared(middle)) shared = middle;
    else beyond = middle;
  }
  return shared;
}

/** Null if there is no plan that could be read. */
export async function knowsSomebodyOf(
  path: string,
  secrets: readonly string[],
  options: PeopleOptions,
): Promise<"somebody" | "others" | "nobody" | null> {
  if (!existsSync(path)) return null;
  try {
    const db = await openBeside(path);
    try {
      const people = new People(db, options);
      if (await people.isEmpty()) return "nobody";
      for (const secret of secrets) if (await people.find(idOfSecret(secret))) return "somebody";
      // An older program signed, and knew nobody.
      return typeof (await whoSigned(db, secrets)) === "string" ? "somebody" : "others";
    } finally {
      await db.run("detach database live");
      await db.close();
    }
  } catch {
    return null;
  }
}
