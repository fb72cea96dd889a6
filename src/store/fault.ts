// Errors of the database file as failures with a message. Any other error that is thrown is a bug.

import { step } from "../model/next-step.js";
import type { Failure } from "../model/result.js";

export class StoreFault extends Error {
  readonly failure: Failure;

  constructor(failure: Failure, cause?: unknown) {
    super(failure.message, { cause });
    this.failure = failure;
  }
}

/** SQLITE_IOERR_SHORT_READ: the file is shorter than it says itself. SQLite words it like a failing disk. */
const SHORT_READ = 522;

const DAMAGED = /malformed|not a database|file is encrypted/i;

const REFUSALS: readonly (readonly [pattern: RegExp, reason: string, message: (path: string) => string])[] = [
  [
    /database or disk is full|disk I\/O error/i,
    "disk-full",
    (path) =>
      `The disk is full or cannot be written (${path}). Nothing was changed. Free some disk space, then try again.`,
  ],
  [
    /readonly database|unable to open database file|read-only/i,
    "read-only",
    (path) => `You may not write to ${path} or its folder. Give yourself write permission, then try again.`,
  ],
  [
    /database is locked|database table is locked/i,
    "busy",
    (path) =>
      `Another process has been writing to ${path} for too long. Try again; if that fails too, look for a planwright process that hangs.`,
  ],
];

export const damaged = (path: string, what: string): Failure => ({
  kind: "refused",
  reason: "not-a-plan",
  message: `${path} cannot be used: ${what}. It was not changed. Restore a backup, or move it aside and start a new plan.`,
  next: [step("backup.list")],
});

/** The fault behind a database error, or the error itself. */
export function faultOf(error: unknown, path: string): unknown {
  if (error instanceof StoreFault || !(error instanceof Error)) return error;
  if ((error as { errcode?: unknown }).errcode === SHORT_READ) {
    return new StoreFault(damaged(path, "its end is missing"), error);
  }
  if (DAMAGED.test(error.message)) return new StoreFault(damaged(path, "it is damaged, or not a plan"), error);
  const [, reason, message] = REFUSALS.find(([pattern]) => pattern.test(error.message)) ?? [];
  return reason && message ? new StoreFault({ kind: "refused", reason, message: message(path) }, error) : error;
}
