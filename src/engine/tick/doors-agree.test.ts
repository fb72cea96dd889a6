// Whatever the plan, the claims, the levels and the failures: every door that begins, shows or explains a task says the same
// to the same asker.

import * as fc from "fast-check";
import { expect, it } from "vitest";
import { leaveAttempt } from "../../../test/attempts.js";
import { addAll, makePlan, must, type TestPlan } from "../../../test/plan.js";
import { openShop, type Shop } from "../../../test/shop.js";
import type { Attempt, AttemptFailure } from "../../model/attempt/attempt.js";
import type { NoWorker } from "../../model/attempt/choose-worker.js";
import type { NodeInput } from "../../model/node/content.js";
import type { Node } from "../../model/node/node.js";
import { byUrgency } from "../../model/node/node.js";
import { ASKERS, type Asker, type Hold } from "../../model/status/holds.js";
import { start } from "../../plan/claim/start.js";
import { HoldReader } from "../../plan/holds/hold-reader.js";
import { setLevel } from "../../plan/level/level.js";
import { approve } from "../../plan/node/approve.js";
import { freeze } from "../../verbs/branch/freeze.js";
import { releaseClaim } from "../../verbs/claim/release.js";
import { checkConflicts } from "../../verbs/conflict/check.js";
import { stats } from "../../verbs/insight/stats.js";
import type { StatusTree } from "../../verbs/look/read-status.js";
import { status } from "../../verbs/look/read-status.js";
import { why } from "../../verbs/look/why-node.js";
import { next, peek } from "../../verbs/task/next.js";
import { openHandWork } from "../hand-work/end-hand-work.js";
import { Engine } from "./engine.js";

interface RandomTask {
  readonly files: readonly string[];
  readonly priority: number | null;
  readonly after: number | null;
  readonly kind: "work" | "review" | "gate";
  readonly parent: "FEAT-A" | "FEAT-B" | "MISSION";
  readonly profile: "ghost" | null;
  readonly is: "approved" | "unapproved" | "frozen";
  readonly claimed: boolean;
  readonly tried: "never" | "failed" | "retry" | "accepted";
}

interface Scenario {
  readonly tasks: readonly RandomTask[];
  readonly level: "off" | "on";
  readonly levelOfB: "off" | "on";
  readonly dayTokens: number | null;
  readonly door: "run" | "daemon" | "work";
}

const mostly = <T>(common: T, ...rare: T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(common) }, { weight: 1, arbitrary: fc.constantFrom(common, ...rare) });

const randomTask: fc.Arbitrary<RandomTask> = fc.record({
  files: fc.subarray(["a.txt", "src/", "src/b.txt", "c.txt"], { maxLength: 2 }),
  priority: fc.constantFrom(null, 0, 1, 4),
  after: fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, { weight: 1, arbitrary: fc.nat(4) }),
  kind: mostly<RandomTask["kind"]>("work", "review", "gate"),
  parent: mostly<RandomTask["parent"]>("FEAT-A", "FEAT-B", "MISSION"),
  profile: mostly<RandomTask["profile"]>(null, "ghost"),
  is: mostly<RandomTask["is"]>("approved", "unapproved", "frozen"),
  claimed: mostly(false, true),
  tried: mostly<RandomTask["tried"]>("never", "failed", "retry", "accepted"),
});

const scenario: fc.Arbitrary<Scenario> = fc.record({
  tasks: fc.array(randomTask, { minLength: 2, maxLength: 7 }),
  level: fc.constantFrom("off", "on"),
  levelOfB: fc.constantFrom("off", "on"),
  dayTokens: mostly<number | null>(null, 50),
  door: fc.constantFrom("run", "daemon", "work"),
});

const idOf = (i: number): string => `T-${i}`;

const inputOf = (
  { files, priority, after, kind, parent, profile }: RandomTask,
  i: number,
  all: readonly RandomTask[],
): NodeInput => ({
  id: idOf(i),
  tier: "task",
  title: `Task ${i}`,
  kind,
  parent,
  files: [...files],
  ...(priority === null ? {} : { priority }),
  ...(profile === null ? {} : { profile }),
  // Into another feature it would wait for a landing, which may go in a circle.
  ...(after === null || after >= i || all[after]?.parent !== parent ? {} : { dependsOn: [idOf(after)] }),
});

const GHOST: NoWorker = { agent: "ghost", problem: "unknown-agent" };
const FAILURE: AttemptFailure = {
  class: "transient",
  reason: "ECONNRESET",
  fingerprint: "",
  action: "retry",
  notBefore: null,
};

async function leaveTries(plan: TestPlan, id: string, tried: RandomTask["tried"]): Promise<void> {
  if (tried === "never") return;
  const usage = { inputTokens: 40, outputTokens: 0, costUsd: null };
  const notBefore = tried === "retry" ? plan.now() + 60_000 : null;
  const attempt: Partial<Attempt> =
    tried === "accepted"
      ? { state: "accepted", usage }
      : { state: "failed", usage, failure: { ...FAILURE, notBefore } };
  await leaveAttempt(plan, id, { ...attempt, slot: null });
}

