// Why a person has to look at work whose checks passed. Where the change touches files that judge it, such as tests, the checks run
// once more with these files as they were.

import type { ChangeScope } from "../../model/attempt/change-scope.js";
import { isTestFile } from "../../model/attempt/change-scope.js";
import { hasFailed, strengthOf } from "../../model/attempt/proof.js";
import type { CheckResult } from "../../model/node/node.js";
import type { LiveAttempt } from "../attempt/attempt-state.js";
import type { EngineServices } from "../services.js";
import type { AttemptWorktree } from "../worktree/attempt-worktree.js";
import { runOnMixedTree } from "../worktree/mixed-tree.js";
import { approvedBaselines, checkSettings } from "./attempt-checks.js";
import { outsideWords } from "./scope-change.js";

export interface Doubts {
  /** In full sentences. Empty if there is nothing to doubt. */
  readonly reasons: readonly string[];
  /** What the change did to its judge, as a verb phrase: `changed a test; with the old test the check fails`. */
  readonly judge: string | null;
  /** The checks, with a note where they passed also with the old files. */
  readonly checks: readonly CheckResult[];
}

export async function doubtsAbout(
  services: EngineServices,
  live: LiveAttempt,
  tree: AttemptWorktree,
  change: ChangeScope & { readonly tip: string; readonly checks: readonly CheckResult[] },
  signal: AbortSignal,
): Promise<Doubts> {
  const { proof, footprint } = services.policy;
  const { outside, protectedFiles } = change;
  const reasons: string[] = [];
  let { checks } = change;
  let judge: string | null = null;
  if (protectedFiles.length > 0) {
    const failed = await failedWithOld(services, live, tree, change, signal);
    // Without a footprint nothing says that these files are off limits, so it is enough that the work does not need the change.
    if (failed.length === 0 && live.task.files.length === 0) {
      checks = checks.map((check) => ({ ...check, restored: protectedFiles }));
    } else {
      judge = judgeWords(services, protectedFiles, failed.length);
      const what = failed.length === 0 ? "" : `: ${failed.join(", ")}`;
      reasons.push(`It ${judge}${what}. Changed: ${protectedFiles.join(", ")}.`);
    }
  }
  if (footprint === "ask" && outside.length > 0) reasons.push(outsideWords(outside));
  const flaky = checks.filter((check) => check.flaky === true).map(({ run }) => run);
  if (flaky.length > 0 && proof !== "off") reasons.push(`${flaky.join(", ")} failed and passed on the same tree.`);
  const isWeak = proof === "require" && live.task.checks.length > 0 && strengthOf(checks) !== "strong";
  if (isWeak) reasons.push("The proof is weak: no check fails without the change.");
  return { reasons, judge, checks };
}

function judgeWords({ policy }: EngineServices, files: readonly string[], failed: number): string {
  const noun = files.every((path) => isTestFile(path, policy)) ? "test" : "file";
  const kind = noun === "test" ? "test" : "protected file";
  const changed = files.length === 1 ? `a ${kind}` : `${files.length} ${kind}s`;
  const old = files.length === 1 ? `the old ${noun}` : `the old ${noun}s`;
  const result = failed === 0 ? "the checks pass" : failed === 1 ? "the check fails" : `${failed} checks fail`;
  return `changed ${changed}; with ${old} ${result}`;
}

/** What fails with the protected files as they were, in words. */
async function failedWithOld(
  services: EngineServices,
  live: LiveAttempt,
  tree: AttemptWorktree,
  { tip, protectedFiles }: Pick<ChangeScope, "protectedFiles"> & { readonly tip: string },
  signal: AbortSignal,
): Promise<string[]> {
  const mixed = { commit: tip, files: { from: tree.base, paths: protectedFiles } };
  const excuse = await approvedBaselines(services, live.task.feature);
  const settings = { ...checkSettings(services, live, tree, signal), onFailure: "continue" as const, excuse };
  const results = await runOnMixedTree(tree, mixed, live.task.checks, settings);
  // Then nothing shows that the work passes without its change of the judge.
  if (results === null) return ["git could not put the old files back"];
  return results.filter(hasFailed).map(({ run, outcome }) => `${run} (${outcome})`);
}
