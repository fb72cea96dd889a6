// Features as lanes, each with its tasks that the filter leaves.

import { useMemo } from "react";
import type { StatusTree } from "../api/types.js";
import { featuresOf } from "../now/features.js";
import { tasksIn } from "./containers.js";
import { matches } from "./filter.js";
import type { Plan } from "./use-plan.js";

export interface PlanLane {
  readonly feature: StatusTree;
  readonly tasks: readonly StatusTree[];
}

export function useLanes({ tree, filter, named, branch }: Plan): readonly PlanLane[] {
  return useMemo(
    () =>
      featuresOf(tree)
        .map((feature) => {
          const below = branch(feature.id);
          const whole = below && feature.children.length === 0 ? { ...feature, children: below } : feature;
          return { feature, tasks: tasksIn(whole).filter((task) => matches(task, [feature.id], filter, named)) };
        })
        .filter(({ tasks, feature }) => tasks.length > 0 || (feature.progress?.total ?? 0) > 0),
    [tree, filter, named, branch],
  );
}
