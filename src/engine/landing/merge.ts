// Merges a feature with the current main branch in memory, and finds what prevents it. No ref and no file changes.

import { checkoutsOf, obstacles } from "../../machine/git/checkouts/checkout.js";
import { missingFrom, presenceIn } from "../../machine/git/landed.js";
import { contains, mergeTrees } from "../../machine/git/merge.js";
import { featureBranch, listRefs, readFeatureTip, shortName } from "../../machine/git/refs.js";
import { step } from "../../model/next-step.js";
import { ok, type Result, refused } from "../../model/result.js";
import { proveLanded } from "../../plan/claim/prove-landed.js";
import { requireMainBranch } from "../../plan/repository/main-branch.js";
import type { EngineServices } from "../services.js";
import type { LandingPlan } from "./landing-plan.js";
import { type HowToLand, landingCommit } from "./landing-plan.js";

export interface Merging {
  /** The full name of the main branch, and its commit. */
  readonly main: string;
  readonly from: string;
  /** The same for the feature. */
  readonly branch: string;
  readonly tip: string;
  /** The commit that main becomes. */
  readonly commit: string;
  /** The folder where main is checked out. */
  readonly checkout: string | null;
  /** For the proof: what a person let land, and why. */
  readonly despite: string;
}

/** Main has the feature already; `proof` says how we know. The branch may still exist. */
export interface AlreadyLanded {
  readonly proof: string;
  readonly branch: string;
  readonly tip: string | null;
  /** The commit of main. */
  readonly commit: string;
}

export type Merged = Merging | AlreadyLanded;

export async function mergeIntoMain(
  services: EngineServices,
  plan: LandingPlan,
  how: HowToLand,
): Promise<Result<Merged>> {
  const { root } = services.context;
  const { feature, land } = plan;
  const stands = await whereItStands(services, plan);
  if (!stands.ok) return stands;
  const { main, from, branch, tip } = stands.value;
  const proven = await proveLanded({ ...services.context, cwd: root }, land);
  if (proven.ok) return ok({ proof: proven.value ?? "", branch, tip, commit: from });
  if (tip === null) return plan.commits.size === 0 ? proven : lost(plan);
  const ahead = await landedElsewhere(root, main, tip);
  if (ahead !== null) return behind(plan, shortName(main), ahead);
  const merge = await mergeTrees(root, from, tip);
  if ("conflicts" in merge) return conflict(plan, shortName(main), merge.conflicts);
  const checkout = await clearCheckout(services, plan, main);
  if (!checkout.ok) return checkout;
  // What is on neither branch would not land.
  const missing = await missingFrom(root, from, await missingFrom(root, tip, [...plan.commits.keys()]));
  if (missing.length > 0) return stranded(plan, missing);
  const made = await landingCommit(root, plan, how, { from, branch, tip, tree: merge.tree });
  if ("conflicts" in made) return notRebased(plan, shortName(main), made);
  const merging = { main, from, branch, tip, commit: made.commit, checkout: checkout.value, despite: "" };
  const blocked = await blockedBy(merging, feature.id);
  return blocked ?? ok(merging);
}

interface Standing {
  readonly main: string;
  readonly from: string;
  readonly branch: string;
  readonly tip: string | null;
}

async function whereItStands({ context }: EngineServices, { feature }: LandingPlan): Promise<Result<Standing>> {
  const { root } = context;
  const main = await requireMainBranch(context);
  if (!main.ok) return main;
  const { ref, commit } = main.value;
  const branch = featureBranch(feature.id);
  return ok({ main: ref, from: commit, branch, tip: await readFeatureTip(root, branch) });
}

/** A remote main branch that has the feature while ours is behind: a merge here would land it twice. */
async function landedElsewhere(root: string, main: string, tip: string): Promise<string | null> {
  for (const ref of (await listRefs(root, "refs/remotes")).keys()) {
    const isMain = ref.endsWith(`/${shortName(main)}`) && ref.split("/").length === main.split("/").length + 1;
    if (isMain && !(await contains(root, main, ref)) && (await presenceIn(root, ref, tip)) !== null) return ref;
  }
  return null;
}

