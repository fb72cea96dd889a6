import { describe, expect, it } from "vitest";
import { addAll, addInbox, makePlan, must, mustFail, type TestPlan, task } from "../../../test/plan.js";
import { approve } from "../../plan/node/approve.js";
import { freeze } from "../branch/freeze.js";
import { complete } from "../task/hand-in.js";
import { next } from "../task/next.js";
import { move } from "./move.js";

const F_B = { id: "FEAT-B", tier: "feature", title: "Feature B", parent: "MISSION" } as const;
const S_B = { id: "STORY-B", tier: "story", title: "Story B", parent: "FEAT-B" } as const;

const twoStories = (...tasks: Parameters<typeof makePlan>[0] & object): Promise<TestPlan> =>
  makePlan([F_B, S_B, ...tasks]);

describe("move", () => {
  it("puts a branch below another parent, and the derived values follow", async () => {
    const plan = await twoStories(task("T-1"), task("T-2"));
    expect(must(await move(plan, { references: ["T-1", "T-2"], to: "STORY-B" }))).toMatchObject({
      to: "STORY-B",
      moved: ["T-1", "T-2"],
      stale: [],
    });
    expect((await plan.view("STORY-A")).progress).toEqual({ finished: 0, total: 0 });
    expect((await plan.view("STORY-B")).progress).toEqual({ finished: 0, total: 2 });
    expect((await plan.view("FEAT-B")).progress).toEqual({ finished: 0, total: 2 });
    must(await move(plan, { references: ["STORY-B"], to: "FEAT-A" }));
    expect((await plan.view("FEAT-A")).progress).toEqual({ finished: 0, total: 2 });
    expect((await plan.store.verify()).differences).toEqual([]);
  });

  it("changes nothing when it is there already", async () => {
    const plan = await twoStories(task("T-1"));
    expect(must(await move(plan, { references: ["T-1"], to: "STORY-A" }))).toMatchObject({ op: null, moved: [] });
  });

  it("makes an approval stale, since the place was approved too", async () => {
    const plan = await twoStories(task("T-1"));
    must(await approve(plan, { references: ["FEAT-A", "FEAT-B"] }));
    expect(must(await move(plan, { references: ["T-1"], to: "STORY-B" })).stale).toEqual(["T-1"]);
    expect((await plan.view("T-1")).reason).toBe("approval-stale");
  });

  it("shelves work in the inbox and takes it out again", async () => {
    const plan = await twoStories(task("T-1"));
    await addInbox(plan);
    must(await approve(plan, { references: ["FEAT-A"] }));
    must(await move(plan, { references: ["STORY-A"], to: "INBOX" }));
    expect(await plan.view("T-1")).toMatchObject({ status: "planned", reason: "inbox" });
    expect(mustFail(await next(plan, {})).reason).toBe("nothing-ready");
    must(await move(plan, { references: ["STORY-A"], to: "FEAT-A" }));
    expect((await plan.view("T-1")).reason).toBe("claimable");
  });

  it("lets no agent take approved work out of its feature, so that the rest could land", async () => {
    const plan = await twoStories(task("T-1"), task("T-2"));
    must(await approve(plan, { references: ["FEAT-A"] }));
    const agent = plan.as("agent:bot");
    for (const reference of ["T-2", "STORY-A"]) {
      const refusal = mustFail(await move(agent, { references: [reference], to: "FEAT-B" }));
      expect(refusal.reason).toBe("needs-person");
      expect(refusal.message).toContain("out of its feature");
    }
    must(await move(agent, { references: ["T-2"], to: "FEAT-A" }));
    must(await move(plan, { references: ["T-2"], to: "FEAT-B" }));
  });

  it("lets no agent move a task away from where a person froze it", async () => {
    const plan = await twoStories(task("T-1"));
    must(await freeze(plan, { references: ["STORY-A"], reason: "wait" }));
    const agent = plan.as("agent:bot");
    expect(mustFail(await move(agent, { references: ["T-1"], to: "STORY-B" }))).toMatchObject({
      reason: "needs-person",
    });
    expect((await plan.view("T-1")).freeze).toMatchObject({ reason: "wait" });
    must(await move(plan, { references: ["T-1"], to: "STORY-B" }));
    expect((await plan.view("T-1")).freeze).toBeNull();
  });

  it("takes over the freeze of the new parent and loses the old one's", async () => {
    const plan = await twoStories(task("T-1"));
    must(await freeze(plan, { references: ["STORY-B"], reason: "later" }));
    must(await move(plan, { references: ["T-1"], to: "STORY-B" }));
    expect((await plan.view("T-1")).freeze).toMatchObject({ reason: "later", from: "STORY-B" });
    must(await move(plan, { references: ["T-1"], to: "STORY-A" }));
    expect((await plan.view("T-1")).freeze).toBeNull();
  });

  it("keeps a freeze that somebody put on the branch itself", async () => {
    const plan = await twoStories(task("T-1"));
    must(await freeze(plan, { references: ["STORY-A"], reason: "mine" }));
    must(await move(plan, { references: ["STORY-A"], to: "FEAT-B" }));
    expect((await plan.view("STORY-A")).freeze).toMatchObject({ reason: "mine" });
    expect((await plan.view("T-1")).freeze).toMatchObject({ reason: "mine", from: "STORY-A" });
  });

  it("gives a landed feature a new land task for a story with open work", async () => {
    const plan = await twoStories(task("T-1"), task("G-1", { kind: "gate", parent: "STORY-B" }));
    must(await approve(plan, { references: ["FEAT-B"] }));
    must(await complete(plan, { reference: "G-1" }));
    must(await complete(plan, { reference: "FEAT-B-LAND" }));
    must(await move(plan, { references: ["STORY-A"], to: "FEAT-B" }));
    expect(await plan.view("FEAT-B-LAND-2")).toMatchObject({ kind: "land", parent: "FEAT-B" });
  });
});

