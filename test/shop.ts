// A plan in a real repository with an engine whose worker the test writes: everything but the model is real.

import { join } from "node:path";
import { TEST_FILES } from "../src/config/execution-settings.js";
import type {
  EngineEvent,
  EngineServices,
  Policy,
  Worker,
  WorkerInput,
  WorkResult,
  WorkTurn,
} from "../src/engine/services.js";
import { Engine, type EngineOptions } from "../src/engine/tick/engine.js";
import { shellSession } from "../src/engine/workers/shell.js";
import { findRepository, headCommit } from "../src/machine/git/repository.js";
import { type Attempt, NO_USAGE } from "../src/model/attempt/attempt.js";
import type { NodeInput } from "../src/model/node/content.js";
import { approve } from "../src/plan/node/approve.js";
import type { HandInSession } from "../src/verbs/task/hand-in.js";
import { makeRepository, type TestRepository } from "./git-repository.js";
import { addAll, makePlainPlan, must, type TestPlan } from "./plan.js";

const POLICY: Policy = {
  workers: 2,
  worktrees: "",
  carry: [],
  carryBy: "copy",
  setup: [],
  env: [],
  ports: { from: 31_000, each: 2 },
  fixes: 1,
  proof: "off",
  footprint: "note",
  testFiles: TEST_FILES,
  protectedFiles: [],
  changeLimit: { files: 100, megabytes: 1 },
  onFailedCheck: "continue",
  review: true,
  sandbox: "off",
  attemptMinutes: 10,
  attemptTokens: null,
  attemptCostUsd: null,
  featureCostUsd: null,
  featureTokens: null,
  dayCostUsd: null,
  dayTokens: null,
  stallMinutes: 10,
  backoffSeconds: 60,
  transientRetries: 2,
  logicRetries: 1,
  storm: { failures: 50, minutes: 10, pauseMinutes: 30 },
  keepDays: 30,
  tickSeconds: 30,
};

export type Doing = (work: WorkerInput, turn: WorkTurn) => Promise<Partial<WorkResult>> | Partial<WorkResult>;

export interface ShopOptions {
  readonly policy?: Partial<Policy>;
  readonly files?: Readonly<Record<string, string>>;
  /** In place of the shell worker. */
  readonly doing?: Doing;
  readonly reviewer?: EngineServices["reviewerFor"];
  readonly onEvent?: (event: EngineEvent) => unknown;
}

export interface Shop {
  readonly plan: TestPlan;
  readonly repository: TestRepository;
  readonly services: EngineServices;
  readonly events: EngineEvent[];
  engine(options?: Partial<EngineOptions>): Engine;
  /** Ticks until nothing runs and nothing more begins. */
  workThrough(engine?: Engine): Promise<void>;
  attempts(): Promise<Attempt[]>;
  git(...args: string[]): string;
}

/** A task of FEAT-A that the shell worker can do, with a check that it did. */
export const fileTask = (name: string, rest: Partial<NodeInput> = {}): NodeInput => ({
  id: `T-${name}`,
  tier: "task",
  title: `Make ${name}`,
  parent: "FEAT-A",
  files: [`${name}.txt`],
  body: `\`\`\`sh run\necho ${name} > ${name}.txt\n\`\`\``,
  checks: [{ run: `test -f ${name}.txt` }],
  ...rest,
});

export async function openShop(tasks: readonly NodeInput[], options: ShopOptions = {}): Promise<Shop> {
  const repository = makeRepository({ "README.md": "hello\n", ".gitignore": ".planwright\n", ...options.files });
  const root = repository.path;
  const found = findRepository(root);
  const memory = await makePlainPlan();
  const policy = {
    ...POLICY,
    worktrees: join(repository.around, "worktrees"),
    ...options.policy,
  };
  const inRoot = (plan: TestPlan): TestPlan => ({
    ...plan,
    engineLimits: async () => policy,
    worktreesFolder: async () => policy.worktrees,
    root,
    cwd: root,
    head: () => (found ? headCommit(found) : null),
    as: (actor) => inRoot(plan.as(actor)),
  });
  const plan = inRoot(memory);
  await addAll(plan, tasks);
  must(await approve(plan, { references: ["FEAT-A"] }));
  const events: EngineEvent[] = [];
  const services: EngineServices = {
    context: plan.as("daemon:test"),
    policy,
    env: { ...process.env, HOME: join(repository.around, "home"), XDG_STATE_HOME: join(repository.around, "state") },
    workerFor: async () => workerOf(root, options.doing),
    reviewerFor: options.reviewer ?? (async () => null),
    process: "test/1",
    isAlive: () => true,
    redact: (text) => text,
    onEvent: (event) => {
      events.push(event);
      options.onEvent?.(event);
    },
  };
  const engine = (given: Partial<EngineOptions> = {}): Engine =>
    new Engine(services, { obeysLevels: false, workers: 2, ...given });
  return {
    plan,
    repository,
    services,
    events,
    engine,
    workThrough: async (given) => {
      const turned = given ?? engine();
      for (;;) {
        must(await turned.tick());
        if (turned.running.length === 0) return;
        await turned.oneEnded();
      }
    },
    attempts: async () => (await plan.store.read((reader) => reader.items("attempt", {}))).map(({ fields }) => fields),
    git: (...args) => repository.git(...args),
  };
}

function workerOf(root: string, doing: Doing | undefined): Worker {
  if (!doing) {
    const options = { running: join(root, ".planwright", "running"), redact: (text: string): string => text };
    return { as: { kind: "shell", name: "shell", model: null }, begin: async (work) => shellSession(work, options) };
  }
  return {
    as: { kind: "agent", name: "tester", model: null },
    begin: async (work) => ({
      id: null,
      turn: async (turn) => ({ ending: "done", said: "", usage: NO_USAGE, ...(await doing(work, turn)) }),
      close: async () => undefined,
    }),
  };
}

/** The session of somebody who hands in from their own checkout, with these services to judge it. */
export const handingIn = (services: EngineServices, signal?: AbortSignal): HandInSession => ({
  ...services.context,
  ...(signal && { signal }),
  emit: (event) => event.kind === "engine" && services.onEvent(event.event),
  engines: async () => ({ execution: async () => ({ services, contain: (work) => work() }) }),
});
