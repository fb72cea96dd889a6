// What `run` and the daemon refuse before they look at any task, for those who explain why a ready task does not begin.

import { type Failure, fail, type Result } from "../../model/result.js";
import type { Context } from "../../plan/base/context.js";
import { requireRepository } from "../../plan/repository/require-repository.js";
import type { PlanSite } from "./person.js";
import { requireTrust } from "./trust.js";

type Place = PlanSite & Pick<Context, "head" | "gitSettings">;

/** Without a repository people work by hand, so that is no reason. */
export async function whyNothingRuns(place: Place): Promise<Failure | null> {
  const trusted = requireTrust(place);
  if (!trusted.ok) return trusted.error;
  const repository = await requireRepository(place).catch(expected);
  return repository.ok || repository.error.reason === "no-git" ? null : repository.error;
}

function expected(error: unknown): Result<never> {
  const { failure } = error as { readonly failure?: Failure };
  if (failure === undefined) throw error;
  return fail(failure);
}
