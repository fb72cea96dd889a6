// Who started the plan of a workspace, as far as this machine has seen it: kept in your settings folder, because a program that
// rewrites the plan's file could put another person there. Like the list of known hosts of ssh, it trusts the first it sees.

import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isInside } from "../base/paths.js";
import { findPlainFile } from "../base/plain-file.js";
import type { Environment } from "../machine/process/environment.js";
import { configFolder } from "./person.js";
import { workspaceName } from "./state-folder.js";

/** Undefined if there is no settings folder outside of the workspace. */
export function firstPersonFile(root: string, env: Environment): string | undefined {
  const folder = configFolder(env);
  return folder === undefined || isInside(folder, root) ? undefined : join(folder, "plans", workspaceName(root));
}

/** Undefined if this machine has not seen the plan yet. */
export function readFirstPerson(root: string, env: Environment): string | undefined {
  const file = firstPersonFile(root, env);
  return /^[0-9a-f]{16}$/m.exec((file && findPlainFile(file)) ?? "")?.[0];
}

/** Where the folder cannot be written to, every time is the first. */
export function noteFirstPerson(root: string, env: Environment, id: string): void {
  const file = firstPersonFile(root, env);
  if (file === undefined) return;
  const fresh = `${file}.${process.pid}`;
  try {
    mkdirSync(join(file, ".."), { recursive: true, mode: 0o700 });
    writeFileSync(fresh, `${id}\n`, { mode: 0o600 });
    renameSync(fresh, file);
  } catch {
    rmSync(fresh, { force: true });
  }
}
