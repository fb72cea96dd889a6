import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { must } from "../../../test/plan.js";
import { fileTask, openShop, type Shop } from "../../../test/shop.js";
import type { Check } from "../../model/node/node.js";
import { accept } from "../../plan/claim/settle-tasks.js";
import { redo, undo } from "../../verbs/history/take-back.js";
import { reconcile } from "../recovery/reconcile.js";

const FEATURE = "planwright/feature/FEAT-A";

/** Each attempt makes a file of its own. */
const workedOn = async (checks: readonly Check[]): Promise<Shop> => {
  const shop = await openShop([fileTask("one", { checks })], {
    doing: ({ cwd, attempt }) => {
      writeFileSync(join(cwd, `${attempt}.txt`), "x\n");
      return {};
    },
  });
  await shop.workThrough();
  return shop;
};

const undoEnd = async (shop: Shop): Promise<number> => {
  const log = await shop.plan.store.read((reader) => reader.operations({ limit: 20 }));
  return must(await undo(shop.plan, String(log.find(({ verb }) => verb === "complete")?.op))).of;
};

const states = async (shop: Shop): Promise<string[]> => (await shop.attempts()).map(({ state }) => state);

describe("the end of an attempt that was taken back", () => {
  it("frees the task, and nobody finishes the attempt once more", async () => {
    const shop = await workedOn([{ run: "true" }]);
    const op = await undoEnd(shop);
    const view = await shop.plan.view("T-one");
    expect([view.status, view.claim, view.outcome]).toEqual(["ready", null, null]);
    expect((await reconcile({ ...shop.services, isAlive: () => false }, new Set())).settled).toEqual([]);
    expect((await shop.plan.view("T-one")).status).toBe("ready");
    must(await redo(shop.plan, op));
    expect([(await shop.plan.view("T-one")).status, await states(shop)]).toEqual(["done", ["accepted"]]);
    await undoEnd(shop);
    await shop.workThrough();
    expect([(await shop.plan.view("T-one")).status, await states(shop)]).toEqual(["done", ["accepted", "accepted"]]);
    expect((await shop.plan.store.verify()).differences).toEqual([]);
  });

  it("leaves what it had handed in out, when another did the task", async () => {
    const shop = await workedOn([]);
    await undoEnd(shop);
    await shop.workThrough();
    expect(await states(shop)).toEqual(["pending", "pending"]);
    must(await accept(shop.plan, { references: ["T-one"], reason: "looked at it" }));
    expect((await reconcile(shop.services, new Set())).settled).toEqual(["ATT-00002"]);
    expect(shop.git("diff", "--name-only", "main", FEATURE)).toBe("ATT-00002.txt");
    expect(shop.git("show", "refs/planwright/kept/ATT-00001:ATT-00001.txt")).toBe("x");
  });
});
