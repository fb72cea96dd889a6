// How strong the proof of a change is: the same checks run without the change. Where the change has tests, only they are put onto
// the base, and the checks should fail there; otherwise the checks run on the base as it was.

import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readPlainFile } from "../../base/plain-file.js";
import { type CheckSettings, wasNotRun } from "../../machine/checks/run-checks.js";
import { treeOf } from "../../machine/git/merge.js";
import { isTestFile } from "../../model/attempt/change-scope.js";
import type { Check, CheckBefore, CheckResult } from "../../model/node/node.js";
import { sha256 } from "../../store/sha256.js";
import type { LiveAttempt } from "../attempt/attempt-state.js";
import type { EngineServices } from "../services.js";
import type { Trial } from "../worktree/attempt-worktree.js";
import { runOnMixedTree } from "../worktree/clean-worktree.js";
import { checkSettings } from "./attempt-checks.js";
import type { CommittedChange } from "./doubts.js";

/** Marks a check that is known to fail on the same tree, and remembers the results. */
export function markFlaky(
  { context }: EngineServices,
  { task }: LiveAttempt,
  tree: string,
  checks: readonly CheckResult[],
): CheckResult[] {
  const known = new KnownResults(context.root);
  return checks.map((result, i) => {
    const check = task.checks[i] as Check;
    if (!isConclusive(result)) return result;
    const flaky = result.passed && known.find(tree, check)?.passed === false;
    known.keep(tree, check, result);
    return flaky ? { ...result, flaky } : result;
  });
}

/** A check that was stopped or took too long says nothing about the tree. */
export const isConclusive = (result: CheckResult): boolean =>
  !wasNotRun(result) && !/^(timed out|was canceled|ended by|could not be started)/.test(result.outcome);

export async function proveChange(
  trial: Trial,
  { commit: tip, changes }: CommittedChange,
  checks: readonly CheckResult[],
): Promise<CheckResult[]> {
  const { services, live, tree } = trial;
  const { checks: asked } = live.task;
  if (services.policy.proof === "off") return [...checks];
  const tests = [...changes.created, ...changes.modified].filter((path) => isTestFile(path, services.policy));
  const others = [...changes.created, ...changes.modified, ...changes.deleted].length - tests.length;
  const settings = { ...checkSettings(trial), onFailure: "continue" as const };
  // A change that is nothing but tests has no work that they could miss.
  const before =
    tests.length > 0 && others > 0
      ? (await runOnMixedTree(tree, tree.base, { from: tip, paths: tests }, asked, settings))?.map(toBefore("tests"))
      : await onBase(trial, settings);
  return checks.map((result, i) => (before?.[i] ? { ...result, before: before[i] } : result));
}

const toBefore =
  (on: CheckBefore["on"]) =>
  (result: CheckResult): CheckBefore | null =>
    isConclusive(result) ? { on, passed: result.passed, outcome: result.outcome } : null;

async function onBase({ services, live, tree }: Trial, settings: CheckSettings): Promise<(CheckBefore | null)[]> {
  const { checks } = live.task;
  const known = new KnownResults(services.context.root);
  const baseTree = await treeOf(tree.root, tree.base);
  const found = checks.map((check) => known.find(baseTree, check));
  const missing = checks.filter((_, i) => found[i] === undefined);
  const ran = missing.length === 0 ? [] : await runOnMixedTree(tree, tree.base, null, missing, settings);
  const results = new Map(missing.map((check, i) => [check, ran?.[i]]));
  return checks.map((check, i) => {
    const earlier = found[i];
    if (earlier) return { on: "base" as const, ...earlier };
    const result = results.get(check);
    if (!result) return null;
    if (isConclusive(result)) known.keep(baseTree, check, result);
    return toBefore("base")(result);
  });
}

type KnownResult = Pick<CheckResult, "passed" | "outcome">;

const RESULTS_KEPT = 4000;

export class KnownResults {
  readonly #folder: string;

  constructor(root: string) {
    this.#folder = join(root, ".planwright", "check-results");
  }

  #file(tree: string, check: Check): string {
    return join(this.#folder, `${sha256(`${tree}\n${JSON.stringify(check)}`)}.json`);
  }

  find(tree: string, check: Check): KnownResult | undefined {
    try {
      const { passed, outcome } = JSON.parse(readPlainFile(this.#file(tree, check))) as KnownResult;
      return typeof passed === "boolean" && typeof outcome === "string" ? { passed, outcome } : undefined;
    } catch {
      return undefined;
    }
  }

  /** A failure stays known: a check that passes later on the same tree is flaky. */
  keep(tree: string, check: Check, { passed, outcome }: KnownResult): void {
    const file = this.#file(tree, check);
    if (this.find(tree, check)?.passed === false) return;
    try {
      mkdirSync(this.#folder, { recursive: true });
      writeFileSync(`${file}.${process.pid}`, JSON.stringify({ passed, outcome }));
      renameSync(`${file}.${process.pid}`, file);
      this.#prune();
    } catch {
      // A full disk: it will run again.
    }
  }

  #prune(): void {
    const names = readdirSync(this.#folder);
    if (names.length <= RESULTS_KEPT) return;
    const age = (name: string): number => statSync(join(this.#folder, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
    const oldest = names.map((name) => ({ name, at: age(name) })).sort((a, b) => a.at - b.at);
    for (const { name } of oldest.slice(0, names.length - RESULTS_KEPT / 2))
      rmSync(join(this.#folder, name), { force: true });
  }
}
