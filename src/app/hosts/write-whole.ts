// Writes a file whole or not at all, with the rights that it had. A link stays a link, and its target is written.

import { randomUUID } from "node:crypto";
import { realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";

const MODE = 0o777;

export function writeWhole(path: string, text: string, mode?: number): void {
  const target = targetOf(path);
  const rights = statSync(target, { throwIfNoEntry: false })?.mode ?? mode;
  const fresh = `${target}.${randomUUID()}`;
  try {
    writeFileSync(fresh, text, { flag: "wx", ...(rights === undefined ? {} : { mode: rights & MODE }) });
    renameSync(fresh, target);
  } finally {
    rmSync(fresh, { force: true });
  }
}

function targetOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
