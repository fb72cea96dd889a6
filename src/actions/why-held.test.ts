import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { addAll, must } from "../../test/plan.js";
import { fileTask, openShop, type Shop } from "../../test/shop.js";
import { land } from "../execution/land.js";
import { answer } from "./answer.js";
import { approve } from "./approve.js";
import { drop } from "./drop.js";
import { escalations } from "./escalations.js";
import { setLevel } from "./level.js";
import { why } from "./why.js";

const wordsOn = async (shop: Shop, id: string): Promise<readonly string[]> =>
  must(await why(shop.plan, id))
    .chain.at(-1)
    ?.sentences.slice(1) ?? [];

const LEVEL_OFF = "The level is off, so a daemon does not begin it.";

describe("why a ready task is not begun", () => {
  it("is not asked where nothing was ever tried", async () => {
    const shop = await openShop([fileTask("one")]);
    expect(await wordsOn(shop, "T-one")).toEqual([]);
  });

  it("is a pause after a failure, the level, or that it is in no feature", async () => {
    const shop = await openShop([fileTask("one")], {
      doing: () => ({ ending: "crashed", problem: "connect ECONNRESET" }),
    });
    await shop.workThrough();
    const pause = expect.stringMatching(/^After a failure \(.*ECONNRESET.*\) it is tried again at .* UTC\.$/);
    expect(await wordsOn(shop, "T-one")).toEqual([LEVEL_OFF, pause]);
    must(await setLevel(shop.plan, { level: "on" }));
    expect(await wordsOn(shop, "T-one")).toEqual([pause]);
    shop.plan.pass(61_000);
    expect(await wordsOn(shop, "T-one")).toEqual([]);
    await addAll(shop.plan, [{ id: "T-out", tier: "task", title: "Out", parent: "MISSION" }]);
    must(await approve(shop.plan, { references: ["T-out"] }));
    expect(await wordsOn(shop, "T-out")).toEqual([expect.stringContaining("in no feature")]);
  });

  it("is work on its feature that has stopped, also when the person who was asked has seen it", async () => {
    const shop = await openShop([fileTask("one"), fileTask("two")], {
      policy: { dayTokens: 100 },
      doing: ({ cwd, task }) => {
        writeFileSync(join(cwd, `${task.id.slice(2)}.txt`), "x\n");
        return { usage: { inputTokens: 90, outputTokens: 20, costUsd: null } };
      },
    });
    must(await setLevel(shop.plan, { level: "on" }));
    await shop.workThrough(shop.engine({ workers: 1 }));
    const stopped = [expect.stringMatching(/^Work on FEAT-A stops: its budget is spent\. .*110 of 100 tokens/)];
    expect(await wordsOn(shop, "T-two")).toEqual(stopped);
    const [asked] = must(await escalations(shop.plan, {}));
    must(await answer(shop.plan, { id: asked?.id ?? "", option: "seen" }));
    expect(await wordsOn(shop, "T-two")).toEqual(stopped);
  });
});

it("why a feature has not landed says how the last landing ended, and the command that lands it", async () => {
  const shop = await openShop([fileTask("one", { checks: [{ run: "test ! -f other.txt" }] })]);
  must(await drop(shop.plan, { reference: "STORY-A" }));
  await shop.workThrough();
  shop.repository.commit({ "other.txt": "other\n" });
  expect(await wordsOn(shop, "FEAT-A-LAND")).toEqual([]);
  expect((await land({ ...shop.services, context: shop.plan }, "FEAT-A")).ok).toBe(false);
  expect(await wordsOn(shop, "FEAT-A-LAND")).toEqual([
    expect.stringMatching(/^It was tried before \(ATT-00002\): .*failed/),
  ]);
  expect(must(await why(shop.plan, "FEAT-A-LAND")).unblock).toEqual(["planwright land FEAT-A"]);
});