const STORM = { failures: 2, minutes: 10, pauseMinutes: 30 };
const FEATURE_B: NodeInput = { id: "FEAT-B", tier: "feature", title: "B", parent: "MISSION" };

const noWorkerFor = async ({ profile }: Pick<Node, "profile">): Promise<NoWorker | null> =>
  profile === "ghost" ? GHOST : null;

/** Without a repository: enough for whoever begins no attempt. */
async function planIn({ dayTokens }: Scenario): Promise<TestPlan> {
  const plan = await makePlan([FEATURE_B]);
  const limits = { ...(await plan.engineLimits()), dayTokens, storm: STORM };
  const withHead = (made: TestPlan): TestPlan => ({
    ...made,
    noWorkerFor,
    engineLimits: async () => limits,
    head: () => "0".repeat(40),
    as: (actor) => withHead(made.as(actor)),
  });
  return withHead(plan);
}

async function shopIn({ dayTokens }: Scenario): Promise<Shop> {
  const opened = await openShop([FEATURE_B], {
    policy: { dayTokens, storm: STORM },
    doing: () => ({ ending: "gave-up", failure: { class: "design", reason: "only a test" } }),
  });
  const { workerFor } = opened.services;
  const plan = { ...opened.plan, noWorkerFor };
  const services: Shop["services"] = {
    ...opened.services,
    workerFor: async (task) => (await noWorkerFor(task)) ?? workerFor(task),
  };
  return { ...opened, plan, services };
}

/** Makes the plan what the scenario says, and asks the one function about each task. */
async function prepare(plan: TestPlan, { tasks, level, levelOfB }: Scenario): Promise<Prepared> {
  await addAll(plan, tasks.map(inputOf));
  const approved = tasks.flatMap((task, i) => (task.is === "unapproved" ? [] : [idOf(i)]));
  if (approved.length > 0) must(await approve(plan, { references: approved }));
  for (const [i, task] of tasks.entries()) {
    if (task.is === "frozen") must(await freeze(plan, { references: [idOf(i)], reason: "wait" }));
    if (task.claimed) await start(plan.as("agent:busy"), { reference: idOf(i) });
    await leaveTries(plan, idOf(i), task.tried);
  }
  must(await setLevel(plan, { level }));
  must(await setLevel(plan, { level: levelOfB, in: "FEAT-B" }));
  const nodes = await plan.store.read((reader) => reader.byIds(tasks.map((_, i) => idOf(i))));
  const ranked = nodes.sort(byUrgency);
  return { tasks: ranked, answers: await answersIn(plan, ranked) };
}

interface Prepared {
  /** Most urgent first. */
  readonly tasks: readonly Node[];
  readonly answers: ReadonlyMap<string, Answers>;
}

type Answers = Readonly<Record<Asker, readonly Hold[]>>;

/** What the one function says, for each task and each asker. */
async function answersIn(plan: TestPlan, tasks: readonly Node[]): Promise<Map<string, Answers>> {
  const answers = new Map<string, Answers>();
  for (const task of tasks) {
    const own: Partial<Record<Asker, readonly Hold[]>> = {};
    for (const asker of ASKERS) {
      own[asker] = await plan.store.read((reader) => new HoldReader(plan).holds(reader, task, asker));
    }
    answers.set(task.id, own as Answers);
  }
  return answers;
}

const flat = (tree: readonly StatusTree[]): StatusTree[] => tree.flatMap((node) => [node, ...flat(node.children)]);

/** Rules that hold for any scenario, whatever the doors do. */
function checkAskers({ self, "by-hand": byHand, "named-run": named, run, daemon }: Answers): void {
  const words = (held: readonly Hold[]): string[] => held.map(({ reason }) => reason);
  expect(words(daemon).filter((reason) => reason !== "level")).toEqual(words(run));
  const forEngines = new Set(["level", "retry", "storm", "spending", "no-worker"]);
  expect(words(byHand).filter((reason) => forEngines.has(reason))).toEqual([]);
  expect(words(named)).toEqual(words(run).filter((reason) => !["retry", "storm", "spending"].includes(reason)));
  expect(words(self)).toEqual(words(byHand).filter((reason) => reason !== "no-feature"));
}

