import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { must } from "../../../test/plan.js";
import { fileTask, openShop, type Shop } from "../../../test/shop.js";
import { freeze } from "../../verbs/branch/freeze.js";
import { Engine } from "../tick/engine.js";
import { removeIdleWorktrees } from "../worktree/worktree-pool.js";

interface SlowShop extends Shop {
  readonly begun: Promise<void>;
  /** Lets the worker of T-one end, once it was stopped. */
  end(): void;
}

/** The worker of T-one goes on until it is stopped, and takes a while to end. */
async function slowShop(): Promise<SlowShop> {
  let end = (): void => undefined;
  const mayEnd = new Promise<void>((done) => {
    end = done;
  });
  let begin = (): void => undefined;
  const begun = new Promise<void>((done) => {
    begin = done;
  });
  const shop = await openShop([fileTask("one"), fileTask("two"), fileTask("three")], {
    doing: async ({ cwd, task }, { signal }) => {
      writeFileSync(join(cwd, `${task.id.slice(2)}.txt`), "begun\n");
      if (task.id !== "T-one") return {};
      const stopped = new Promise<void>((stop) => signal.addEventListener("abort", () => stop(), { once: true }));
      begin();
      await stopped;
      await mayEnd;
      writeFileSync(join(cwd, "one.txt"), "still writing\n");
      return { ending: "cancelled" };
    },
  });
  return { ...shop, begun, end };
}

const program = (shop: Shop, process: string, isAlive: boolean): Engine =>
  new Engine({ ...shop.services, process, isAlive: () => isAlive }, { obeysLevels: false, workers: 1 });

async function takenAway(shop: SlowShop, driver: string): Promise<Engine> {
  const first = program(shop, driver, true);
  must(await first.tick());
  await shop.begun;
  must(await freeze(shop.plan, { references: ["T-one"] }));
  return first;
}

const slots = async (shop: Shop): Promise<string[]> =>
  (await shop.attempts()).map(({ taskId, state, slot }) => `${taskId} ${state} ${slot}`);

describe("the worktree of an attempt that was declared lost", () => {
  it("stays its own while its program lives, and is free when its worker was stopped", async () => {
    const shop = await slowShop();
    const first = await takenAway(shop, "test/1");
    const second = program(shop, "test/2", true);
    must(await second.tick());
    await second.oneEnded();
    await removeIdleWorktrees({ ...shop.services, process: "test/2" });
    expect(await slots(shop)).toEqual(["T-one lost 1", "T-two accepted 2"]);
    expect(shop.git("worktree", "list")).toContain("slot-1");
    shop.end();
    await first.oneEnded();
    expect((await slots(shop))[0]).toBe("T-one lost null");
    must(await second.tick());
    await second.oneEnded();
    expect((await slots(shop))[2]).toBe("T-three accepted 1");
    const feature = "planwright/feature/FEAT-A";
    expect(shop.git("diff", "--name-only", "main", feature).split("\n")).toEqual(["three.txt", "two.txt"]);
  });

  it.each([
    ["its program is dead", "test/1", false],
    ["its program is on another machine", "elsewhere/1", true],
  ])("is free at once if %s", async (_, driver, isAlive) => {
    const shop = await slowShop();
    const first = await takenAway(shop, driver);
    const second = program(shop, "test/2", isAlive);
    must(await second.tick());
    expect((await slots(shop)).map((line) => line.at(-1))).toEqual(["l", "1"]);
    shop.end();
    await Promise.all([first.stop(), second.stop()]);
  });

  it("is free when its own program finds the claim gone, and what it did is kept once", async () => {
    const shop = await slowShop();
    const first = await takenAway(shop, "test/1");
    shop.end();
    await first.oneEnded();
    expect(await slots(shop)).toEqual(["T-one lost null"]);
    expect(shop.git("show", "refs/planwright/kept/ATT-00001:one.txt")).toBe("still writing");
    expect(shop.events.filter(({ type }) => type === "end")).toHaveLength(1);
  });
});
