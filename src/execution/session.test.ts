import { describe, expect, it } from "vitest";
import { addAll, must, mustFail } from "../../test/plan.js";
import { fileTask, openShop, type Shop } from "../../test/shop.js";
import { approve } from "../actions/approve.js";
import { start } from "../actions/start.js";
import type { Failure } from "../graph/result.js";
import { work } from "./session.js";

const refusedRun = async (shop: Shop, task: string): Promise<Failure> =>
  mustFail(
    await work(shop.services, { task, workers: 1, signal: new AbortController().signal, onEvent: () => undefined }),
  );

describe("a run of one task that cannot begin says why", () => {
  it("when it is in no feature", async () => {
    const shop = await openShop([fileTask("one")]);
    await addAll(shop.plan, [fileTask("out", { parent: "MISSION" })]);
    must(await approve(shop.plan, { references: ["T-out"] }));
    expect(await refusedRun(shop, "T-out")).toMatchObject({
      reason: "no-feature",
      message: "T-out is in no feature, so its work has no branch to go to.",
    });
    expect([await shop.attempts(), (await shop.plan.view("T-out")).status]).toEqual([[], "ready"]);
  });

  it("when somebody is at work on the same files, and who", async () => {
    const shop = await openShop([fileTask("one", { files: ["src/a.ts"] }), fileTask("two", { files: ["src/"] })]);
    must(await start(shop.plan, { reference: "T-one" }));
    const error = await refusedRun(shop, "T-two");
    expect([error.reason, error.message, error.details?.["because"]]).toEqual([
      "conflict",
      expect.stringContaining("T-one"),
      ["T-one"],
    ]);
    expect(await shop.attempts()).toEqual([]);
  });
});
