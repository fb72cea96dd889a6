// The branch of a feature. It starts at main and moves with main while it has no work of its own; from then on `follow-main.ts` merges
// main in, behind the checks of that work.

import { contains } from "../../machine/git/merge.js";
import { acceptedRef, createRef, featureBranch, moveRefs, readRef, shortName } from "../../machine/git/refs.js";
import type { Node } from "../../model/node/node.js";
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
  return tip !== null && (tip === main || held.get(store)?.get(feature) === main) ? tip : null;
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
    const kept = tip === null ? await keptWork(services, task, feature) : null;
    const known = tip ?? kept;
    const wanted = known === null ? main : await upToDate(services, feature, known, main);
    if (wanted === tip) return { feature, tip: wanted };
    const moved = await moveRefs(context.root, [{ ref: feature, from: tip, to: wanted }]);
    if (moved.ok && kept !== null) services.onEvent(backAgain(feature, wanted));
    if (moved.ok) return { feature, tip: wanted };
  }
  throw new Error(`${feature} could not be brought up to date`);
}

/** A branch that somebody deleted begins again with the work that was accepted, unless all of that has been reset since. */
async function keptWork({ context }: EngineServices, task: Node, branch: string): Promise<string | null> {
  const { root, store } = context;
  const kept = await readRef(root, acceptedRef(branch));
  const feature = task.feature;
  if (kept === null || feature === null) return null;
  const commits = commitsToLand(await store.read((reader) => reader.descendants(feature)));
  for (const commit of commits.keys()) if (await contains(root, kept, commit)) return kept;
  return null;
}

const backAgain = (branch: string, tip: string): EngineEvent => ({
  type: "notice",
  text: `${shortName(branch)} was deleted. It is back, at ${tip.slice(0, 10)}.`,
});

/** A deleted branch, or one whose landing the main branch no longer holds. */
export async function restoreBranch({ context, onEvent }: EngineServices, feature: Node): Promise<void> {
  const { root, store } = context;
  const branch = featureBranch(feature.id);
  if ((await readRef(root, branch)) !== null) return;
  const accepted = await readRef(root, acceptedRef(branch));
  const kept = accepted ?? (await store.read((reader) => lostTipOf(reader, context, feature)));
  if (kept === null || !(await createRef(root, branch, kept)).ok) return;
  onEvent(backAgain(branch, kept));
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
