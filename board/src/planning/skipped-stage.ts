// Which stages of a run were skipped, or did without their role. Pure.

import type { Run } from "./types.js";

/** Whose stage it is. The review also checks the plan by rules, with or without a critic. */
const ROLE_OF: Partial<Readonly<Record<Run["stage"], Run["leftOut"][number]>>> = {
  clarify: "clarifier",
  review: "critic",
  overview: "overviewer",
};

/** Of a stage that is over: what of it was skipped, if anything. */
export function skippedWords(stage: Run["stage"], { leftOut, path }: Pick<Run, "leftOut" | "path">): string | null {
  if (!path.includes(stage)) return "skipped";
  const role = ROLE_OF[stage];
  if (role === undefined || !leftOut.includes(role)) return null;
  return role === "critic" ? "critic skipped" : "skipped";
}
