// A plan in memory for tests of actions: a real store, a clock that the test turns, and actors by name.

import { DEFAULT_GIT_SETTINGS } from "../src/machine/git/git-settings.js";
import { commandEnvironment } from "../src/machine/process/environment.js";
import type { NodeInput } from "../src/model/node/content.js";
import type { Failure, Result } from "../src/model/result.js";
import type { Context, EngineLimits } from "../src/plan/base/context.js";
import { type Addition, add } from "../src/plan/node/add.js";
import type { NodeView } from "../src/plan/node/view.js";
import { createStore } from "../src/store/open/create.js";
import { show } from "../src/verbs/node/read-node.js";

export interface TestPlan extends Context {
  /** The same plan for another actor. */
  as(actor: string): TestPlan;
  /** Moves the clock. */
  pass(ms: number): void;
  view(reference: string): Promise<NodeView>;
}

const SETTINGS = {
  leaseMinutes: 40,
  maxRetries: 4,
  checkTimeoutS: 60,
  backups: 7,
  replans: { initiative: 2, feature: 2, story: 3 },
};

const NO_LIMITS: EngineLimits = {
  fixes: 0,
  attemptMinutes: 60,
  attemptTokens: null,
  attemptCostUsd: null,
  featureTokens: null,
  featureCostUsd: null,
  dayTokens: null,
  dayCostUsd: null,
  storm: { failures: 50, minutes: 10, pauseMinutes: 30 },
};

const STORY: NodeInput = { id: "STORY-A", tier: "story", title: "Story A", parent: "FEAT-A" };

/** With a mission, one feature FEAT-A and one story STORY-A below it. */
export const makePlan = (nodes: readonly NodeInput[] = [], path?: string): Promise<TestPlan> =>
  makePlainPlan([STORY, ...nodes], path);

/** With a mission and one feature FEAT-A: without a story that would keep it from landing. */
export async function makePlainPlan(nodes: readonly NodeInput[] = [], path = ":memory:"): Promise<TestPlan> {
  const plan = await makeEmptyPlan(path);
  await addAll(plan, [
    { id: "MISSION", tier: "mission", title: "The mission" },
    { id: "FEAT-A", tier: "feature", title: "Feature A", parent: "MISSION" },
    ...nodes,
  ]);
  return plan;
}

export async function makeEmptyPlan(path = ":memory:", who = "human:ada"): Promise<TestPlan> {
  const { store } = await createStore({ path, durability: "normal", engine: "auto" });
  let time = Date.UTC(2026, 0, 1);
  const forActor = (actor: string): TestPlan => ({
    store,
    actor,
    settings: SETTINGS,
    root: "/workspace",
    cwd: "/workspace",
    commandEnvironment: async () => commandEnvironment(process.env, []),
    engineLimits: async () => NO_LIMITS,
    worktreesFolder: async () => "/workspace/.planwright/worktrees",
    gitSettings: async () => DEFAULT_GIT_SETTINGS,
    noWorkerFor: async () => null,
    deadDaemon: async () => null,
    cannotRun: async () => null,
    isAlive: async () => true,
    now: () => ++time,
    head: () => null,
    as: forActor,
    pass: (ms) => {
      time += ms;
    },
    view: async (reference) => must(await show(forActor(actor), reference)),
  });
  return forActor(who);
}

export const addAll = async (plan: Context, nodes: readonly NodeInput[]): Promise<readonly string[]> => {
  const additions: Addition[] = nodes.map((input, i) => ({ input, where: `node ${i + 1}` }));
  return must(await add(plan, additions)).added;
};

/** The inbox that `init` makes. */
export const addInbox = async (plan: Context): Promise<unknown> => {
  const input = { id: "INBOX", tier: "feature", title: "Inbox", parent: "MISSION" } as const;
  return must(await add(plan, [{ input, where: "inbox", inbox: true }]));
};

/** A task in STORY-A. */
export const task = (id: string, rest: Partial<NodeInput> = {}): NodeInput => ({
  id,
  tier: "task",
  title: `Task ${id}`,
  parent: "STORY-A",
  ...rest,
});

export function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.error.reason}: ${result.error.message}`);
  return result.value;
}

export function mustFail(result: Result<unknown>): Failure {
  if (result.ok) throw new Error("It should have been refused.");
  return result.error;
}
