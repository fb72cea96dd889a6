import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { addAll, must } from "../../../test/plan.js";
import { fileTask, openShop, type Shop } from "../../../test/shop.js";
import { spelled } from "../../../test/spelled.js";
import { landFeature } from "../../engine/landing/land.js";
import { answer } from "../../plan/answer/answer.js";
import { listQuestions } from "../../plan/answer/list-questions.js";
import { start } from "../../plan/claim/start.js";
import { setLevel } from "../../plan/level/level.js";
import { approve } from "../../plan/node/approve.js";
import { type Why, why } from "./why-node.js";

const lastOf = async (shop: Shop, id: string): Promise<Why["chain"][number] | undefined> =>
  must(await why(shop.plan, id)).chain.at(-1);

const wordsOn = async (shop: Shop, id: string): Promise<readonly string[]> =>
  (await lastOf(shop, id))?.sentences.slice(1) ?? [];

const commandsOn = async (shop: Shop, id: string): Promise<readonly string[]> =>
  spelled(must(await why(shop.plan, id)));

const LEVEL_OFF = "The level is off, so the daemon does not start it.";

describe("why a ready task is not begun", () => {
  it("is the level, also where nothing was ever tried, and whoever waits for it is told", async () => {
    const shop = await openShop([fileTask("one"), fileTask("two", { dependsOn: ["T-one"] })]);
    for (const id of ["T-one", "T-two"]) {
      expect(await wordsOn(shop, id)).toEqual([LEVEL_OFF]);
      expect(await commandsOn(shop, id)).toEqual(["planwright next T-one", "planwright level on"]);
    }
    must(await setLevel(shop.plan, { level: "on" }));
    expect(await wordsOn(shop, "T-one")).toEqual([]);
    expect(await commandsOn(shop, "T-one")).toEqual(["planwright next T-one"]);
    must(await setLevel(shop.plan, { level: "off", in: "FEAT-A" }));
    expect(await wordsOn(shop, "T-one")).toEqual(["The level of FEAT-A is off, so the daemon does not start it."]);
    expect(await commandsOn(shop, "T-one")).toContain("planwright level on --in FEAT-A");
  });

  it("is that somebody is at work on the same files", async () => {
    const shop = await openShop([fileTask("one"), fileTask("two", { files: ["one.txt"] })]);
    must(await setLevel(shop.plan, { level: "on" }));
    must(await start(shop.plan, { reference: "T-one" }));
    const { reason, because, chain } = must(await why(shop.plan, "T-two"));
    expect([reason, because]).toEqual(["conflict", ["T-one"]]);
    expect(chain[0]?.sentences).toEqual(["T-two touches the same files as T-one (one.txt), which is in progress."]);
    expect(await commandsOn(shop, "T-two")).toEqual(["planwright complete T-one"]);
  });

  it("is a storm, until its pause is over, whether anybody was asked about it or not", async () => {
    const storm = { failures: 2, minutes: 10, pauseMinutes: 30 };
    const shop = await openShop([fileTask("one"), fileTask("two")], {
      policy: { storm, fixes: 0 },
      doing: () => ({ ending: "crashed", problem: "no idea" }),
    });
    must(await setLevel(shop.plan, { level: "on" }));
    await shop.workThrough();
    await addAll(shop.plan, [fileTask("three")]);
    must(await approve(shop.plan, { references: ["T-three"] }));
    expect(await wordsOn(shop, "T-three")).toEqual([
      "Work on its feature pauses until 2026-01-01 00:30: too many attempts of its feature failed within 10 minutes.",
    ]);
    expect(await commandsOn(shop, "T-three")).toEqual([
      "planwright next T-three",
      "planwright run T-three",
      "planwright attempt",
    ]);
    shop.plan.pass(31 * 60_000);
    expect(await wordsOn(shop, "T-three")).toEqual([]);
  });

  it("is a pause after a failure, or that it is in no feature", async () => {
    const shop = await openShop([fileTask("one")], {
      doing: () => ({ ending: "crashed", problem: "connect ECONNRESET" }),
    });
    await shop.workThrough();
    const pause = expect.stringMatching(/^T-one failed \(.*ECONNRESET.*\) and is tried again at .*\d\.$/);
    expect(await wordsOn(shop, "T-one")).toEqual([LEVEL_OFF, pause]);
    must(await setLevel(shop.plan, { level: "on" }));
    expect(await wordsOn(shop, "T-one")).toEqual([pause]);
    shop.plan.pass(61_000);
    expect(await wordsOn(shop, "T-one")).toEqual([]);
    await addAll(shop.plan, [{ id: "T-out", tier: "task", title: "Out", parent: "MISSION" }]);
    must(await approve(shop.plan, { references: ["T-out"] }));
    expect(await wordsOn(shop, "T-out")).toEqual([expect.stringContaining("in no feature")]);
    expect(await commandsOn(shop, "T-out")).toContain("planwright move T-out --to NODE");
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
    const stopped = [
      expect.stringMatching(/^Work on its feature stops, because a budget is spent: .*110 of 100 tokens/),
    ];
    expect(await wordsOn(shop, "T-two")).toEqual(stopped);
    expect(await commandsOn(shop, "T-two")).toEqual(["planwright next T-two", "planwright run T-two"]);
    // The day's budget is everybody's, also where nobody has asked yet.
    await addAll(shop.plan, [
      { id: "FEAT-B", tier: "feature", title: "Feature B", parent: "MISSION" },
      fileTask("other", { parent: "FEAT-B" }),
    ]);
    must(await approve(shop.plan, { references: ["FEAT-B"] }));
    expect(await wordsOn(shop, "T-other")).toEqual([
      expect.stringMatching(/^Work on its feature stops, because a budget is spent/),
    ]);
    const [asked] = must(await listQuestions(shop.plan, {}));
    must(await answer(shop.plan, { id: asked?.id ?? "", option: "seen" }));
    expect(await wordsOn(shop, "T-two")).toEqual(stopped);
  });
});

it("why a feature has not landed says how the last landing ended, and the command that lands it", async () => {
  const shop = await openShop([fileTask("one", { checks: [{ run: "test ! -f other.txt" }] })]);
  await shop.workThrough();
  shop.repository.commit({ "other.txt": "other\n" });
  expect(await wordsOn(shop, "FEAT-A-LAND")).toEqual([]);
  expect((await landFeature({ ...shop.services, context: shop.plan }, "FEAT-A")).ok).toBe(false);
  expect(await wordsOn(shop, "FEAT-A-LAND")).toEqual([
    expect.stringMatching(/^ATT-00002 tried to land it and failed: .*failed/),
  ]);
  expect(spelled(must(await why(shop.plan, "FEAT-A-LAND")))).toEqual(["planwright land FEAT-A"]);
});