async function checkReads(plan: TestPlan, { tasks, answers }: Prepared): Promise<void> {
  const bot = plan.as("agent:bot");
  const { tree, counts } = must(await status(plan, {}));
  const shown = new Map(flat(tree).map((node) => [node.id, node]));
  const free = tasks.filter(({ id }) => answers.get(id)?.self.length === 0);
  const first = await peek(bot, {});
  expect(first.ok ? first.value.map(({ id }) => id) : []).toEqual(free.slice(0, 1).map(({ id }) => id));
  expect(counts.ready).toBe(free.length);
  expect(must(await stats(plan)).statuses.ready).toBe(free.length + counts.waitingForPerson);
  const checked = must(await checkConflicts(plan, [])).found.filter(({ inFlight }) => inFlight);
  for (const { id, claim } of tasks) {
    const { self, daemon } = answers.get(id) as Answers;
    const alone = await peek(bot, { in: id });
    expect(alone.ok).toBe(self.length === 0);
    const held = alone.ok ? "free" : alone.error.details?.["held"];
    const expected = self[0]?.reason === "terminal" ? [] : [{ id, holds: self }];
    expect(held).toEqual(self.length === 0 ? "free" : expected);
    const explained = must(await why(plan, id));
    expect([explained.reason, explained.chain[0]?.holds]).toEqual([self[0]?.reason ?? "claimable", daemon]);
    const node = shown.get(id);
    expect([node?.reason, node?.engineHolds]).toEqual([
      self[0]?.reason ?? "claimable",
      self.length === 0 ? daemon : [],
    ]);
    if (claim) continue;
    const overlaps = self.find(({ reason }) => reason === "conflict")?.because ?? [];
    expect(checked.filter(({ second }) => second === id).map(({ first: other }) => other)).toEqual(overlaps);
  }
}

/** What is claimed here is given back at once. */
async function checkClaims(plan: TestPlan, { tasks, answers }: Prepared): Promise<void> {
  const bot = plan.as("agent:bot");
  for (const { id } of tasks) {
    const { self } = answers.get(id) as Answers;
    for (const claim of [
      () => start(bot, { reference: id }),
      async () => {
        const given = await next(bot, { in: id });
        return given.ok ? { ok: true as const, value: given.value[0] } : given;
      },
    ]) {
      const claimed = await claim();
      expect(claimed.ok).toBe(self.length === 0);
      expect([self[0]?.reason, "nothing-ready"]).toContain(claimed.ok ? self[0]?.reason : claimed.error.reason);
      if (claimed.ok) must(await releaseClaim(bot, { reference: id, token: claimed.value?.token ?? "" }));
    }
  }
}

/** What `work` begins, of the task that is last in rank. */
async function checkHandWork(shop: Shop, { tasks, answers }: Prepared): Promise<void> {
  const byHand = openHandWork(shop.services, shop.plan);
  const [last] = tasks.slice(-1);
  const begun = await byHand.begin({ reference: last?.id ?? "" }, new AbortController().signal);
  const held = answers.get(last?.id ?? "")?.["by-hand"] ?? [];
  expect(begun.ok ? null : begun.error.reason).toBe(held[0]?.reason ?? null);
  if (begun.ok) must(await byHand.abandon({ reference: begun.value.task }));
}

/** What `run` or the daemon begins. */
async function checkEngine(shop: Shop, door: "run" | "daemon", { tasks, answers }: Prepared): Promise<void> {
  const engine = new Engine(shop.services, { obeysLevels: door === "daemon", workers: 1 });
  const ranked = tasks.filter(({ id }) => answers.get(id)?.self.every((hold) => isOverlap(hold)));
  const firstFree = ranked.findIndex(({ id }) => answers.get(id)?.[door].length === 0);
  const { started, held } = must(await engine.tick());
  const attempts = await shop.attempts();
  await engine.stop();
  expect(started).toHaveLength(firstFree < 0 ? 0 : 1);
  expect(firstFree < 0 ? undefined : attempts.at(-1)?.taskId).toBe(ranked[firstFree]?.id);
  const before = firstFree < 0 ? ranked : ranked.slice(0, firstFree);
  expect([...held]).toEqual(before.map(({ id }) => [id, withoutWorkers(answers.get(id)?.[door] ?? [])]));
}

const isOverlap = ({ reason }: Hold): boolean => reason === "conflict";

/** The engine looks for a worker only when nothing else holds the task. */
const withoutWorkers = (held: readonly Hold[]): readonly Hold[] =>
  held.length > 1 ? held.filter(({ reason }) => reason !== "no-worker") : held;

it("show, why and next agree about a task for the same asker (property)", async () => {
  const agree = fc.assert(
    fc.asyncProperty(scenario, async (random) => {
      const plan = await planIn(random);
      const prepared = await prepare(plan, random);
      for (const each of prepared.answers.values()) checkAskers(each);
      await checkReads(plan, prepared);
      await checkClaims(plan, prepared);
      await plan.store.close();
    }),
    { numRuns: 60 },
  );
  await expect(agree).resolves.toBeUndefined();
});

it("what begins real work agrees with them (property)", { timeout: 300_000 }, async () => {
  const agree = fc.assert(
    fc.asyncProperty(scenario, async (random) => {
      const shop = await shopIn(random);
      const prepared = await prepare(shop.plan, random);
      await (random.door === "work" ? checkHandWork(shop, prepared) : checkEngine(shop, random.door, prepared));
    }),
    { numRuns: 12 },
  );
  await expect(agree).resolves.toBeUndefined();
});
