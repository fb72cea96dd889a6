// Remembers that a person pushed a feature to a review host, so that the daemon leaves the merge to the people there.

import { isPerson } from "../../model/actor.js";
import { step } from "../../model/next-step.js";
import { ok, type Result, refused } from "../../model/result.js";
import { attemptsOf } from "../attempt/history.js";
import type { EngineServices } from "../services.js";
import { beginLanding, endLanding } from "./land-attempt.js";
import type { LandingPlan } from "./landing-plan.js";
import type { PushedForReview } from "./push.js";

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

export const inReview = ({ feature }: LandingPlan): Result<never> =>
  refused(
    IN_REVIEW,
    `${feature.id} was pushed for a review, and the main branch does not have it yet. Merge it there and pull, then land it here.`,
    {
      next: [step("land", { reference: feature.id })],
    },
  );
