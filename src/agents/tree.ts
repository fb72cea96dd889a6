// Whether a working tree changed while an agent that may only read was in it. Flags and permission requests are
// promises of the agent; this looks.

import { stat } from "node:fs/promises";
import { join } from "node:path";
import { run } from "../process/run.js";

/** Each path that differs from the last commit, and what about it would differ if it were written again. */
export type TreeState = ReadonlyMap<string, string>;

const TIMEOUT_MS = 30_000;
const KEEP = 20_000_000;

async function fingerprint(file: string): Promise<string> {
  try {
    const { mtimeMs, size, mode } = await stat(file);
    return `${mtimeMs} ${size} ${mode}`;
  } catch {
    return "absent";
  }
}

/** Undefined where there is no git repository to ask. Ignored files are not looked at. */
export async function treeState(cwd: string, env: Readonly<Record<string, string>>): Promise<TreeState | undefined> {
  // A status that refreshes the index would be a change of ours.
  const quiet = { ...env, GIT_OPTIONAL_LOCKS: "0", LC_ALL: "C" };
  const git = async (...args: string[]): Promise<string | undefined> => {
    const asked = await run({ command: "git", args, cwd, env: quiet, timeoutMs: TIMEOUT_MS, keep: KEEP });
    return asked.exitCode === 0 ? asked.stdout : undefined;
  };
  const root = TOPS.get(cwd) ?? (await git("rev-parse", "--show-toplevel"))?.trimEnd();
  if (root === undefined) return undefined;
  const status = await git("status", "--porcelain=v2", "--branch", "-z", "--untracked-files=all", "--no-renames");
  if (status === undefined) return undefined;
  TOPS.set(cwd, root);
  const state = new Map<string, string>();
  for (const line of status.split("\0").filter((entry) => entry !== "")) {
    // Changed entries have eight fields before the path, unmerged ones ten, untracked ones one.
    const fields = line.startsWith("1 ") ? 8 : line.startsWith("u ") ? 10 : line.startsWith("? ") ? 1 : 0;
    const path = line.split(" ").slice(fields).join(" ");
    if (fields === 0) state.set(line, "");
    else state.set(path, `${line} ${await fingerprint(join(root, path))}`);
  }
  return state;
}

/** The top folder of the repository around each folder, asked once: starting a process costs more than looking. */
const TOPS = new Map<string, string>();

/** What differs between two looks, in the order of the paths; empty if either could not look. */
export function treeChanges(before: TreeState | undefined, after: TreeState | undefined): readonly string[] {
  if (before === undefined || after === undefined) return [];
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => before.get(name) !== after.get(name)).sort();
}
