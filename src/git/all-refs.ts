// Every ref with its commit, read from files as `git for-each-ref` would: an engine looks often, and a process takes
// longer than the few files that there are.

import { type Dirent, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isCommit } from "./repository.js";

/**
 * Undefined where refs are kept in another way. Those that lead nowhere are left out. It throws where it cannot look: what
 * is there must not seem to be gone.
 */
export function readAllRefs(commonDir: string): Map<string, string> | undefined {
  if (existsSync(join(commonDir, "reftable"))) return undefined;
  // In this order: what is packed meanwhile is found at least once.
  const loose = [...looseRefs(commonDir, "refs")];
  const values = new Map([...packedRefs(commonDir), ...loose]);
  const refs = new Map<string, string>();
  for (const [ref, value] of values) {
    const commit = follow(values, value);
    if (commit !== undefined) refs.set(ref, commit);
  }
  return refs;
}

function* looseRefs(commonDir: string, folder: string): Generator<[string, string]> {
  for (const entry of entriesOf(join(commonDir, folder))) {
    const ref = `${folder}/${entry.name}`;
    if (entry.isDirectory()) yield* looseRefs(commonDir, ref);
    else if (!ref.endsWith(".lock")) {
      const value = orGone(() => readFileSync(`${commonDir}/${ref}`, "utf8"));
      if (value !== undefined) yield [ref, value.trim()];
    }
  }
}

/** Git takes a folder away with its last ref, but never the one above all. */
function entriesOf(folder: string): Dirent[] {
  const read = (): Dirent[] => readdirSync(folder, { withFileTypes: true });
  return folder.endsWith("/refs") ? read() : (orGone(read) ?? []);
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
  const lines = (existsSync(file) ? (orGone(() => readFileSync(file, "utf8")) ?? "") : "").split("\n");
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
