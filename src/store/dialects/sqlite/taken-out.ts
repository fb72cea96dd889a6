// What a backup that is about to replace a plan would take out of it: both logs begin alike and part at some operation.

import { statSync } from "node:fs";
import { type Connection, connect } from "./driver.js";
import { isSameFile } from "./other-processes.js";
import type { SqliteOptions } from "./sqlite.js";

export type TakenOut = NonNullable<ReturnType<typeof compare>>;

/** Null if the backup has every operation of the plan, or if one of the two cannot be read: then restoring it says why. */
export function takenOutBy({ path, engine }: SqliteOptions, file: string) {
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

type Log = ReturnType<typeof logIn>;

function logIn(db: Connection, table: string) {
  const { end } = db.prepare(`select coalesce(max(op), 0) as end from ${table}`).get() as { end: number };
  const entries = db.prepare(`select at, actor, sentence from ${table} where op = ?`);
  return { end, entry: (op: number) => entries.get(op) as Entry | undefined };
}

/** `operations`: how many are not in the backup. `since`: when the first of them happened. `latest`: what the last one was. */
function compare(plan: Log, backup: Log) {
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
