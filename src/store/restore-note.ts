// Lies beside the plan while a backup takes its place, until everything that knows the plan's end knows the new one. If the
// program is killed in between, the next one that opens the plan goes on.

import { existsSync, rmSync, writeFileSync } from "node:fs";
import { readPlainFile } from "../base/plain-file.js";
import type { LogLink } from "./store.js";

/** The files of a plan, the main one last. */
export const PARTS = ["-wal", "-shm", ""] as const;

export const removeParts = (path: string): void => {
  for (const part of PARTS) rmSync(path + part, { force: true });
};

/** What will take the plan's place. */
export const copyFile = (path: string): string => `${path}.restoring`;

const noteFile = (path: string): string => `${path}-restoring`;

export const noteRestore = (path: string, head: LogLink): void =>
  writeFileSync(noteFile(path), JSON.stringify(head), { mode: 0o600 });

export const isRestoreOpen = (path: string): boolean => existsSync(noteFile(path)) || existsSync(copyFile(path));

/** The end of the plan that was taking the place; null if it was killed before that. */
export function readRestoreNote(path: string): LogLink | null {
  try {
    return JSON.parse(readPlainFile(noteFile(path))) as LogLink;
  } catch {
    return null;
  }
}

/** Only while the plan is open: then nobody is restoring another one. */
export function endRestore(path: string): void {
  removeParts(copyFile(path));
  rmSync(noteFile(path), { force: true });
}
