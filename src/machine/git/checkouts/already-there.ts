// Files of a checkout that already are what a commit will make of them. They are there when work was handed in from
// this checkout: they block nothing and stay as they are.

import { lstatSync } from "node:fs";
import { join } from "node:path";
import { type Entry, parseRaw, RAW } from "../diff.js";
import { gitOutput, linesOf } from "../git.js";

const FILE = "100644";
const PROGRAM = "100755";

/** `entries`: the way from the checked-out commit to the other one. */
export async function alreadyThere(path: string, entries: readonly Entry[]): Promise<Entry[]> {
  const same = [...entries.filter((entry) => isGone(path, entry)), ...(await withSameContent(path, entries))];
  if (same.length === 0) return [];
  const args = ["--no-optional-locks", "diff-index", "--cached", ...RAW, "HEAD", "--"];
  const staged = parseRaw(await gitOutput(path, args, `git cannot compare the index of ${path}`));
  const stagedAs = new Map(staged.map((entry) => [entry.path, entry]));
  // Something else that is staged would get lost.
  return same.filter((entry) => {
    const found = stagedAs.get(entry.path);
    return found === undefined || found.blob === entry.blob;
  });
}

const statOf = (path: string): ReturnType<typeof lstatSync> | undefined => {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
};

const isGone = (path: string, entry: Entry): boolean =>
  entry.status === "D" && statOf(join(path, entry.path)) === undefined;

async function withSameContent(path: string, entries: readonly Entry[]): Promise<Entry[]> {
  const files = entries.filter(({ status, mode, path: name }) => {
    const stat = status === "D" || name.includes("\n") ? undefined : statOf(join(path, name));
    if (!stat?.isFile()) return false;
    return mode === ((Number(stat.mode) & 0o100) === 0 ? FILE : PROGRAM);
  });
  if (files.length === 0) return [];
  const input = files.map((entry) => `${entry.path}\n`).join("");
  const hashes = linesOf(await gitOutput(path, ["hash-object", "--stdin-paths"], `git cannot read ${path}`, { input }));
  return files.filter(({ blob }, i) => hashes[i] === blob);
}
