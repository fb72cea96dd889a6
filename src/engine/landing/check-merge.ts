// Checks the merged tree in its own worktree: runs every check of the feature's tasks once, and measures every requirement
// that has a command. It does not touch main.

import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type CheckSettings, runCheck, runChecks } from "../../machine/checks/run-checks.js";
import { git, gitOutput, problemOf, succeeded } from "../../machine/git/git.js";
import { lendRepository } from "../../machine/git/lend.js";
import { secondParentOf } from "../../machine/git/merge.js";
import { type CommitHook, findHooks } from "../../machine/git/user-config.js";
import { requireWorkingTree } from "../../machine/git/working-tree.js";
import { hasFailed } from "../../model/attempt/proof-strength.js";
import { type Measure, measureText } from "../../model/item/record.js";
import { step } from "../../model/next-step.js";
import type { CheckResult } from "../../model/node/node.js";
import { ok, type Result, refused } from "../../model/result.js";
import { checksToLand } from "../../model/rules/to-land.js";
import { activeRecords } from "../../plan/record/save-record.js";
import { approvedBaselines } from "../judgement/attempt-checks.js";
import type { EngineServices } from "../services.js";
import { inCleanWorktree, type WorktreeSlot } from "../worktree/clean-worktree.js";
import type { LandingPlan, ToLand } from "./landing-plan.js";
import type { Merging } from "./merge.js";

export interface TreeProof {
  readonly checks: readonly CheckResult[];
  readonly requirements: readonly CheckResult[];
}

/** The commit, and what main was before. What has landed already has no hooks to pass. */
type CommitToProve = Pick<Merging, "commit"> & Partial<Pick<Merging, "from">>;

export const proveTree = (to: ToLand, merging: CommitToProve, stand: WorktreeSlot): Promise<Result<TreeProof>> =>
  inCleanWorktree(to.services, { commit: merging.commit, task: to.plan.land.id }, stand, (settings) =>
    proveIn(to, merging, settings),
  );

async function proveIn(
  to: ToLand,
  { from, commit }: CommitToProve,
  settings: CheckSettings,
): Promise<Result<TreeProof>> {
  const { services, plan } = to;
  const excuse = await approvedBaselines(services, plan.feature.nr);
  const told = { type: "landing", feature: plan.feature.id, line: "checks" } as const;
  const watched: CheckSettings = {
    ...settings,
    onStart: (check) => {
      settings.onStart?.(check);
      services.onEvent({ ...told, state: "begun", check: check.run });
    },
  };
  const checks = await runChecks(checksToLand(plan.tasks), { ...watched, excuse });
  const requirements = await measureAll(to, watched);
  const tmp = settings.env?.["PLANWRIGHT_TMP"] ?? settings.cwd;
  const hooks = from === undefined ? ok([]) : await runLandingHooks(services, { from, commit }, { ...settings, tmp });
  if (!hooks.ok) return hooks;
  const judged = judge(plan, { checks: [...checks, ...hooks.value], requirements });
  if (judged.ok) services.onEvent({ ...told, state: "proven", check: null });
  return judged;
}

function judge({ feature }: LandingPlan, proof: TreeProof): Result<TreeProof> {
  const failed = [...proof.checks, ...proof.requirements].filter(hasFailed);
  const [first] = failed;
  if (!first) return ok(proof);
  const more = failed.length > 1 ? ` (and ${failed.length - 1} more)` : "";
  const message = `On the main branch with ${feature.id} merged, ${first.run} failed: ${first.outcome}${more}. Nothing has landed.`;
  return refused("check-failed", message, {
    next: [step("add", { parent: feature.id }, "title")],
    details: { failed, checks: proof.checks, requirements: proof.requirements },
  });
}

