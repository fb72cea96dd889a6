// The branch of a feature. It starts at main and moves with main while it has no work of its own; from then on `follow-main.ts` merges
// main in, behind the checks of that work.

import { commitTree, contains, mergeTrees } from "../../machine/git/merge.js";
import {
  acceptedRef,
  createRef,
  featureBranch,
  keptRef,
  moveRefs,
  readRef,
  shortName,
} from "../../machine/git/refs.js";
import type { Node, Nr } from "../../model/node/node.js";
import { commitsToLand } from "../../model/rules/to-land.js";
import { lostTipOf } from "../../plan/repository/lost-landings.js";
import { mainCommitOf } from "../../plan/repository/main-branch.js";
import type { Store } from "../../store/store.js";
import type { EngineEvent, EngineServices } from "../services.js";

export interface FeatureTip {
  /** The full name of the ref. */
  readonly feature: string;
  readonly tip: string;
}

/** Other processes may move the branch at the same time. */
const TRIES = 20;

export async function featureBranchOf({ context }: EngineServices, task: Node): Promise<string> {
  const id = await context.store.read(async (reader) =>
    task.feature === null ? undefined : reader.idOf(task.feature),
  );
  if (id === undefined) throw new Error(`${task.id} is in no feature, so there is no branch for its work`);
  return featureBranch(id);
}

/** The tip of the feature's branch if we know that it contains main, which saves git calls; otherwise null. */
export async function knownTip(services: EngineServices, task: Node): Promise<string | null> {
  if (task.feature === null) return null;
  const { root, store } = services.context;
  const feature = await featureBranchOf(services, task);
  const [main, tip] = [await mainCommitOf(services.context), await readRef(root, feature)];
  const kept = await readRef(root, acceptedRef(feature));
  return tip !== null && (kept === null || kept === tip) && (tip === main || held.get(store)?.get(feature) === main)
    ? tip
    : null;
}

/** `upTo`: a commit of main after which nothing counts as main's: somebody committed their own work there. */
export async function ensureFeatureBranch(
  services: EngineServices,
  task: Node,
  upTo: string | null = null,
): Promise<FeatureTip> {
  const { context } = services;
  const feature = await featureBranchOf(services, task);
  for (let tried = 0; tried < TRIES; tried++) {
    const main = upTo ?? (await mainCommitOf(context));
    if (main === null) throw new Error("the repository has no commit to begin from");
    const tip = await readRef(context.root, feature);
    const kept = task.feature === null ? null : await keptWork(services, task.feature, feature, tip);
    const known = await withKept(services, feature, tip, kept);
    const wanted = known === null ? main : await upToDate(services, feature, known, main);
    if (wanted === tip) return { feature, tip: wanted };
    const moved = await moveRefs(context.root, [{ ref: feature, from: tip, to: wanted }]);
    if (moved.ok && kept !== null) services.onEvent(backAgain(feature, wanted, tip !== null));
    if (moved.ok) return { feature, tip: wanted };
  }
  throw new Error(`${feature} could not be brought up to date`);
}

/**
 * Accepted work that the branch does not hold, because somebody deleted it or moved it to another commit: null if it holds all,
 * or if all of that work has been reset since.
 */
async function keptWork({ context }: EngineServices, feature: Nr, branch: string, tip: string | null) {
  const { root, store } = context;
  const kept = await readRef(root, acceptedRef(branch));
  if (kept === null || kept === tip || (tip !== null && (await contains(root, tip, kept)))) return null;
  const commits = commitsToLand(await store.read((reader) => reader.descendants(feature)));
  for (const commit of commits.keys()) if (await contains(root, kept, commit)) return kept;
  return null;
}

/** The branch with the accepted work that it lacks. If they conflict it stays as it is, and a ref keeps the work. */
async function withKept({ context }: EngineServices, branch: string, tip: string | null, kept: string | null) {
  const { root } = context;
  if (tip === null || kept === null) return tip ?? kept;
  const merged = await mergeTrees(root, tip, kept);
  if ("tree" in merged) return commitTree(root, merged.tree, [tip, kept], "Bring accepted work back\n");
  await createRef(root, keptRef(`${shortName(branch)}-${kept.slice(0, 10)}`), kept);
  return tip;
}

const backAgain = (branch: string, tip: string, wasMoved = false): EngineEvent => ({
  type: "notice",
  text: wasMoved
    ? `${shortName(branch)} was moved away from accepted work. That work is back, at ${tip.slice(0, 10)}.`
    : `${shortName(branch)} was deleted. It is back, at ${tip.slice(0, 10)}.`,
});

/** A branch that was deleted or moved away from accepted work, or whose landing the main branch no longer holds. */
export async function restoreBranch(services: EngineServices, feature: Node): Promise<void> {
  const { context, onEvent } = services;
  const { root, store } = context;
  const branch = featureBranch(feature.id);
  const tip = await readRef(root, branch);
  const accepted = tip === null ? await readRef(root, acceptedRef(branch)) : null;
  const lost =
    tip === null && accepted === null ? await store.read((reader) => lostTipOf(reader, context, feature)) : null;
  const kept = accepted ?? lost ?? (tip === null ? null : await keptWork(services, feature.nr, branch, tip));
  const wanted = await withKept(services, branch, tip, kept);
  if (wanted === null || wanted === tip) return;
  const moved = await moveRefs(root, [{ ref: branch, from: tip, to: wanted }]);
  if (moved.ok) onEvent(backAgain(branch, wanted, tip !== null));
}

/** Maps each branch to the main commit that it contains. A branch only grows, so this stays true. */
const held = new WeakMap<Store, Map<string, string>>();

/** Asks git once about each commit of main. */
export async function containsMain(
  store: Store,
  root: string,
  tip: string,
  main: string,
  feature: string,
): Promise<boolean> {
  const known = held.get(store) ?? new Map<string, string>();
  held.set(store, known);
  if (known.get(feature) === main) return true;
  const does = await contains(root, tip, main);
  if (does) known.set(feature, main);
  return does;
}

async function upToDate({ context }: EngineServices, feature: string, tip: string, main: string) {
  const { root, store } = context;
  if (tip === main || (await containsMain(store, root, tip, main, feature))) return tip;
  return (await contains(root, main, tip)) ? main : tip;
}
