import { expect, it } from "vitest";
import { must } from "../../test/plan.js";
import { fileTask, openShop } from "../../test/shop.js";
import { accept } from "../actions/accept.js";
import { integrateAccepted } from "./integrate-accepted.js";
import type { Services } from "./services.js";

const FEATURE = "planwright/feature/FEAT-A";

/** A program that is killed before its second operation, or after its first. */
function doomed(services: Services, when: "before" | "after"): Services {
  const { context } = services;
  let commits = 0;
  const commit: typeof context.store.commit = async (...args) => {
    if (++commits > 1) throw new Error("killed");
    const committed = await context.store.commit(...args);
    if (when === "before") throw new Error("killed");
    return committed;
  };
  return withStore(services, { commit });
}

function withStore({ context, ...services }: Services, part: Partial<Services["context"]["store"]>): Services {
  const { store } = context;
  const whole = { ...store, read: store.read.bind(store), commit: store.commit.bind(store), ...part };
  return { ...services, context: { ...context, store: whole as typeof store } };
}

it.each(["before", "after"] as const)(
  "is finished with its commit by the next program if the first was killed %s the branch moved",
  async (when) => {
    const shop = await openShop([fileTask("one", { checks: [] })]);
    await shop.workThrough();
    must(await accept(shop.plan, { reference: "T-one", reason: "looked at it" }));
    await expect(integrateAccepted(doomed(shop.services, when))).rejects.toThrow("killed");
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

it("has its commit written down when another program, killed since, was faster to put it on the branch", async () => {
  const shop = await openShop([fileTask("one", { checks: [] })]);
  await shop.workThrough();
  must(await accept(shop.plan, { reference: "T-one", reason: "looked at it" }));
  const { store } = shop.services.context;
  let looked = false;
  const read: typeof store.read = async (work) => {
    const seen = await store.read(work);
    if (looked) return seen;
    looked = true;
    await expect(integrateAccepted(doomed(shop.services, "after"))).rejects.toThrow("killed");
    return seen;
  };
  expect(await integrateAccepted(withStore(shop.services, { read }))).toEqual(["ATT-00001"]);
  const tip = shop.git("rev-parse", FEATURE);
  expect((await shop.plan.view("T-one")).report?.commit).toBe(tip);
  expect((await shop.attempts())[0]).toMatchObject({ state: "accepted", merged: tip });
});
