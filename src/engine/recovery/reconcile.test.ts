import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { must } from "../../../test/plan.js";
import { fileTask, openShop, type Shop } from "../../../test/shop.js";
import { hasEnded } from "../../model/attempt/attempt.js";
import { parkedTask } from "../ending/decide-failure.js";
import type { EngineEvent, EngineServices } from "../services.js";
import { Engine } from "../tick/engine.js";
import { reconcile } from "./reconcile.js";

const FEATURE = "planwright/feature/FEAT-A";

/** A program that dies at a moment: from then on nothing that it does reaches anybody. */
class Killed extends Error {}

interface Driven {
  readonly dead: boolean;
  /** How many states were said, and how many operations were begun. */
  readonly states: number;
  readonly operations: number;
}

/** Drives one attempt with a program that is killed right after an event, or before an operation. */
async function driven(
  shop: Shop,
  dies: (event: EngineEvent, count: number) => boolean,
  before: (verb: string) => boolean,
): Promise<Driven> {
  let [dead, count, operations] = [false, 0, 0];
  const { context } = shop.services;
  const store = {
    ...context.store,
    commit: (...args: Parameters<typeof context.store.commit>) => {
      if (!dead) operations++;
      dead ||= before(args[0].verb);
      return dead ? Promise.reject(new Killed()) : context.store.commit(...args);
    },
    read: context.store.read.bind(context.store),
  } as typeof context.store;
  const first: EngineServices = {
    ...shop.services,
    context: { ...context, store },
    process: "test/dead",
    onEvent: (event) => {
      dead ||= event.type === "state" && dies(event, ++count);
      if (dead) throw new Killed();
    },
  };
  const engine = new Engine(first, { obeysLevels: false, workers: 1 });
  await engine.tick().catch(() => undefined);
  await engine.oneEnded().catch(() => undefined);
  return { dead, states: count, operations };
}

/** Then another one can take over. */
async function killedAfter(
  shop: Shop,
  dies: (event: EngineEvent, count: number) => boolean,
  before: (verb: string) => boolean = () => false,
): Promise<void> {
  expect((await driven(shop, dies, before)).dead).toBe(true);
}

const survivor = (shop: Shop): Engine =>
  new Engine(
    { ...shop.services, process: "test/2", isAlive: (driver) => driver !== "test/dead" },
    { obeysLevels: false, workers: 1 },
  );

async function expectDoneOnce(shop: Shop): Promise<void> {
  const engine = survivor(shop);
  await shop.workThrough(engine);
  await engine.stop();
  const attempts = await shop.attempts();
  expect(attempts.filter(({ state }) => state === "accepted").length).toBe(1);
  expect(attempts.every(({ state }) => hasEnded(state))).toBe(true);
  expect(shop.git("log", "--format=%s", FEATURE).split("\n")).toEqual(["T-one: Make one", "begin"]);
  expect((await shop.plan.view("T-one")).status).toBe("done");
  expect((await shop.plan.view("T-one")).report?.commit).toBe(shop.git("rev-parse", FEATURE));
  expect(shop.git("for-each-ref", "--format=%(refname)", "refs/heads/planwright/attempt")).toBe("");
  expect(shop.git("worktree", "list").split("\n").length).toBe(1);
  expect((await shop.plan.store.verify()).differences).toEqual([]);
}