function behind({ feature }: LandingPlan, main: string, ref: string): Result<never> {
  const remote = ref.replace(/^refs\/remotes\//, "");
  return refused("behind", `${remote} has ${feature.id} already, and ${main} is behind it. Pull first.`, {
    next: [step("land", { reference: feature.id })],
    details: { branch: main, remote },
  });
}

function conflict({ feature }: LandingPlan, main: string, files: readonly string[]): Result<never> {
  return refused(
    "merge-conflict",
    `${feature.id} does not merge with ${main}: ${files.join(", ")}. Merge ${main} into ${shortName(featureBranch(feature.id))} by hand.`,
    {
      next: [step("land", { reference: feature.id })],
      details: { branch: main, files },
    },
  );
}

/** The branches merge, but not commit by commit. */
function notRebased(
  { feature }: LandingPlan,
  main: string,
  { conflicts: files, at }: { readonly conflicts: readonly string[]; readonly at: string },
): Result<never> {
  return refused(
    "rebase-conflict",
    `The commit ${at.slice(0, 10)} of ${feature.id} does not apply on top of ${main}: ${files.join(", ")}. Both branches merge: land it with a merge or as one commit.`,
    {
      next: [
        step("land", { reference: feature.id, strategy: "merge" }),
        step("land", { reference: feature.id, strategy: "squash" }),
      ],
      details: { branch: main, files, commit: at },
    },
  );
}

/** Somebody deleted the branch and what we kept of it. */
function lost({ feature, commits }: LandingPlan): Result<never> {
  const ids = [...new Set([...commits.values()].flat())];
  const branch = shortName(featureBranch(feature.id));
  const last = [...commits.keys()].at(-1) ?? "";
  const restore = `git branch ${branch} ${last.slice(0, 12)}`;
  return refused(
    "work-missing",
    `The branch ${branch} was deleted, and main does not have the work of ${ids.join(", ")}. If git still has the commit, bring the branch back with \`${restore}\` and land again. Otherwise reset these tasks.`,
    {
      next: [step("land", { reference: feature.id })],
      details: { tasks: ids, missing: [...commits.keys()], branch, restore },
    },
  );
}

/** Accepted work that is on neither branch would get lost. */
function stranded({ feature, commits }: LandingPlan, missing: readonly string[]): Result<never> {
  const ids = missing.flatMap((commit) => commits.get(commit) ?? []);
  const branch = shortName(featureBranch(feature.id));
  return refused(
    "work-missing",
    `The work of ${ids.join(", ")} is neither on ${branch} nor on the main branch. Merge it into ${branch}.`,
    {
      next: [step("land", { reference: feature.id })],
      details: { tasks: ids, missing },
    },
  );
}

async function clearCheckout(
  { context }: EngineServices,
  { feature }: LandingPlan,
  main: string,
): Promise<Result<string | null>> {
  const [checkout = null, ...others] = await checkoutsOf(context.root, main);
  if (others.length === 0) return ok(checkout);
  const folders = [checkout, ...others];
  return refused(
    "dirty-tree",
    `${shortName(main)} is checked out in several folders: ${folders.join(", ")}. Switch all but one to something else.`,
    {
      next: [step("land", { reference: feature.id })],
      details: { branch: shortName(main), checkouts: folders },
    },
  );
}

async function blockedBy({ main, from, commit, checkout }: Merging, id: string): Promise<Result<never> | undefined> {
  if (checkout === null) return undefined;
  const { dirty, inTheWay, unfinished } = await obstacles(checkout, from, commit);
  const paths = [...dirty, ...inTheWay];
  if (paths.length === 0 && unfinished === null) return undefined;
  const branch = shortName(main);
  const details = { branch, checkout, paths, dirty, untracked: inTheWay };
  const next = [step("land", { reference: id })];
  if (unfinished !== null) {
    const begun = `${unfinished[0]?.toUpperCase()}${unfinished.slice(1)}`;
    return refused(
      "dirty-tree",
      `${begun} is not finished in ${checkout}, where ${branch} is checked out. Finish or abort it first.`,
      {
        next,
        details,
      },
    );
  }
  const what =
    dirty.length > 0
      ? `has uncommitted changes: ${dirty.join(", ")}`
      : `has untracked files in the way: ${inTheWay.join(", ")}`;
  return refused("dirty-tree", `The checkout of ${branch} in ${checkout} ${what}. Commit, stash or move them.`, {
    next,
    details,
  });
}
