// What went wrong inside a hook. The host must not notice, so it is kept where you can look: the newest lines, in your state folder.

import { mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readPlainFile } from "../../base/plain-file.js";
import { stateFolder } from "../../config/state-folder.js";
import type { Environment } from "../../machine/process/environment.js";
import type { Failure } from "../../model/result.js";

const MOST_BYTES = 200_000;

/** A folder without a plan is no problem: the same hooks serve every project. */
const EXPECTED: ReadonlySet<string> = new Set(["no-plan", "no-workspace"]);

const hookLog = (env: Environment): string => join(stateFolder(env), "hooks.log");

export function logHookFailure(env: Environment, { reason, message, details }: Failure): void {
  if (EXPECTED.has(reason)) return;
  try {
    const path = hookLog(env);
    mkdirSync(stateFolder(env), { recursive: true });
    const stack = typeof details?.["stack"] === "string" ? details["stack"] : undefined;
    const line = JSON.stringify({ at: new Date().toISOString(), reason, message, ...(stack && { stack }) });
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    const before = size === 0 ? "" : readPlainFile(path);
    const kept = size > MOST_BYTES ? before.slice(-MOST_BYTES / 2).replace(/^[^\n]*\n/, "") : before;
    writeFileSync(path, `${kept}${line}\n`);
  } catch {
    // There is nowhere left to say it.
  }
}
