// Results of checks, kept by tree: a check that ran on a tree need not run there again. A failure stays known, so that a check which
// passes later on the same tree is flaky.

import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readPlainFile } from "../../base/plain-file.js";
import { wasNotRun } from "../../machine/checks/run-checks.js";
import type { Check, CheckResult } from "../../model/node/node.js";
import { ok, type Result } from "../../model/result.js";
import { sha256 } from "../../store/sha256.js";

export type KnownResult = Pick<CheckResult, "passed" | "outcome">;

/** A check that was stopped or took too long says nothing about the tree. */
export const isConclusive = (result: CheckResult): boolean =>
  !wasNotRun(result) && !/^(timed out|was canceled|ended by|could not be started)/.test(result.outcome);

export const checkKey = (check: Check): string => JSON.stringify(check);

/** The conclusive results, by `checkKey`. `run` gets only the checks whose result on the tree is not known. */
export async function resultsOn(
  root: string,
  tree: string,
  checks: readonly Check[],
  run: (missing: readonly Check[]) => Promise<Result<readonly CheckResult[]>>,
): Promise<Result<ReadonlyMap<string, KnownResult>>> {
  const results = new Map<string, KnownResult>();
  const missing = new Map<string, Check>();
  for (const check of checks) {
    const found = findResult(root, tree, check);
    if (found) results.set(checkKey(check), found);
    else missing.set(checkKey(check), check);
  }
  if (missing.size === 0) return ok(results);
  const ran = await run([...missing.values()]);
  if (!ran.ok) return ran;
  for (const [i, [key, check]] of [...missing].entries()) {
    const result = ran.value[i];
    if (!result || !isConclusive(result)) continue;
    keepResult(root, tree, check, result);
    results.set(key, { passed: result.passed, outcome: result.outcome });
  }
  return ok(results);
}

const folderOf = (root: string): string => join(root, ".planwright", "check-results");

const fileOf = (root: string, tree: string, check: Check): string =>
  join(folderOf(root), `${sha256(`${tree}\n${checkKey(check)}`)}.json`);

export function findResult(root: string, tree: string, check: Check): KnownResult | undefined {
  try {
    const { passed, outcome } = JSON.parse(readPlainFile(fileOf(root, tree, check))) as KnownResult;
    return typeof passed === "boolean" && typeof outcome === "string" ? { passed, outcome } : undefined;
  } catch {
    return undefined;
  }
}

export function keepResult(root: string, tree: string, check: Check, { passed, outcome }: KnownResult): void {
  const file = fileOf(root, tree, check);
  if (findResult(root, tree, check)?.passed === false) return;
  try {
    mkdirSync(folderOf(root), { recursive: true });
    writeFileSync(`${file}.${process.pid}`, JSON.stringify({ passed, outcome }));
    renameSync(`${file}.${process.pid}`, file);
    prune(folderOf(root));
  } catch {
    // A full disk: it will run again.
  }
}

const RESULTS_KEPT = 4000;

function prune(folder: string): void {
  const names = readdirSync(folder);
  if (names.length <= RESULTS_KEPT) return;
  const age = (name: string): number => statSync(join(folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const oldest = names.map((name) => ({ name, at: age(name) })).sort((a, b) => a.at - b.at);
  for (const { name } of oldest.slice(0, names.length - RESULTS_KEPT / 2)) rmSync(join(folder, name), { force: true });
}
