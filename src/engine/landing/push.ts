// Pushes a feature's branch to a review host, where people merge it. The land task stays open until main has the feature,
// which `land` and `complete` check.

import { listRemotes, pushBranch, type Remote, usualRemote } from "../../machine/git/push.js";
import { featureBranch, readRef, shortName } from "../../machine/git/refs.js";
import { isPerson } from "../../model/actor.js";
import { step } from "../../model/next-step.js";
import { absent, ok, type Result, refused, type ValueOf } from "../../model/result.js";
import { requireMainBranch } from "../../plan/repository/main-branch.js";
import { attemptsOf } from "../attempt/attempt-state.js";
import type { EngineServices } from "../services.js";
import { beginLanding, endLanding } from "./land-attempt.js";
import type { LandingPlan } from "./landing-plan.js";

export type PushedForReview = ValueOf<ReturnType<typeof pushForReview>>;

export async function pushForReview(
  { context }: EngineServices,
  { feature }: LandingPlan,
  { remote, dryRun }: { readonly remote: string | undefined; readonly dryRun: boolean },
) {
  const { root } = context;
  const ref = featureBranch(feature.id);
  const commit = await readRef(root, ref);
  if (commit === null) {
    return absent("nothing-to-land", `${feature.id} has no branch, so there is nothing to push.`, {
      next: [step("land", { reference: feature.id })],
    });
  }
  const main = await requireMainBranch(context);
  if (!main.ok) return main;
  const into = main.value.name;
  const known = await listRemotes(root);
  const name = remote ?? (await usualRemote(root, into));
  const to = known.find((each) => each.name === name);
  if (!to) return noRemote(feature.id, name, known);
  const said = dryRun ? { said: [] } : await pushBranch(root, to.name, ref, commit);
  if ("problem" in said) {
    return refused("push-failed", `${shortName(ref)} could not be pushed to ${to.name}: ${said.problem}.`, {
      details: { remote: to.name, branch: shortName(ref) },
    });
  }
  // What the remote says often has the link that opens the review.
  return ok({ remote: to.name, url: to.url, branch: shortName(ref), commit, into, said: said.said });
}

function noRemote(id: string, name: string | null, remotes: readonly Remote[]): Result<never> {
  const known = remotes.map((each) => each.name);
  const list =
    known.length === 0 ? "This repository has none: add one with git remote add" : `There are: ${known.join(", ")}`;
  const what = name === null ? "No remote is named, and git has no default." : `There is no remote "${name}".`;
  const next = known.slice(0, 1).map((remote) => step("land", { reference: id, pr: true, remote }));
  return refused("no-remote", `${what} ${list}.`, { next, details: { remotes: known } });
}

export async function rememberPush(
  services: EngineServices,
  { land }: LandingPlan,
  { commit: tip, remote: pushed }: PushedForReview,
  note: string,
): Promise<Result<void>> {
  const begun = await beginLanding(services, land, { base: null, tip });
  if (!begun.ok) return begun;
  await endLanding(services, begun.value.key, { state: "released", note, patch: { pushed } });
  return ok(undefined);
}

/** A person may still land it here. */
export async function isReviewed({ context }: EngineServices, { land }: LandingPlan): Promise<boolean> {
  if (isPerson(context.actor)) return false;
  const landings = await context.store.read((reader) => attemptsOf(reader, land.nr));
  return landings.some(({ fields }) => fields.pushed !== undefined);
}

export const IN_REVIEW = "in-review";

export function inReview({ feature }: LandingPlan): Result<never> {
  const message = `${feature.id} was pushed for a review, and the main branch does not have it yet. Merge it there and pull, then land it here.`;
  return refused(IN_REVIEW, message, { next: [step("land", { reference: feature.id })] });
}
