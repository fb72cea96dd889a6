import { expect, it } from "vitest";
import { must } from "../../test/plan.js";
import { fileTask, openShop } from "../../test/shop.js";
import { accept } from "../actions/accept.js";
import { integrateAccepted } from "./integrate-accepted.js";

const FEATURE = "planwright/feature/FEAT-A";

it.each(["before", "after"])(
  "is finished with its commit by the next program if the first was killed %s the branch moved",
  async (when) => {
    const shop = await openShop([fileTask("one", { checks: [] })]);
    await shop.workThrough();
    must(await accept(shop.plan, { reference: "T-one", reason: "looked at it" }));
    const { context } = shop.services;
    let commits = 0;
    const store = {
      ...context.store,
      read: context.store.read.bind(context.store),
      commit: async (...args: Parameters<typeof context.store.commit>) => {
        if (++commits > 1) throw new Error("killed");
        const committed = await context.store.commit(...args);
        if (when === "before") throw new Error("killed");
        return committed;
      },
    } as typeof context.store;
    await expect(integrateAccepted({ ...shop.services, context: { ...context, store } })).rejects.toThrow("killed");
    expect((await shop.attempts())[0]?.state).toBe("pending");
    const isMoved = shop.git("rev-parse", FEATURE) !== shop.git("rev-parse", "main");
    expect(isMoved).toBe(when === "after");
    expect(await integrateAccepted(shop.services)).toEqual(["ATT-00001"]);
    expect(shop.git("log", "--format=%s", FEATURE).split("\n")).toEqual(["T-one: Make one", "begin"]);
    const tip = shop.git("rev-parse", FEATURE);
    expect((await shop.plan.view("T-one")).report?.commit).toBe(tip);
    expect((await shop.attempts())[0]).toMatchObject({ state: "accepted", merged: tip, kept: null });
    expect(shop.git("for-each-ref", "refs/planwright")).toBe("");
  },
);
