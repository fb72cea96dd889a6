// Checks the merged tree in its own worktree: runs every check of the feature's tasks once, and measures every requirement
// that has a command. It does not touch main.

import { activeRecords } from "../../actions/record/active-records.js";
import { type CheckSettings, runCheck, runChecks } from "../../checks/run-checks.js";
import { addWorktree, removeWorktree, resetWorktree } from "../../git/worktree.js";
import { hasFailed } from "../../graph/attempt/proof.js";
import { type KeyedRecord, type Measure, measureText } from "../../graph/item/record.js";
import { step } from "../../graph/next-step.js";
import type { CheckResult } from "../../graph/node/node.js";
import { ok, type Result, refused } from "../../graph/result.js";
import { setUpWorktree } from "../../worktrees/carry.js";
import { attemptEnvironment } from "../../worktrees/environment.js";
import { sandboxIn, slotFolder } from "../attempt/attempt-worktree.js";
import type { EngineServices } from "../engine/services.js";
import { approvedBaselines } from "../judgement/attempt-checks.js";
import { runLandingHooks } from "./landing-hooks.js";
import { checksOf, type LandingPlan } from "./landing-plan.js";
import type { Merging } from "./merge.js";

export interface LandingSlot {
  readonly slot: number;
  /** The attempt's key, or a word for a dry run. */
  readonly key: string;
  readonly signal: AbortSignal;
}

export interface TreeProof {
  readonly checks: readonly CheckResult[];
  readonly requirements: readonly CheckResult[];
}

/** The commit, and what main was before. What has landed already has no hooks to pass. */
type Proven = Pick<Merging, "commit"> & Partial<Pick<Merging, "from">>;

/** Refuses with what failed, unless everything is green. */
export async function proveTree(
  services: EngineServices,
  plan: LandingPlan,
  merging: Proven,
  stand: LandingSlot,
): Promise<Result<TreeProof>> {
  const { context, policy } = services;
  const { root } = context;
  const worktree = slotFolder(services, stand.slot);
  const made = await attemptEnvironment({
    slot: stand.slot,
    attempt: stand.key,
    task: plan.land.id,
    root,
    worktree,
    settings: policy,
    env: services.env,
  });
  if (!made.ok) return made;
  try {
    const laid = await layOut(root, worktree, merging.commit);
    if (!laid.ok) return laid;
    return await proveIn(services, plan, merging, { ...stand, worktree, env: made.value.variables });
  } finally {
    if (await hasSlot(services, stand)) await removeWorktree(root, worktree);
    await made.value.dispose();
  }
}

/** False if a program on another machine declared this landing lost: its slot may be in use again. */
async function hasSlot({ context }: EngineServices, { key, slot }: LandingSlot): Promise<boolean> {
  const item = await context.store.read((reader) => reader.item("attempt", key));
  return item === undefined || item.fields.slot === slot;
}

/** Makes a new worktree, so that no files of an earlier attempt influence the checks. */
async function layOut(root: string, worktree: string, commit: string): Promise<Result<void>> {
  await removeWorktree(root, worktree);
  const added = await addWorktree(root, worktree, commit);
  const exact = added.ok ? await resetWorktree(worktree, commit, { keep: [] }) : added;
  if (exact.ok) return ok(undefined);
  return refused("no-worktree", `The worktree ${worktree} could not be made: ${exact.problem}.`);
}

interface LandingWorktree extends LandingSlot {
  readonly worktree: string;
  readonly env: Readonly<Record<string, string>>;
}

async function proveIn(
  services: EngineServices,
  plan: LandingPlan,
  { from, commit }: Proven,
  { key, signal, worktree, env }: LandingWorktree,
): Promise<Result<TreeProof>> {
  const { context, policy, redact } = services;
  const { root } = context;
  const sandbox = await sandboxIn(services, worktree, env);
  if (!sandbox.ok) return sandbox;
  const { wrap } = sandbox.value;
  const usable = await setUpWorktree({ root, worktree, policy, env, wrap, redact, signal });
  if (!usable.ok) return usable;
  const settings: CheckSettings = {
    cwd: worktree,
    timeoutS: context.settings.checkTimeoutS,
    env,
    wrap,
    onFailure: policy.onFailedCheck,
    signal,
    redact,
    onStart: ({ run }) => services.onEvent({ type: "line", attempt: key, task: plan.land.id, line: `check: ${run}` }),
  };
  const excuse = await approvedBaselines(services, plan.feature.nr);
  const checks = await runChecks(checksOf(plan.tasks), { ...settings, excuse });
  const requirements = await measureAll(services, plan, settings);
  const tmp = env["PLANWRIGHT_TMP"] ?? worktree;
  const hooks = from === undefined ? ok([]) : await runLandingHooks(services, { from, commit }, { ...settings, tmp });
  return hooks.ok ? judge(plan, { checks: [...checks, ...hooks.value], requirements }) : hooks;
}

function judge({ feature }: LandingPlan, proof: TreeProof): Result<TreeProof> {
  const failed = [...proof.checks, ...proof.requirements].filter(hasFailed);
  const [first] = failed;
  if (!first) return ok(proof);
  const more = failed.length > 1 ? ` (and ${failed.length - 1} more)` : "";
  return refused(
    "check-failed",
    `On the main branch with ${feature.id} merged, ${first.run} failed: ${first.outcome}${more}. Nothing has landed.`,
    {
      next: [step("add", { parent: feature.id }, "title")],
      details: { failed, checks: proof.checks, requirements: proof.requirements },
    },
  );
}

async function measureAll(
  { context }: EngineServices,
  { feature }: LandingPlan,
  settings: CheckSettings,
): Promise<CheckResult[]> {
  const records: readonly KeyedRecord[] = await context.store.read((reader) => activeRecords(reader, feature.nr));
  const results: CheckResult[] = [];
  for (const { key, fields } of records) {
    const { measure } = fields;
    if (fields.kind === "requirement" && measure?.run)
      results.push(await measureOne(key, measure, measure.run, settings));
  }
  return results;
}

async function measureOne(key: string, measure: Measure, run: string, settings: CheckSettings): Promise<CheckResult> {
  const check = { run };
  settings.onStart?.(check);
  const { result, output } = await runCheck(check, settings);
  const named = { ...result, run: `${key} (${measureText(measure)}): ${run}` };
  if (!result.passed) return named;
  const value = lastNumber(output);
  if (value === null) return { ...named, passed: false, outcome: "its last line is not a number" };
  const passed = meets(value, measure);
  return {
    ...named,
    passed,
    outcome: `measured ${value}, ${passed ? "as required" : `required ${measureText(measure)}`}`,
  };
}

function lastNumber(output: string): number | null {
  const last = output.trim().split("\n").at(-1)?.trim() ?? "";
  return last !== "" && Number.isFinite(Number(last)) ? Number(last) : null;
}

const meets = (value: number, { op, target }: Measure): boolean =>
  ({
    "<": value < target,
    "<=": value <= target,
    "=": value === target,
    ">=": value >= target,
    ">": value > target,
  })[op];
