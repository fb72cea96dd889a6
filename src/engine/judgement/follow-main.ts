// Brings a feature's branch up to date with main before a task begins: main is merged in memory, the checks of what is done in the
// feature run on the result, and only then the branch moves. Where that is not clean, the task begins without main, and you are asked.

import { runChecks } from "../../machine/checks/run-checks.js";
import { commitTree, mergeTrees, treeOf } from "../../machine/git/merge.js";
import { acceptedRef, moveRefs, shortName } from "../../machine/git/refs.js";
import type { Node } from "../../model/node/node.js";
import { MERGE_MAIN } from "../../model/node/profile.js";
import { ok } from "../../model/result.js";
import { checksToLand, tasksToLand } from "../../model/rules/to-land.js";
import { act } from "../../plan/base/context.js";
import { askToMergeMain } from "../../plan/question/merge-main-in.js";
import { mainCommitOf } from "../../plan/repository/main-branch.js";
import { containsMain, ensureFeatureBranch, type FeatureTip } from "../attempt/feature-branch.js";
import type { EngineServices } from "../services.js";
import { inCleanWorktree, rehearsalSlot } from "../worktree/clean-worktree.js";
import { approvedBaselines } from "./attempt-checks.js";
import { checkKey, resultsOn } from "./known-results.js";

/** `upTo`: a commit of main after which nothing counts as main's. */
export async function followMain(
  services: EngineServices,
  task: Node,
  signal: AbortSignal,
  upTo: string | null = null,
): Promise<FeatureTip> {
  const branch = await ensureFeatureBranch(services, task, upTo);
  const { context } = services;
  const { root, store } = context;
  const main = upTo ?? (await mainCommitOf(context));
  // A task that merges main begins with that merge.
  if (main === null || task.profile === MERGE_MAIN) return branch;
  if (await containsMain(store, root, branch.tip, main, branch.feature)) return branch;
  if (!(await mayFollow(services, task))) return branch;
  const problem = await tryToFollow(services, { task, branch, main }, signal);
  if (problem === null) return ensureFeatureBranch(services, task, upTo);
  await askAbout(services, task, `${problem} (main at ${main.slice(0, 10)})`);
  return branch;
}

/** What another feature landed is needed whatever the settings say. */
async function mayFollow({ context }: EngineServices, task: Node): Promise<boolean> {
  if ((await context.gitSettings()).follow === "clean") return true;
  const links = await context.store.read((reader) => reader.dependencies(task));
  return links.some(({ target }) => target.feature !== task.feature);
}

interface Following {
  readonly task: Node;
  readonly branch: FeatureTip;
  readonly main: string;
}

/** Null if the branch moved, here or by another program; otherwise why it cannot. */
async function tryToFollow(
  services: EngineServices,
  following: Following,
  signal: AbortSignal,
): Promise<string | null> {
  const { branch, main } = following;
  const { root } = services.context;
  const name = shortName(branch.feature);
  const merged = await mergeTrees(root, branch.tip, main);
  if ("conflicts" in merged) return `Main and ${name} change the same lines: ${merged.conflicts.join(", ")}.`;
  const message = `Merge main into ${name}\n`;
  const commit = await commitTree(root, merged.tree, [branch.tip, main], message);
  const failed = await failedChecks(services, following, commit, signal);
  if (failed !== null) return failed;
  await moveRefs(root, [
    { ref: branch.feature, from: branch.tip, to: commit },
    { ref: acceptedRef(branch.feature), to: commit },
  ]);
  return null;
}

/** The checks of what is done in the feature, on main and the feature together. Results are kept by tree. */
async function failedChecks(
  services: EngineServices,
  { task, branch }: Following,
  commit: string,
  signal: AbortSignal,
): Promise<string | null> {
  const { context } = services;
  const { feature } = task;
  const below = feature === null ? [] : await context.store.read((reader) => reader.descendants(feature));
  const checks = checksToLand(tasksToLand(below));
  if (checks.length === 0) return null;
  const excuse = await approvedBaselines(services, feature);
  const tree = await treeOf(context.root, commit);
  const results = await resultsOn(context.root, tree, checks, (missing) =>
    inCleanWorktree(services, { commit, task: task.id }, rehearsalSlot(signal), async (settings) =>
      ok(await runChecks(missing, { ...settings, excuse, onFailure: "continue" })),
    ),
  );
  signal.throwIfAborted();
  if (!results.ok) throw new Error(results.error.message);
  const failed = checks.filter((check) => results.value.get(checkKey(check))?.passed !== true);
  const words = failed.map(({ run }) => `\`${run}\``).join(", ");
  return failed.length === 0 ? null : `With main merged into ${shortName(branch.feature)}, ${words} failed.`;
}

async function askAbout({ context, onEvent }: EngineServices, { feature, id }: Node, why: string): Promise<void> {
  const asked = await act<boolean>(context, "attempt", async (writer, at) => {
    const node = feature === null ? undefined : await writer.node(feature);
    const changes = node ? await askToMergeMain(writer, node, why, { by: context.actor, at }) : [];
    const sentence = changes.length === 0 ? "" : `${context.actor} asked whether to merge main into ${node?.id}`;
    return ok({ sentence, changes, value: changes.length > 0 });
  });
  if (asked.ok && asked.value.value)
    onEvent({ type: "notice", text: `${id} begins without what is new on main: ${why}` });
}