describe("an attempt whose program was killed", () => {
  /** The states that are said in the life of one, in order, and its operations. */
  const states = [1, 2, 3, 4, 5, 6];
  const operations = [1, 2, 3, 4, 5, 6, 7];
  const never = (): boolean => false;

  it("is killed at each of its moments below, and there are no more", async () => {
    const whole = { dead: false, states: states.length, operations: operations.length };
    expect(await driven(await openShop([fileTask("one")]), never, never)).toEqual(whole);
  });

  it("has said no state that is not written down", async () => {
    const shop = await openShop([fileTask("one")]);
    const { context, onEvent } = shop.services;
    const wrong: string[] = [];
    const looks: Promise<void>[] = [];
    const look = async (key: string, state: string): Promise<void> => {
      const item = await context.store.read((reader) => reader.item("attempt", key));
      if (!item?.fields.steps.some((step) => step.state === state)) wrong.push(state);
    };
    Object.assign(shop.services, {
      onEvent: (event: EngineEvent) => {
        if (event.type === "state") looks.push(look(event.attempt, event.state));
        onEvent(event);
      },
    });
    await shop.workThrough();
    await Promise.all(looks);
    expect([looks.length > 3, wrong]).toEqual([true, []]);
  });

  it("has what its worker used written down, whoever is killed after the turn", async () => {
    let turned = false;
    const shop = await openShop([fileTask("one")], {
      doing: async ({ cwd }) => {
        writeFileSync(join(cwd, "one.txt"), "one\n");
        turned = true;
        return { usage: { inputTokens: 70, outputTokens: 7, costUsd: 0.5 } };
      },
    });
    let after = 0;
    await killedAfter(shop, never, () => turned && ++after === 2);
    expect((await shop.attempts())[0]).toMatchObject({
      state: "working",
      usage: { inputTokens: 70, outputTokens: 7, costUsd: 0.5 },
    });
    await expectDoneOnce(shop);
  });

  it.each(states)(
    "after step %i is finished or rolled back by the next tick, and the task is done once",
    async (moment) => {
      const shop = await openShop([fileTask("one")]);
      await killedAfter(shop, (_, count) => count === moment);
      await expectDoneOnce(shop);
      expect((await shop.attempts()).length).toBeLessThanOrEqual(2);
    },
  );

  it.each(operations)("before operation %i is finished or rolled back in the same way", async (moment) => {
    const shop = await openShop([fileTask("one")]);
    let count = 0;
    await killedAfter(
      shop,
      () => false,
      () => ++count === moment,
    );
    await expectDoneOnce(shop);
    expect((await shop.attempts()).length).toBeLessThanOrEqual(2);
  });

  it("after the branch had moved, before anybody wrote down that the task is done, is accepted by the next tick", async () => {
    const shop = await openShop([fileTask("one")]);
    await killedAfter(
      shop,
      () => false,
      (verb) => verb === "complete",
    );
    expect((await shop.attempts())[0]?.state).toBe("integrating");
    const moved = shop.git("rev-parse", FEATURE);
    await expectDoneOnce(shop);
    expect([shop.git("rev-parse", FEATURE), (await shop.attempts()).length]).toEqual([moved, 1]);
  });

  it.each([
    ["seen among all", Array.isArray],
    ["looked at", (seen: unknown) => (seen as { key?: string } | undefined)?.key === "ATT-00001"],
  ])("and has put its work on the branch after it was %s is accepted all the same", async (_, isLook) => {
    let wake = (): void => undefined;
    const asleep = new Promise<void>((go) => {
      wake = go;
    });
    const shop = await openShop([fileTask("one")], {
      doing: async ({ cwd }) => {
        writeFileSync(join(cwd, "one.txt"), "one\n");
        await asleep;
        return {};
      },
    });
    const killed = killedAfter(shop, never, (verb) => verb === "complete");
    await expect.poll(async () => (await shop.attempts())[0]?.state).toBe("working");
    const { store } = shop.services.context;
    const read: typeof store.read = async (work) => {
      const seen = await store.read(work);
      if (isLook(seen)) {
        wake();
        await killed;
      }
      return seen;
    };
    const context = { ...shop.services.context, store: { ...store, commit: store.commit.bind(store), read } };
    const isAlive = (driver: string): boolean => driver !== "test/dead";
    await reconcile({ ...shop.services, context, isAlive }, new Set());
    expect((await shop.attempts()).map(({ state }) => state)).toEqual(["accepted"]);
    await expectDoneOnce(shop);
  });

  it("keeps what it had done, uncommitted changes too", async () => {
    let worked = false;
    const shop = await openShop([fileTask("one")], {
      doing: async ({ cwd, attempt }) => {
        writeFileSync(join(cwd, "one.txt"), `${attempt}\n`);
        worked = true;
        return {};
      },
    });
    await killedAfter(
      shop,
      () => false,
      () => worked,
    );
    await expectDoneOnce(shop);
    expect(shop.git("show", "refs/planwright/kept/ATT-00001:one.txt")).toBe("ATT-00001");
  });

  it("moves no branch if it wakes up after it was declared lost", async () => {
    let wake = (): void => undefined;
    const asleep = new Promise<void>((go) => {
      wake = go;
    });
    const shop = await openShop([fileTask("one")], {
      doing: async ({ cwd, attempt }) => {
        writeFileSync(join(cwd, "one.txt"), `${attempt}\n`);
        if (attempt === "ATT-00001") await asleep;
        return {};
      },
    });
    const sleeper = new Engine({ ...shop.services, process: "test/dead" }, { obeysLevels: false, workers: 1 });
    must(await sleeper.tick());
    const over = sleeper.oneEnded();
    await expect.poll(async () => (await shop.attempts())[0]?.state).toBe("working");
    const engine = survivor(shop);
    await shop.workThrough(engine);
    wake();
    await over;
    await engine.stop();
    expect((await shop.attempts()).map(({ state }) => state)).toEqual(["lost", "accepted"]);
    expect(shop.git("show", `${FEATURE}:one.txt`)).toBe("ATT-00002");
    expect(shop.git("log", "--format=%s", FEATURE).split("\n").length).toBe(2);
  });

  it("is freed by the end of its lease if nobody can tell whether it lives", async () => {
    const shop = await openShop([fileTask("one")]);
    await killedAfter(shop, (_, count) => count === 3);
    const elsewhere = new Engine(shop.services, { obeysLevels: false, workers: 1 });
    expect(must(await elsewhere.tick()).started).toEqual([]);
    shop.plan.pass(41 * 60_000);
    await shop.workThrough(elsewhere);
    expect((await shop.attempts()).map(({ state }) => state)).toEqual(["lost", "accepted"]);
  });
});

it("a task that goes to a person keeps the freeze that somebody else has put on it", () => {
  const claim = { by: "agent:a", token: "t", epoch: 1, at: 1, until: 2 };
  const settling = { by: "agent:a", at: 3, op: 4 };
  const failure = { class: "logic", action: "park", reason: "why", fingerprint: "", notBefore: null } as const;
  const freeze = { reason: "why", by: "agent:a", at: 3, from: 1, commit: null };
  expect(parkedTask({ failure, freeze: null }, claim, settling)).not.toHaveProperty("freeze");
  expect(parkedTask({ failure, freeze }, claim, settling)).toMatchObject({ freeze });
});
