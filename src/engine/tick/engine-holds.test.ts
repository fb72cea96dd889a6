import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { leaveAttempt } from "../../../test/attempts.js";
import { must } from "../../../test/plan.js";
import { fileTask, openShop, type Shop } from "../../../test/shop.js";
import { LANDER } from "../../model/attempt/attempt.js";
import type { NodeInput } from "../../model/node/content.js";
import { phraseOf } from "../../model/status/hold-phrase.js";
import { answer } from "../../plan/answer/answer.js";
import { listQuestions } from "../../plan/answer/list-questions.js";
import { reset } from "../../plan/claim/settle-tasks.js";
import { approve } from "../../plan/node/approve.js";
import { edit } from "../../verbs/node/edit.js";

const OTHER: NodeInput = { id: "FEAT-B", tier: "feature", title: "B", parent: "MISSION" };

/** Tasks are done in this order; those whose name begins with "bad" cannot be. */
async function inOrder(names: readonly string[], failures: number): Promise<Shop> {
  const tasks = names.map((name) => fileTask(name, name.startsWith("b-") ? { parent: "FEAT-B" } : {}));
  const shop = await openShop([OTHER, ...tasks], {
    policy: { storm: { failures, minutes: 10, pauseMinutes: 30 }, fixes: 0 },
    doing: ({ cwd, task }) => {
      shop.plan.pass(1000);
      if (task.id.includes("bad")) return { ending: "gave-up", failure: { class: "design", reason: "cannot be done" } };
      writeFileSync(join(cwd, `${task.id.slice(2)}.txt`), "x\n");
      return {};
    },
  });
  must(await approve(shop.plan, { references: ["FEAT-B"] }));
  return shop;
}

/** One after the other, whatever the engine would choose. */
async function runOnly(shop: Shop, ...names: string[]): Promise<void> {
  for (const name of names) await shop.workThrough(shop.engine({ within: `T-${name}` }));
}

async function heldBack(shop: Shop, name: string): Promise<string | undefined> {
  const { held } = must(await shop.engine({ within: `T-${name}`, workers: 1 }).tick());
  return held.get(`T-${name}`)?.map(phraseOf).join();
}

/** Answers what is asked about a stop: how many questions there were. */
async function seen(shop: Shop): Promise<number> {
  const open = must(await listQuestions(shop.plan, {})).filter(({ kind }) => kind === "budget");
  for (const { id } of open) must(await answer(shop.plan, { id, option: "seen" }));
  return open.length;
}

