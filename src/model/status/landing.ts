// May a feature land? Only if every node below it is done and accepted, waived or dropped, at least one is done, no planning
// run works in it, and nothing in it is to be planned again. Every door asks this one function.

import type { PlanningRun } from "../item/planning-run.js";
import { type NextStep, step } from "../next-step.js";
import type { Node, Nr } from "../node/node.js";
import { unmetState } from "./rollup.js";

/**
 * What keeps a feature from landing. `open`: a task that is not finished. `empty`: a story, or the feature itself, without tasks.
 * `replan`: it was replanned, and no new plan was approved. `run`: a planning run may still change something in it. `not-done`:
 * nothing in the feature is done, so there is nothing to land. `landed`: nothing came to it since it landed.
 */
export interface LandingHold {
  readonly kind: "open" | "empty" | "replan" | "run" | "not-done" | "landed";
  readonly id: string;
  /** Checks or a person rejected the open task. */
  readonly rejected?: true;
}

export interface LandingFacts {
  readonly feature: Pick<Node, "id" | "live" | "finished" | "tasksLive" | "awaitsPlan">;
  readonly hasLand: boolean;
  /** Nodes below it that are not finished: open tasks, and stories without tasks or to be planned again. The first few will do. */
  readonly unfinished: readonly Unfinished[];
  /** A task in it, other than the land task, is done. */
  readonly hasDone: boolean;
  readonly runs: readonly string[];
}

export type Unfinished = Pick<
  Node,
  "id" | "tier" | "kind" | "outcome" | "acceptance" | "live" | "finished" | "awaitsPlan"
>;

/** In the order in which they are said; empty if the feature may land. */
export function landingHolds({ feature, hasLand, unfinished, hasDone, runs }: LandingFacts): LandingHold[] {
  const { id } = feature;
  if (!hasLand) return [{ kind: "landed", id }];
  const holds = unfinished.map(holdOf);
  const found: LandingHold[] = [
    ...holds.filter(({ kind }) => kind === "open"),
    // What a run plans may be what is missing.
    ...runs.map((run) => ({ kind: "run", id: run }) as const),
    ...holds.filter(({ kind }) => kind !== "open"),
    ...(feature.awaitsPlan === null ? [] : [{ kind: "replan", id } as const]),
  ];
  if (found.length > 0) return found;
  if (feature.tasksLive === 0) return [{ kind: "empty", id }];
  if (isUnfinished(feature)) return [{ kind: "open", id }];
  return hasDone ? [] : [{ kind: "not-done", id }];
}

/** Something besides the open land task of a feature is not finished: the counters know, whatever was read of it. */
export const isUnfinished = ({ live, finished }: Pick<Node, "live" | "finished">): boolean => live - finished > 1;

function holdOf(node: Unfinished): LandingHold {
  const { id, tier, awaitsPlan } = node;
  if (tier !== "task") return { kind: awaitsPlan === null ? "empty" : "replan", id };
  return unmetState(node) === "rejected" ? { kind: "open", id, rejected: true } : { kind: "open", id };
}

/** Where a planning run may still change something. A review changes nothing, so it has no features. */
export type RunPlace = Pick<PlanningRun, "status" | "node" | "features">;

/** `at`: the feature around the run's node, as it is now. Runs of earlier versions only know their node. */
export const worksIn = ({ status, features }: RunPlace, at: Nr | null, feature: Nr): boolean =>
  status !== "finished" &&
  status !== "aborted" &&
  (features === undefined ? at === feature : features.includes(feature) || (features.length > 0 && at === feature));

/** One sentence for each: what holds it, and what to do. */
export const HOLD_WORDS: Readonly<Record<LandingHold["kind"], (id: string) => string>> = {
  open: (id) => `${id} is open.`,
  empty: (id) => `${id} has no tasks. Drop it, waive it or plan it.`,
  replan: (id) => `${id} is to be planned again. Plan it, add work to it and approve that, or drop the rest of it.`,
  run: (id) => `${id} is planning it. Approve what it planned, resume it or abort it.`,
  "not-done": (id) => `Nothing in ${id} is done, so there is nothing to land. Waive it, or add work to it.`,
  landed: (id) => `Nothing was added to ${id} since it landed.`,
};

/** What frees the feature without removing anything. */
export const HOLD_STEPS: Readonly<Record<LandingHold["kind"], (id: string) => NextStep[]>> = {
  open: (reference) => [step("why", { reference })],
  empty: (id) => [...planSteps(id), step("waive", { references: [id] }, "reason")],
  replan: (id) => planSteps(id),
  run: (reference) => [step("why", { reference })],
  "not-done": (id) => [step("waive", { references: [id] }, "reason"), step("add", { parent: id }, "title")],
  landed: (id) => [step("status", { reference: id })],
};

/** The same with what gives something up, which doors say in words. */
export function stepsToFree({ kind, id }: LandingHold): NextStep[] {
  const steps = HOLD_STEPS[kind](id);
  if (kind === "run") return [...steps, step("plan.abort", { run: id })];
  return kind === "empty" || kind === "replan" ? [...steps, step("drop", { references: [id] })] : steps;
}

const planSteps = (id: string): NextStep[] => [step("expand", { reference: id }), step("add", { parent: id }, "title")];