describe("move refuses", () => {
  it("a parent that is not of a higher tier, itself and what it contains included", async () => {
    const plan = await twoStories(task("T-1"));
    for (const [reference, to] of [
      ["STORY-A", "T-1"],
      ["STORY-A", "STORY-B"],
      ["STORY-A", "STORY-A"],
      ["FEAT-A", "STORY-A"],
      ["MISSION", "FEAT-A"],
    ] as const) {
      const failure = mustFail(await move(plan, { references: [reference], to }));
      expect(failure.kind).toBe("invariant");
      expect((await plan.view("STORY-A")).parent).toBe("FEAT-A");
    }
  });

  it("a place that would make it wait for itself, with the way round", async () => {
    const plan = await twoStories(task("T-1", { dependsOn: ["STORY-B"] }), task("T-2", { dependsOn: ["T-1"] }));
    const failure = mustFail(await move(plan, { references: ["T-2"], to: "STORY-B" }));
    expect(failure).toMatchObject({
      kind: "invariant",
      message: expect.stringContaining("T-2 → T-1 → STORY-B → T-2"),
    });
    expect((await plan.view("T-2")).parent).toBe("STORY-A");
  });

  it("a place below what it depends on", async () => {
    const plan = await twoStories(task("T-1", { dependsOn: ["STORY-B"] }));
    expect(mustFail(await move(plan, { references: ["T-1"], to: "STORY-B" })).kind).toBe("invariant");
  });

  it("a place below what depends on it", async () => {
    const plan = await twoStories(task("T-1"), task("T-2"));
    await addAll(plan, [{ id: "STORY-C", tier: "story", title: "C", parent: "FEAT-A", dependsOn: ["T-1"] }]);
    expect(mustFail(await move(plan, { references: ["T-1"], to: "STORY-C" }))).toMatchObject({ kind: "invariant" });
    await addAll(plan, [{ id: "FEAT-C", tier: "feature", title: "C", dependsOn: ["T-2"] }]);
    expect(mustFail(await move(plan, { references: ["STORY-A"], to: "FEAT-C" }))).toMatchObject({ kind: "invariant" });
  });

  it("what is done, and a land task", async () => {
    const plan = await twoStories(task("T-1", { kind: "gate" }));
    must(await approve(plan, { references: ["FEAT-A"] }));
    must(await complete(plan, { reference: "T-1" }));
    expect(mustFail(await move(plan, { references: ["T-1"], to: "STORY-B" })).reason).toBe("settled");
    expect(mustFail(await move(plan, { references: ["STORY-A"], to: "FEAT-B" })).reason).toBe("settled");
    expect(mustFail(await move(plan, { references: ["FEAT-A-LAND"], to: "FEAT-B" })).reason).toBe("land");
  });

  it("work in flight, to where nothing runs", async () => {
    const plan = await twoStories(task("T-1"));
    await addInbox(plan);
    must(await approve(plan, { references: ["FEAT-A"] }));
    must(await next(plan.as("agent:bot"), {}));
    must(await freeze(plan, { references: ["STORY-B"], reason: "later" }));
    for (const to of ["INBOX", "STORY-B"]) {
      expect(mustFail(await move(plan, { references: ["T-1"], to })).reason).toBe("in-flight");
    }
    expect((await plan.view("T-1")).status).toBe("in_progress");
  });

  it("all of them when it refuses one", async () => {
    const plan = await twoStories(task("T-1"));
    expect(mustFail(await move(plan, { references: ["T-1", "NOPE"], to: "STORY-B" })).kind).toBe("absent");
    expect(mustFail(await move(plan, { references: ["T-1", "FEAT-A-LAND"], to: "STORY-B" })).kind).toBe("refused");
    expect((await plan.view("T-1")).parent).toBe("STORY-A");
  });
});