describe("a storm", () => {
  it("is over with a success of its own feature, also if another had one since", async () => {
    const shop = await inOrder(["bad1", "good", "b-good", "bad2", "last"], 2);
    await runOnly(shop, "bad1", "good", "b-good", "bad2");
    expect((await shop.attempts()).map(({ state }) => state)).toEqual(["failed", "accepted", "accepted", "failed"]);
    await runOnly(shop, "last");
    expect((await shop.attempts()).at(-1)).toMatchObject({ taskId: "T-last", state: "accepted" });
  });

  it("is not over with a success of another", async () => {
    const shop = await inOrder(["bad1", "bad2", "b-good", "last"], 2);
    await runOnly(shop, "bad1", "bad2", "b-good");
    expect(await heldBack(shop, "last")).toContain("too many attempts of its feature failed");
  });

  it("is not made by landings that failed, and not ended by one that came off", async () => {
    const shop = await inOrder(["bad1", "bad2", "last"], 2);
    const landing = (state: "failed" | "accepted"): Promise<string> =>
      leaveAttempt(shop.plan, "FEAT-A-LAND", { state, worker: LANDER });
    for (let i = 0; i < 2; i++) await landing("failed");
    await runOnly(shop, "bad1", "bad2");
    expect((await shop.attempts()).filter(({ taskId }) => taskId.startsWith("T-bad"))).toHaveLength(2);
    shop.plan.pass(1000);
    await landing("accepted");
    expect(await heldBack(shop, "last")).toContain("too many");
  });

  it("is over at once when a person answers that work goes on", async () => {
    const shop = await inOrder(["bad1", "bad2", "last"], 2);
    await runOnly(shop, "bad1", "bad2");
    expect(await heldBack(shop, "last")).toContain("too many");
    const asked = must(await listQuestions(shop.plan)).find(({ kind }) => kind === "budget");
    expect(asked?.options.map(({ id }) => id)).toEqual(["seen", "go-on"]);
    shop.plan.pass(1000);
    expect(must(await answer(shop.plan, { id: asked?.id ?? "", option: "go-on" })).did).toBe("Work on FEAT-A goes on");
    await runOnly(shop, "last");
    expect((await shop.attempts()).at(-1)).toMatchObject({ taskId: "T-last", state: "accepted" });
  });

  it("is over at once when a person resets a task that failed, and not when an agent does", async () => {
    const shop = await inOrder(["bad1", "bad2", "last"], 2);
    await runOnly(shop, "bad1", "bad2");
    shop.plan.pass(1000);
    must(await edit(shop.plan, { reference: "T-bad1", attempts: 9 }));
    must(await reset(shop.plan.as("agent:bot"), { references: ["T-bad1"] }));
    expect(await heldBack(shop, "last")).toContain("too many");
    must(await reset(shop.plan, { references: ["T-bad2"] }));
    await runOnly(shop, "last");
    expect((await shop.attempts()).at(-1)).toMatchObject({ taskId: "T-last", state: "accepted" });
  });

  it("is asked about once, also when it goes on after the pause; the next one is another", async () => {
    const shop = await inOrder(["bad1", "bad2", "bad3", "good", "bad4", "bad5", "last"], 2);
    await runOnly(shop, "bad1", "bad2");
    expect([await heldBack(shop, "last"), await seen(shop)]).toEqual([expect.stringContaining("too many"), 1]);
    expect([await heldBack(shop, "last"), await seen(shop)]).toEqual([expect.stringContaining("too many"), 0]);
    shop.plan.pass(31 * 60_000);
    await runOnly(shop, "bad3");
    expect([await heldBack(shop, "last"), await seen(shop)]).toEqual([expect.stringContaining("too many"), 0]);
    shop.plan.pass(31 * 60_000);
    await runOnly(shop, "good", "bad4", "bad5");
    expect([await heldBack(shop, "last"), await seen(shop)]).toEqual([expect.stringContaining("too many"), 1]);
  });
});

it("a budget that is spent is asked about once, until work has begun again", async () => {
  const shop = await openShop([fileTask("one"), fileTask("two"), fileTask("three")], {
    policy: { dayTokens: 100 },
    doing: ({ cwd, task }) => {
      shop.plan.pass(1000);
      writeFileSync(join(cwd, `${task.id.slice(2)}.txt`), "x\n");
      return { usage: { inputTokens: 90, outputTokens: 20, costUsd: null } };
    },
  });
  for (const questions of [1, 0]) {
    await shop.workThrough(shop.engine({ workers: 1 }));
    expect([(await shop.attempts()).length, await seen(shop)]).toEqual([1, questions]);
  }
  shop.plan.pass(24 * 3_600_000);
  for (const questions of [1, 0]) {
    await shop.workThrough(shop.engine({ workers: 1 }));
    expect([(await shop.attempts()).length, await seen(shop)]).toEqual([2, questions]);
  }
});

it("what was spent is summed once per tick, however many tasks are ready", async () => {
  const shop = await openShop(
    ["one", "two", "three", "four"].map((name) => fileTask(name)),
    { policy: { dayTokens: 1 }, doing: () => ({ usage: { inputTokens: 9, outputTokens: 0, costUsd: null } }) },
  );
  await shop.workThrough(shop.engine({ workers: 1 }));
  let sums = 0;
  const { store } = shop.plan;
  const read = store.read.bind(store);
  vi.spyOn(store, "read").mockImplementation((look) =>
    read((reader) => {
      const items = reader.items.bind(reader);
      const counted: typeof reader.items = (entity, query) => {
        if (entity === "attempt" && query.owner === undefined && query.state === undefined && query.limit !== 1) sums++;
        return items(entity, query);
      };
      return look(new Proxy(reader, { get: (of, key) => (key === "items" ? counted : bound(of, key)) }));
    }),
  );
  expect([must(await shop.engine({ workers: 1 }).tick()).held.size, sums]).toEqual([4, 1]);
});

/** Its methods need their own object. */
function bound(of: object, key: string | symbol): unknown {
  const value: unknown = Reflect.get(of, key);
  return typeof value === "function" ? value.bind(of) : value;
}
