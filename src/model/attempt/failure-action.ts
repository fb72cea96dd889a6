// What is done about a failure of each class. Every class has a budget, and where it ends a person is asked: no
// task goes round for ever.

import type { FailureClass } from "../node/node.js";

export type FailureAction =
  | { readonly kind: "retry"; readonly afterMs: number }
  /** With what went wrong in the bundle. */
  | { readonly kind: "retry-with-failure" }
  /** A proposal: only a person takes it. */
  | { readonly kind: "replan"; readonly tier: "story" | "feature" }
  /** A stored stop, and a question. */
  | { readonly kind: "freeze" }
  | { readonly kind: "arbitrate" }
  /** It waits for a person, with the reason. */
  | { readonly kind: "park" };

/** What was done about failures of this task already, since a person last opened it. */
export interface FailureCounters {
  readonly transientRetries: number;
  readonly logicRetries: number;
  /** How often the story or the feature may still be replanned. */
  readonly replansLeft: number;
  readonly arbitrations: number;
  /** How often the task may still be claimed; null without a budget. */
  readonly attemptsLeft: number | null;
}

export interface RetrySettings {
  readonly transientRetries: number;
  /** Of a failure that the worker itself may fix. */
  readonly logicRetries: number;
  readonly backoffSeconds: number;
}

const ARBITRATIONS = 3;
const LONGEST_MS = 60 * 60_000;

/** It doubles with each retry, up to an hour. */
const backoff = ({ backoffSeconds }: RetrySettings, retries: number): number =>
  Math.min(LONGEST_MS, backoffSeconds * 1000 * 2 ** Math.min(retries, 40));

const PARK: FailureAction = { kind: "park" };

const within = (left: boolean, action: FailureAction): FailureAction => (left ? action : PARK);

const ACTIONS: Readonly<Record<FailureClass, (counters: FailureCounters, settings: RetrySettings) => FailureAction>> = {
  transient: ({ transientRetries: made }, settings) =>
    within(made < settings.transientRetries, { kind: "retry", afterMs: backoff(settings, made) }),
  logic: ({ logicRetries: made }, settings) => within(made < settings.logicRetries, { kind: "retry-with-failure" }),
  design: ({ replansLeft }) => within(replansLeft > 0, { kind: "replan", tier: "story" }),
  plan: ({ replansLeft }) => within(replansLeft > 0, { kind: "replan", tier: "feature" }),
  architecture: () => ({ kind: "freeze" }),
  conflict: ({ arbitrations }) => within(arbitrations < ARBITRATIONS, { kind: "arbitrate" }),
  other: () => PARK,
};

const AGAIN: ReadonlySet<FailureAction["kind"]> = new Set(["retry", "retry-with-failure", "arbitrate"]);

/** A task whose budget of attempts is spent is not tried again, whatever the failure: a person is asked. */
export function actionFor(failure: FailureClass, counters: FailureCounters, settings: RetrySettings): FailureAction {
  const action = ACTIONS[failure](counters, settings);
  return counters.attemptsLeft === 0 && AGAIN.has(action.kind) ? PARK : action;
}
