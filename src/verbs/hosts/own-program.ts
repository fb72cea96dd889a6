// How a host starts this program: by its name where the name leads to it, otherwise by its path.

import { accessSync, constants, realpathSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Environment } from "../../machine/process/environment.js";

const NAME = "planwright";

export function findInPath(name: string, env: Environment): string | undefined {
  const endings = process.platform === "win32" ? [".cmd", ".exe", ""] : [""];
  for (const folder of (env["PATH"] ?? env["Path"] ?? "").split(delimiter)) {
    for (const ending of endings) {
      const path = join(folder, `${name}${ending}`);
      if (folder !== "" && isRunnable(path)) return path;
    }
  }
  return undefined;
}

function isRunnable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

export interface OwnProgram {
  readonly words: readonly [string, ...string[]];
  readonly note: string | null;
}

export function ownProgram(env: Environment, running: readonly [string, ...string[]] | undefined): OwnProgram {
  const script = running?.[1];
  const inPath = findInPath(NAME, env);
  if (!running || script === undefined || (inPath !== undefined && isSameFile(inPath, script)))
    return { words: [NAME], note: null };
  return /[\\/]_npx[\\/]/.test(script) ? { words: [NAME], note: FROM_NPX } : { words: running, note: null };
}

const FROM_NPX =
  "planwright is not in your PATH, and npx keeps it only for a while. Install it with npm install -g planwright.";

function isSameFile(a: string, b: string): boolean {
  try {
    return realpathSync(a) === realpathSync(b);
  } catch {
    return false;
  }
}

/** Quotes words that a shell would split or change. */
export const shellCommand = (words: readonly string[]): string =>
  words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `"${word.replace(/(["\\$`])/g, "\\$1")}"`)).join(" ");

const CALL = /^planwright (?=hook )/;

/** A value of a settings file in which our commands are by name, with the commands as this program is started here. */
export function withProgram(value: unknown, program: Pick<OwnProgram, "words">): unknown {
  const { words } = program;
  const [command, ...args] = words;
  if (Array.isArray(value)) return value.map((each) => withProgram(each, program));
  if (typeof value === "string") return value.replace(CALL, () => `${shellCommand(words)} `);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => [key, withProgram(each, program)] as const);
  const object: Record<string, unknown> = Object.fromEntries(entries);
  if (object["command"] !== NAME) return object;
  return { ...object, command, args: [...args, ...((object["args"] as unknown[] | undefined) ?? [])] };
}
