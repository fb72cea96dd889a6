// Runs checks before any work, on the commit that the work will begin from. A check that is green there already can prove only that
// nothing broke. The results are kept, so that the proof of an attempt does not run them again.

import { append } from "../../base/append.js";
import { runChecks } from "../../machine/checks/run-checks.js";
import { treeOf } from "../../machine/git/merge.js";
import { featureBranch, readRef } from "../../machine/git/refs.js";
import { isPerson } from "../../model/actor.js";
import type { Node } from "../../model/node/node.js";
import { ok, type Result, type ValueOf } from "../../model/result.js";
import { isStale } from "../../model/status/stale-approval.js";
import { scopeOf } from "../../plan/base/resolve.js";
import { requireIntact } from "../../plan/node/require-intact.js";
import { mainCommitOf } from "../../plan/repository/main-branch.js";
import { requireRepository } from "../../plan/repository/require-repository.js";
import type { EngineServices } from "../services.js";
import { inCleanWorktree, rehearsalSlot } from "../worktree/clean-worktree.js";
import { checkKey, type KnownResult, resultsOn } from "./known-results.js";

export type BaseChecks = ValueOf<ReturnType<typeof checkBase>>;

/** Shows a person the commands of tasks that nobody approved, and asks whether they may run now. */
export type AllowUnapproved = (tasks: readonly Node[]) => Promise<boolean>;

export async function checkBase(
  services: EngineServices,
  reference: string | undefined,
  signal: AbortSignal,
  mayRun: AllowUnapproved = async () => false,
) {
  const { context } = services;
  const repository = await requireRepository(context);
  if (!repository.ok) return repository;
  const tasks = await openTasks(services, reference);
  if (!tasks.ok) return tasks;
  const { approved, others } = await byApproval(services, tasks.value);
  const isAllowed = others.length > 0 && isPerson(context.actor) && (await mayRun(others));
  // Nobody approved their commands as they are, nor said yes to them now.
  const skipped = isAllowed ? [] : others.map(({ id }) => id);
  /** `commit`: what it ran on. */
  const checks: (KnownResult & { task: string; run: string; commit: string })[] = [];
  for (const [commit, group] of await byBase(services, isAllowed ? tasks.value : approved)) {
    const task = group[0]?.id ?? "";
    const asked = group.flatMap((each) => each.checks);
    const tree = await treeOf(context.root, commit);
    const results = await resultsOn(context.root, tree, asked, (missing) =>
      inCleanWorktree(services, { commit, task }, rehearsalSlot(signal), async (settings) =>
        ok(await runChecks(missing, { ...settings, onFailure: "continue" })),
      ),
    );
    if (!results.ok) return results;
    for (const { id, checks: own } of group) {
      for (const check of own) {
        const result = results.value.get(checkKey(check));
        if (result) checks.push({ task: id, run: check.run, commit, ...result });
      }
    }
  }
  return ok({ checks, skipped });
}

/** Approved as they are now: neither an operation nor anybody who wrote into the plan's file changed them since. */
const byApproval = ({ context }: EngineServices, tasks: readonly Node[]) =>
  context.store.read(async (reader) => {
    const [approved, others]: [Node[], Node[]] = [[], []];
    for (const task of tasks) {
      const isApproved = task.approval !== null && !isStale(task) && (await requireIntact(reader, [task])).ok;
      (isApproved ? approved : others).push(task);
    }
    return { approved, others };
  });

const openTasks = ({ context }: EngineServices, reference: string | undefined): Promise<Result<Node[]>> =>
  context.store.read(async (reader) => {
    const scope = await scopeOf(reader, context, reference);
    if (!scope.ok) return scope;
    const found: Node[] = [];
    for await (const node of reader.scan()) {
      const isOpen = node.outcome === null && node.archive === null && !node.shelved && scope.value.has(node.nr);
      if (isOpen && node.tier === "task" && node.kind === "work" && node.checks.length > 0) found.push(node);
    }
    return ok(found);
  });

/** The tip of the feature's branch, or of main while there is none. */
async function byBase({ context }: EngineServices, tasks: readonly Node[]): Promise<Map<string, Node[]>> {
  const main = await mainCommitOf(context);
  const groups = new Map<string, Node[]>();
  for (const task of tasks) {
    const { feature } = task;
    const id = feature === null ? undefined : await context.store.read((reader) => reader.idOf(feature));
    const base = (id === undefined ? null : await readRef(context.root, featureBranch(id))) ?? main;
    if (base !== null) append(groups, base, task);
  }
  return groups;
}
