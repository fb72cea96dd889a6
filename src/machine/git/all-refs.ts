// Reads every ref from files, as `git for-each-ref` would. An engine looks twice for each attempt, and starting git twice
// would take 4 ms of the 35 that an attempt costs.

import { type Dirent, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { codeOf } from "../../base/errors.js";
import { readPlainFile } from "../../base/plain-file.js";
import { isCommit } from "./repository.js";

/**
 * Undefined if refs are stored in another way or as symbolic links: then ask git. Leaves out refs that lead nowhere. Throws if
 * it cannot read them: a ref that exists must not seem to be gone.
 */
export function readAllRefs(commonDir: string): Map<string, string> | undefined {
  if (existsSync(join(commonDir, "reftable"))) return undefined;
  // Loose refs first: one that is packed meanwhile is then found in the packed ones.
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

/** False if it finds something that is neither a file nor a folder. */
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

/** Git removes a folder with its last ref, but never `refs` itself. */
function entriesOf(commonDir: string, folder: string): Dirent[] {
  const read = (): Dirent[] => readdirSync(join(commonDir, folder), { withFileTypes: true });
  return folder === "refs" ? read() : (orGone(read) ?? []);
}

function orGone<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
}

/** Each line has a commit and a name. Lines with `^` belong to tags. */
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