async function measureAll({ services, plan }: ToLand, settings: CheckSettings): Promise<CheckResult[]> {
  const { store } = services.context;
  const records = await store.read((reader) => activeRecords(reader, plan.feature.nr));
  const results: CheckResult[] = [];
  for (const { key, fields } of records) {
    const { measure } = fields;
    if (fields.kind !== "requirement" || !measure?.run) continue;
    results.push(await measureOne(key, measure, measure.run, settings));
  }
  return results;
}

async function measureOne(key: string, measure: Measure, run: string, settings: CheckSettings): Promise<CheckResult> {
  const check = { run };
  settings.onStart?.(check);
  const { result, output } = await runCheck(check, settings);
  const wanted = measureText(measure);
  const named = { ...result, run: `${key} (${wanted}): ${run}` };
  if (!result.passed) return named;
  const value = lastNumber(output);
  if (value === null) return { ...named, passed: false, outcome: "its last line is not a number" };
  const passed = meets(value, measure);
  return { ...named, passed, outcome: `measured ${value}, ${passed ? "as required" : `required ${wanted}`}` };
}

function lastNumber(output: string): number | null {
  const last = output.trim().split("\n").at(-1)?.trim() ?? "";
  return last !== "" && Number.isFinite(Number(last)) ? Number(last) : null;
}

function meets(value: number, { op, target }: Measure): boolean {
  if (value === target) return op.includes("=");
  return value < target ? op.startsWith("<") : op.startsWith(">");
}

async function runLandingHooks(
  { context }: EngineServices,
  { from, commit }: Pick<Merging, "from" | "commit">,
  settings: CheckSettings & { readonly tmp: string },
): Promise<Result<CheckResult[]>> {
  const { root } = context;
  if ((await context.gitSettings()).hooks === "skip") return ok([]);
  const { folder, names, inProject } = await findHooks(root);
  const isMerge = (await secondParentOf(root, commit)) !== null;
  const wanted: readonly CommitHook[] = [isMerge ? "pre-merge-commit" : "pre-commit", "commit-msg"];
  const hooks = wanted.filter((name) => names.includes(name));
  if (hooks.length === 0) return ok([]);
  if (inProject !== null) {
    const same = await git(root, ["diff", "--quiet", from, commit, "--", inProject]);
    if (!succeeded(same)) return changedHooks(inProject);
  }
  // Hooks find what the ones before them left, as in a commit of your own.
  const own: CheckSettings = { ...settings, putBack: async () => [] };
  const { cwd, tmp } = settings;
  const { gitDir } = requireWorkingTree(cwd);
  const staged = await git(cwd, ["reset", "--soft", from], { gitDir });
  if (!succeeded(staged)) throw new Error(`the change could not be staged for the hooks: ${problemOf(staged)}`);
  await lendRepository(cwd, { commit: from, branch: null, name: "planwright" });
  const message = join(tmp, "COMMIT_EDITMSG");
  await writeFile(message, await gitOutput(root, ["log", "-1", "--format=%B", commit], "git cannot read the message"));
  const place = inProject === null ? await bringHooks(folder, tmp) : join(cwd, inProject);
  const results: CheckResult[] = [];
  for (const name of hooks) {
    const words = [join(place, name), ...(name === "commit-msg" ? [message] : [])];
    const [result] = await runChecks([{ run: words.map(quoted).join(" ") }], own);
    if (result) results.push({ ...result, run: `the hook ${name}` });
  }
  return ok(results);
}

/** In a sandbox your own folder is not there. */
async function bringHooks(folder: string, tmp: string): Promise<string> {
  const place = join(tmp, "hooks");
  await cp(folder, place, { recursive: true });
  return place;
}

const quoted = (word: string): string => `'${word.replaceAll("'", String.raw`'\''`)}'`;

/** A worker may have written them. */
function changedHooks(folder: string): Result<never> {
  const message = `The feature changes hooks in ${folder}, and Planwright never runs hooks that work has changed. Review them, and set git.hooks to skip for this landing.`;
  return refused("hooks-changed", message, {
    next: [step("config.set", { key: "git.hooks", value: "skip" })],
    details: { folder },
  });
}
