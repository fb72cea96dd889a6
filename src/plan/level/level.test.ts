import { describe, expect, it } from "vitest";
import { ask } from "../../../test/ask.js";
import { makePlan, must, mustFail, task } from "../../../test/plan.js";
import { step } from "../../model/next-step.js";
import { log } from "../../verbs/history/log.js";
import { redo, undo } from "../../verbs/history/take-back.js";
import { readLevel, readLevels, setLevel } from "./level.js";

describe("the level", () => {
  it("is off until a person says otherwise", async () => {
    const plan = await makePlan();
    expect(must(await readLevel(plan))).toEqual({
      feature: null,
      level: "off",
      effective: "off",
      by: null,
      at: null,
      reason: null,
      features: [],
      next: [step("level", { level: "on" }), step("level", { level: "auto" })],
    });
    const set = must(await setLevel(plan, { level: "on", reason: "let us see" }));
    expect(set).toMatchObject({ was: "off", level: "on", effective: "on", by: "human:ada", reason: "let us see" });
    expect(must(await log(plan, { limit: 1 })).operations[0]?.sentence).toBe(
      "human:ada set the level from off to on: let us see",
    );
    expect(must(await readLevel(plan))).toMatchObject({ level: "on", reason: "let us see" });
  });

  it("is raised by a person alone, and lowered by anybody", async () => {
    const plan = await makePlan();
    const bot = plan.as("agent:bot");
    expect(mustFail(await setLevel(bot, { level: "on" })).reason).toBe("needs-person");
    expect(mustFail(await setLevel(plan.as("daemon:host"), { level: "auto" })).reason).toBe("needs-person");
    must(await setLevel(plan, { level: "auto" }));
    expect(must(await setLevel(bot, { level: "on" }))).toMatchObject({ was: "auto", level: "on" });
    expect(mustFail(await setLevel(bot, { level: "auto" })).reason).toBe("needs-person");
    must(await setLevel(plan.as("daemon:host"), { level: "off" }));
  });

  it("of a feature holds it back, and never lets it go further than the workspace", async () => {
    const plan = await makePlan([
      { id: "FEAT-B", tier: "feature", title: "B", parent: "MISSION" },
      task("T-1", { parent: "FEAT-B" }),
    ]);
    const of = (feature: string) => setLevel(plan.as("agent:bot"), { level: "off", in: feature });
    expect(must(await of("T-1"))).toMatchObject({ feature: "FEAT-B", was: "auto", effective: "off" });
    expect(mustFail(await setLevel(plan.as("agent:bot"), { level: "on", in: "FEAT-B" })).reason).toBe("needs-person");
    expect(must(await setLevel(plan, { level: "auto", in: "FEAT-A" }))).toMatchObject({
      op: null,
      level: "auto",
      effective: "off",
    });
    must(await setLevel(plan, { level: "auto" }));
    must(await setLevel(plan, { level: "on", in: "FEAT-A" }));
    const levels = await plan.store.read(async (reader) => {
      const levelOf = await readLevels(reader);
      const nrs = [(await reader.byId("FEAT-A"))?.nr ?? 0, (await reader.byId("FEAT-B"))?.nr ?? 0, 999, null];
      return nrs.map(levelOf);
    });
    expect(levels).toEqual(["on", "off", "auto", "auto"]);
    expect(must(await readLevel(plan)).features).toMatchObject([
      { id: "FEAT-B", level: "off", effective: "off" },
      { id: "FEAT-A", level: "on", effective: "on" },
    ]);
    expect(must(await readLevel(plan, { in: "STORY-A" }))).toMatchObject({ feature: "FEAT-A", level: "on" });
  });

  it("is left alone if it is so already", async () => {
    const plan = await makePlan();
    expect(must(await setLevel(plan, { level: "off" }))).toMatchObject({ op: null, was: "off", by: null });
    must(await setLevel(plan, { level: "on" }));
    expect(must(await setLevel(plan.as("agent:bot"), { level: "on" }))).toMatchObject({ op: null, by: "human:ada" });
  });

  it("can be taken back, but nobody raises it that way who may not", async () => {
    const plan = await makePlan();
    const bot = plan.as("agent:bot");
    must(await setLevel(plan, { level: "on" }));
    must(await undo(plan));
    expect(must(await readLevel(plan)).level).toBe("off");
    must(await redo(plan));
    expect(must(await readLevel(plan)).level).toBe("on");
    const { op } = must(await setLevel(bot, { level: "off" }));
    expect(mustFail(await undo(bot, String(op))).reason).toBe("needs-person");
    expect(must(await readLevel(plan)).level).toBe("off");
    must(await undo(plan, String(op)));
    expect(must(await readLevel(plan)).level).toBe("on");
    expect((await plan.store.verify()).differences).toEqual([]);
  });

  it("says what it takes", async () => {
    const plan = await makePlan();
    expect(mustFail(await ask(plan, "level", { level: "full" as "on" }))).toMatchObject({
      kind: "usage",
      message: "level must be one of off, on, auto.",
    });
    expect(mustFail(await setLevel(plan, { level: "on", in: "MISSION" })).reason).toBe("no-feature");
    expect(mustFail(await ask(plan, "level", { level: "on", reason: " " })).kind).toBe("usage");
  });
});
