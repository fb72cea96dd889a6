import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { must } from "../../test/plan.js";
import { fileTask, openShop, type Shop } from "../../test/shop.js";
import { approve } from "../actions/approve.js";
import type { NodeInput } from "../graph/content.js";

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

const heldBack = async (shop: Shop, name: string): Promise<string | undefined> =>
  must(await shop.engine({ within: `T-${name}`, workers: 1 }).tick()).held.get(`T-${name}`)?.reason;

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
});
