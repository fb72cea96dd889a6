// Which nodes a run can be about. What cannot be planned is refused with what to plan instead.

import { step } from "../../model/next-step.js";
import type { Node } from "../../model/node/node.js";
import { ok, type Result, refused } from "../../model/result.js";
import type { Reader } from "../../store/store.js";
import { isSettledNode } from "../apply/scope.js";
import type { Intake } from "./intake.js";

const EXPANDABLE = new Set(["initiative", "feature", "story"]);

export async function requirePlannable(
  reader: Reader,
  node: Node,
  { mode, addsOnly }: Pick<Intake, "mode" | "addsOnly">,
): Promise<Result<void>> {
  const { id, tier, kind, inbox } = node;
  if (isSettledNode(node)) {
    return refused("settled", `${id} is finished, so it cannot be planned again.`, {
      next: [step("show", { reference: id })],
    });
  }
  // A review only reads, so it takes everything.
  if (mode === "review") return ok(undefined);
  if (tier === "mission") {
    return refused("tier", `${id} is the mission. Plan an idea or a spec, or name an initiative or a feature.`, {
      next: [step("plan.start", {}, "source"), step("status")],
    });
  }
  if (inbox) {
    return refused("inbox", `${id} only holds ideas, and nothing in it runs. Plan one of its ideas.`, {
      next: [step("list", { in: id }), step("plan.start", {}, "source")],
    });
  }
  if (kind === "land") {
    const feature = node.feature === null ? undefined : await reader.node(node.feature);
    return refused("land-task", `${id} merges its feature and has no plan of its own. Plan the feature.`, {
      next: feature ? [step("plan.start", { source: feature.id })] : [step("status")],
    });
  }
  return (mode === "expand" || addsOnly === true) && !EXPANDABLE.has(tier) ? notExpandable(node) : ok(undefined);
}

function notExpandable({ id, tier, shelved }: Node): Result<void> {
  if (shelved) {
    return refused("tier", `${id} is an idea in the inbox. Plan it into features.`, {
      next: [step("plan.start", { source: id })],
    });
  }
  return refused("tier", `${id} is a ${tier}. Only initiatives, features and stories can be expanded.`, {
    next: [step("expand", {}, "reference")],
  });
}
