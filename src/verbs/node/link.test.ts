import { describe, expect, it } from "vitest";
import { ask } from "../../../test/ask.js";
import { makePlan, must, mustFail, task } from "../../../test/plan.js";
import { approve } from "../../plan/node/approve.js";
import { waive } from "../branch/waive.js";
import { undo } from "../history/take-back.js";
import { complete } from "../task/hand-in.js";
import { link } from "./link.js";
import { unlink } from "./unlink.js";

describe("link", () => {
  it("makes a node wait, and says nothing new the second time", async () => {
    const plan = await makePlan([task("T-1"), task("T-2")]);
    must(await approve(plan, { references: ["FEAT-A"] }));
    expect(must(await link(plan, { reference: "T-2", on: ["T-1"] }))).toMatchObject({
      id: "T-2",
      on: ["T-1"],
      stale: true,
    });
    expect((await plan.view("T-2")).dependsOn).toEqual(["T-1"]);
    expect(must(await link(plan, { reference: "T-2", on: ["T-1"] }))).toMatchObject({ op: null, on: [] });
    must(await approve(plan, { references: ["T-2"] }));
    expect(await plan.view("T-2")).toMatchObject({ status: "blocked", because: ["T-1"] });
  });

  it("adds to the footprint and infers the profile unless it is given", async () => {
    const plan = await makePlan([task("T-1")]);
    const linked = must(await link(plan, { reference: "T-1", files: ["docs/a.md"], symbols: ["parse"] }));
    expect(linked).toMatchObject({ files: ["docs/a.md"], symbols: ["parse"], profile: "docs" });
    must(await link(plan, { reference: "T-1", files: ["src/a.ts", "docs/a.md"] }));
    expect(await plan.view("T-1")).toMatchObject({ files: ["docs/a.md", "src/a.ts"], profile: "general" });
    must(await link(plan, { reference: "T-1", profile: "api" }));
    must(await link(plan, { reference: "T-1", files: ["src/b.ts"] }));
    expect((await plan.view("T-1")).profile).toBe("api");
  });

  it("to a landing stands in the way of taking that back, where it would make a cycle", async () => {
    const feature = { id: "FEAT-B", tier: "feature", title: "B", parent: "MISSION" } as const;
    const plan = await makePlan([feature, task("B-1", { parent: "FEAT-B" }), task("T-1", { dependsOn: ["B-1"] })]);
    must(await waive(plan, { references: ["T-1"], reason: "not needed" }));
    const { op } = must(await waive(plan, { references: ["FEAT-A-LAND"], reason: "there is nothing to land" }));
    must(await link(plan, { reference: "B-1", on: ["FEAT-A-LAND"] }));
    const refusal = mustFail(await undo(plan, String(op)));
    expect(refusal).toMatchObject({ kind: "invariant", message: expect.stringContaining("cycle") });
    expect((await plan.view("FEAT-A-LAND")).status).toBe("waived");
  });

  it("refuses a cycle and names the way round", async () => {
    const plan = await makePlan([
      task("T-1"),
      task("T-2", { dependsOn: ["T-1"] }),
      task("T-3", { dependsOn: ["T-2"] }),
    ]);
    const two = mustFail(await link(plan, { reference: "T-1", on: ["T-2"] }));
    expect(two).toMatchObject({ kind: "invariant", message: expect.stringContaining("T-1 → T-2 → T-1") });
    const three = mustFail(await link(plan, { reference: "T-1", on: ["T-3"] }));
    expect(three).toMatchObject({ kind: "invariant", message: expect.stringContaining("T-1 → T-3 → T-2 → T-1") });
    expect((await plan.view("T-1")).dependsOn).toEqual([]);
  });

  it.each([
    ["itself", "T-1", "T-1", /itself: T-1 → T-1/],
    ["what contains it", "T-1", "STORY-A", /STORY-A, which contains it: T-1 → STORY-A → T-1/],
    ["what contains that", "T-1", "MISSION", /MISSION, which contains it/],
    ["what it contains", "FEAT-A", "T-1", /T-1, which it contains/],
  ])("refuses a dependency on %s", async (_, reference, on, message) => {
    const plan = await makePlan([task("T-1")]);
    const failure = mustFail(await link(plan, { reference, on: [on] }));
    expect(failure).toMatchObject({ kind: "invariant", message: expect.stringMatching(message) });
    expect((await plan.view(reference)).dependsOn).toEqual([]);
  });

  it("refuses unknown and ambiguous ends, what is done, and nothing at all", async () => {
    const plan = await makePlan([task("T-1", { kind: "gate" }), task("T-2")]);
    expect(mustFail(await link(plan, { reference: "T-2", on: ["NOPE"] })).kind).toBe("absent");
    const several = mustFail(await link(plan, { reference: "T-2", on: ["task"] }));
    expect(several).toMatchObject({ kind: "ambiguous", details: { candidates: [{ id: "T-1" }, { id: "T-2" }] } });
    expect(mustFail(await ask(plan, "link", { reference: "T-2" })).kind).toBe("usage");
    expect(mustFail(await ask(plan, "link", { reference: "T-2", files: ["/etc/passwd"] })).kind).toBe("usage");
    expect(mustFail(await ask(plan, "link", { reference: "T-2", profile: "NOT A WORD" })).kind).toBe("usage");
    must(await approve(plan, { references: ["FEAT-A"] }));
    must(await complete(plan, { reference: "T-1" }));
    expect(mustFail(await link(plan, { reference: "T-1", on: ["T-2"] })).reason).toBe("settled");
  });
});

describe("unlink", () => {
  it("takes back what link said", async () => {
    const plan = await makePlan([
      task("T-1"),
      task("T-2", { dependsOn: ["T-1"], files: ["docs/a.md", "src/a.ts"], symbols: ["parse"] }),
    ]);
    must(await unlink(plan, { reference: "T-2", on: ["T-1"], files: ["docs/a.md"], symbols: ["parse"] }));
    expect(await plan.view("T-2")).toMatchObject({
      dependsOn: [],
      files: ["src/a.ts"],
      symbols: [],
      profile: "backend",
    });
    must(await link(plan, { reference: "T-1", on: ["T-2"] }));
  });

  it("finds nothing to do where nothing is linked, and then changes nothing", async () => {
    const plan = await makePlan([task("T-1"), task("T-2", { dependsOn: ["T-1"], files: ["src/a.ts"] })]);
    for (const input of [
      { on: ["T-1"], files: ["src/z.ts"] },
      { files: ["src/a.ts"], symbols: ["z"] },
      { on: ["T-2"] },
    ]) {
      expect(mustFail(await unlink(plan, { reference: "T-2", ...input }))).toMatchObject({
        kind: "absent",
        reason: "not-linked",
      });
    }
    expect(await plan.view("T-2")).toMatchObject({ dependsOn: ["T-1"], files: ["src/a.ts"] });
  });
});
