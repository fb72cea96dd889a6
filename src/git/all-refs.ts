// Every ref with its commit, read from files as `git for-each-ref` would: an engine looks often, and a process takes
// longer than the few files that there are.

import { type Dirent, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { readPlainFile } from "./plain-file.js";
import { isCommit } from "./repository.js";

/**
 * Undefined where refs are kept in another way, or as links: then git knows. Those that lead nowhere are left out. It
 * throws where it cannot look: what is there must not seem to be gone.
 */
export function readAllRefs(commonDir: string): Map<string, string> | undefined {
  if (existsSync(join(commonDir, "reftable"))) return undefined;
  // In this order: what is packed meanwhile is found at least once.
  const loose = new Map<string, string>();
  if (!addLoose(loose, commonDir, "refs")) return undefined;
  const values = new Map([...packedRefs(commonDir), ...loose]);
  const refs = new Map<string, string>();
  for (const [ref, value] of values) {
    const commit = follow(values, value);
    if (commit !== undefined) refs.set(ref, commit);
  }
  return refs;
}

/** False if there is something that is neither a file nor a folder. */
function addLoose(refs: Map<string, string>, commonDir: string, folder: string): boolean {
  for (const entry of entriesOf(commonDir, folder)) {
    const ref = `${folder}/${entry.name}`;
    if (entry.isDirectory()) {
      if (!addLoose(refs, commonDir, ref)) return false;
    } else if (!ref.endsWith(".lock")) {
      if (!entry.isFile()) return false;
      const value = orGone(() => readPlainFile(`${commonDir}/${ref}`));
      if (value !== undefined) refs.set(ref, value.trim());
    }
  }
  return true;
}

/** Git takes a folder away with its last ref, but never the one above all. */
function entriesOf(commonDir: string, folder: string): Dirent[] {
  const read = (): Dirent[] => readdirSync(join(commonDir, folder), { withFileTypes: true });
  return folder === "refs" ? read() : (orGone(read) ?? []);
}

function orGone<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

/** Each line a commit and a name; those with `^` say what a tag is of. */
function packedRefs(commonDir: string): [string, string][] {
  const file = join(commonDir, "packed-refs");
  const lines = (existsSync(file) ? (orGone(() => readPlainFile(file)) ?? "") : "").split("\n");
  return lines
    .filter((line) => /^[0-9a-f]/.test(line))
    .map((line) => [line.slice(line.indexOf(" ") + 1), line.slice(0, line.indexOf(" "))]);
}

function follow(values: ReadonlyMap<string, string>, start: string): string | undefined {
  let value: string | undefined = start;
  for (let hops = 0; value !== undefined && hops < 5; hops++) {
    if (isCommit(value)) return value;
    value = values.get(/^ref: (.+)$/.exec(value)?.[1] ?? "");
  }
  return undefined;
}
