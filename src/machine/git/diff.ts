// Differences between commits: as git lists them for programs, and as people read them.

import { gitOutput } from "./git.js";

export interface Entry {
  readonly path: string;
  /** A: added, M: modified, T: changed its type, D: deleted. */
  readonly status: string;
  readonly mode: string;
  readonly blob: string;
}

/** The commits of submodules count, what lies in them does not. */
export const RAW = ["--raw", "-z", "--no-renames", "--no-abbrev", "--ignore-submodules=dirty"];

/** Reads `:100644 100644 <blob> <blob> M`, then the path, each ended by a zero byte. */
export function parseRaw(output: string): Entry[] {
  const parts = output.split("\0");
  const entries: Entry[] = [];
  for (let i = 0; i + 1 < parts.length; i += 2) {
    const [, mode = "", , blob = "", status = ""] = (parts[i] ?? "").split(" ");
    entries.push({ path: parts[i + 1] ?? "", status, mode, blob });
  }
  return entries;
}

/** Cut after `limit` characters. `whole` is false if it was cut. */
export async function diffText(
  cwd: string,
  from: string,
  to: string,
  limit: number,
): Promise<{ readonly text: string; readonly whole: boolean }> {
  const args = ["diff", "--no-color", "--end-of-options", from, to, "--"];
  const text = await gitOutput(cwd, args, `git cannot compare ${from} and ${to}`);
  return { text: text.slice(0, limit), whole: text.length <= limit };
}
