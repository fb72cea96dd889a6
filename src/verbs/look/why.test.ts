import { describe, expect, it } from "vitest";
import { edgesOf, record, SHARED } from "../../../test/conflict.js";
import { addAll, addInbox, makePlan, must, mustFail, type TestPlan, task } from "../../../test/plan.js";
import { spelled } from "../../../test/spelled.js";
import { makeSpied } from "../../../test/spy.js";
import { finish, makeApprovedPlan, passing } from "../../../test/work.js";
import type { NodeInput } from "../../model/node/content.js";
import { start } from "../../plan/claim/start.js";
import { approve } from "../../plan/node/approve.js";
import { drop } from "../branch/drop.js";
import { freeze } from "../branch/freeze.js";
import { edit } from "../node/edit.js";
import { complete } from "../task/hand-in.js";
import { next } from "../task/next.js";
import type { Why } from "./why-node.js";
import { why } from "./why-node.js";

const ask = async (plan: TestPlan, reference: string): Promise<Why> => must(await why(plan, reference));
const chain = ({ chain }: Why): string => chain.map((step) => step.id).join(" → ");

describe("why", () => {
  it("follows what a task waits for down to the first cause, and says how to get on", async () => {
    const plan = await makeApprovedPlan([
      task("T-1"),
      task("T-2", { dependsOn: ["T-1"] }),
      task("T-3", { dependsOn: ["T-2"] }),
    ]);
    const found = await ask(plan, "T-3");
    expect(found).toMatchObject({ id: "T-3", status: "blocked", reason: "deps-pending", because: ["T-2"], cut: null });
    expect(chain(found)).toBe("T-3 → T-2 → T-1");
    expect(found.chain.map((step) => step.sentences)).toEqual([
      ["T-3 waits for T-2 to be finished."],
      ["T-2 waits for T-1 to be finished."],
      ["T-1 is ready: you can start it now."],
    ]);
    expect(spelled(found)).toEqual(["planwright next T-1"]);
  });

  it("says everything that stands in the way at once", async () => {
    const plan = await makePlan([task("T-1"), task("T-2", { dependsOn: ["T-1"] })]);
    const found = await ask(plan, "T-2");
    expect(found).toMatchObject({ status: "planned", reason: "unapproved", also: ["deps-pending"] });
    expect(spelled(found)).toEqual(["planwright approve T-1", "planwright approve T-2"]);
  });

  it("answers alike for a dependency that is open, being worked on, or rejected: one predicate (unknown ones cannot be)", async () => {
    const failing = task("T-1", { checks: [{ run: "false" }] });
    const plan = await makeApprovedPlan([failing, task("T-2", { dependsOn: ["T-1"] })]);
    expect(await ask(plan, "T-2")).toMatchObject({ status: "blocked", reason: "deps-pending", because: ["T-1"] });
    const { token } = must(await start(plan, { reference: "T-1" }));
    expect(await ask(plan, "T-2")).toMatchObject({ status: "blocked", reason: "deps-pending", because: ["T-1"] });
    must(await complete(plan, { reference: "T-1", token }));
    const rejected = await ask(plan, "T-2");
    expect(rejected).toMatchObject({ status: "blocked", reason: "dep-rejected", because: ["T-1"] });
    expect(spelled(rejected)).toEqual(["planwright reset T-1", "planwright accept T-1 --reason TEXT"]);
    expect(mustFail(await why(plan, "T-99")).reason).toBe("not-found");
  });

  it("names the land task that a dependency across features waits for", async () => {
    const plan = await makeApprovedPlan([
      passing("T-1"),
      { id: "FEAT-B", tier: "feature", title: "B", parent: "MISSION" },
      task("T-2", { parent: "FEAT-B", dependsOn: ["T-1"] }),
    ]);
    await finish(plan, "T-1");
    const found = await ask(plan, "T-2");
    expect(found.because).toEqual(["FEAT-A-LAND"]);
    expect(found.chain[0]?.sentences[0]).toBe(
      "T-2 waits for FEAT-A-LAND: T-1 is finished, but its feature has not landed yet.",
    );
    expect(spelled(found)).toEqual(["planwright complete FEAT-A-LAND"]);
  });

  it("names the open children of a container, and goes on with the first that has work", async () => {
    const plan = await makePlan([task("T-1"), task("T-2")]);
    await addInbox(plan);
    const found = await ask(plan, "MISSION");
    expect(chain(found)).toBe("MISSION → FEAT-A → STORY-A → T-1");
    expect(found.chain[2]?.sentences.at(-1)).toMatch(/0 of 2 are finished; T-1 and T-2 are still open/);
    // One approval clears all that is below.
    expect(spelled(found)).toEqual(["planwright approve MISSION"]);
  });

  it("leads from a task to what a container around it waits for", async () => {
    const plan = await makeApprovedPlan([
      task("T-1"),
      { id: "STORY-B", tier: "story", title: "B", parent: "FEAT-A", dependsOn: ["T-1"] },
      task("T-2", { parent: "STORY-B" }),
    ]);
    const found = await ask(plan, "T-2");
    expect(found).toMatchObject({ status: "blocked", reason: "deps-pending", because: ["T-1"] });
    expect(found.chain[0]?.sentences).toEqual(["T-2 is part of STORY-B, which waits for T-1 to be finished."]);
    expect(spelled(found)).toEqual(["planwright next T-1"]);
    expect(chain(await ask(plan, "STORY-B"))).toBe("STORY-B → T-1");
  });

  it("says that an expired lease comes back with the next `next`", async () => {
    const plan = await makeApprovedPlan([task("T-1")]);
    must(await next(plan.as("agent:bot"), {}));
    expect((await ask(plan, "T-1")).chain[0]?.sentences[0]).toMatch(/agent:bot is working on T-1/);
    plan.pass(3_600_000);
    const found = await ask(plan, "T-1");
    expect(found).toMatchObject({ status: "in_progress", reason: "in-flight" });
    expect(spelled(found)).toEqual(["planwright next"]);
    expect(found.chain[0]?.sentences[0]).toMatch(/lease of agent:bot on T-1 ended at .*, so any worker can claim it/);
    must(await next(plan, {}));
    expect((await ask(plan, "T-1")).because).toEqual(["human:ada"]);
  });

  it("says that a person must accept what was handed in without checks", async () => {
    const plan = await makeApprovedPlan([task("T-1"), task("T-2", { dependsOn: ["T-1"] })]);
    await finish(plan, "T-1");
    expect(await ask(plan, "T-1")).toMatchObject({ reason: "human" });
    expect(spelled(await ask(plan, "T-1"))).toEqual(["planwright accept T-1 --reason TEXT"]);
    expect(spelled(await ask(plan, "T-2"))).toEqual(["planwright accept T-1 --reason TEXT"]);
  });

  it("leads from a frozen task to the node on which the freeze was asked for", async () => {
    const plan = await makeApprovedPlan([task("T-1")]);
    must(await freeze(plan, { references: ["FEAT-A"], reason: "the client left" }));
    const found = await ask(plan, "T-1");
    expect(found).toMatchObject({ status: "frozen", reason: "frozen" });
    expect(spelled(found)).toEqual(["planwright thaw FEAT-A"]);
    expect(found.chain[0]?.sentences[0]).toBe("human:ada froze FEAT-A, and T-1 with it (the client left).");
    expect(spelled(await ask(plan, "STORY-A"))).toEqual(["planwright thaw FEAT-A"]);
  });

  it("asks for a new approval after an edit", async () => {
    const plan = await makeApprovedPlan([task("T-1")]);
    must(await edit(plan, { reference: "T-1", title: "Another" }));
    expect(await ask(plan, "T-1")).toMatchObject({ reason: "approval-stale" });
    expect(spelled(await ask(plan, "T-1"))).toEqual(["planwright approve T-1"]);
  });

  it("says of a land task without work that there is nothing to land", async () => {
    const plan = await makePlan();
    const found = await ask(plan, "FEAT-A-LAND");
    expect(found.cut).toBeNull();
    expect(found.chain[0]?.sentences).toContain(
      "FEAT-A-LAND waits: STORY-A has no tasks. Drop it, waive it or plan it.",
    );
  });

  it("says how many tasks a landing waits for, not how many it has looked at", async () => {
    const plan = await makeApprovedPlan(Array.from({ length: 300 }, (_, i) => task(`T-${i}`)));
    expect((await ask(plan, "FEAT-A-LAND")).chain[0]?.sentences[0]).toMatch(/T-4 and 295 more to be finished/);
    expect((await ask(plan, "STORY-A")).chain[0]?.sentences[0]).toMatch(/T-4 and 295 more are still open/);
  });

  it("gives what can be typed now for several causes, and nothing that comes later", async () => {
    const plan = await makeApprovedPlan([task("T-1"), task("T-2"), task("T-3", { dependsOn: ["T-2"] })]);
    expect(spelled(await ask(plan, "FEAT-A-LAND"))).toEqual(["planwright next T-1", "planwright next T-2"]);
    expect(spelled(await ask(plan, "FEAT-A"))).toEqual(["planwright next T-1", "planwright next T-2"]);
    const many = await makeApprovedPlan(Array.from({ length: 30 }, (_, i) => task(`T-${i}`)));
    expect(spelled(await ask(many, "FEAT-A-LAND"))).toHaveLength(5);
  });

  it("goes past tasks that only wait, to whatever else stands in the way behind them", async () => {
    const plan = await makeApprovedPlan([
      task("A-1"),
      task("A-2", { dependsOn: ["A-1"] }),
      passing("B-1"),
      task("B-2"),
      task("B-3", { dependsOn: ["B-1", "B-2"] }),
      task("C-1", { checks: [{ run: "false" }] }),
      task("C-2", { dependsOn: ["C-1", "A-2"] }),
      task("D-1"),
      task("D-2", { dependsOn: ["D-1", "A-1"] }),
      task("D-3", { dependsOn: ["D-2", "A-2"] }),
      task("LAST", { dependsOn: ["A-2", "B-3", "C-2", "D-3"] }),
    ]);
    await finish(plan, "B-1", "C-1");
    must(await freeze(plan, { references: ["D-1"], reason: "later" }));
    const found = await ask(plan, "LAST");
    expect(chain(found)).toBe("LAST → A-2 → A-1");
    expect(spelled(found)).toEqual([
      "planwright next A-1",
      "planwright next B-2",
      "planwright reset C-1",
      "planwright accept C-1 --reason TEXT",
      "planwright thaw D-1",
    ]);
  });

  it("tells what to do about a dropped dependency behind tasks that only wait", async () => {
    const plan = await makeApprovedPlan([
      task("A-1"),
      task("A-2", { dependsOn: ["A-1"] }),
      task("B-1"),
      task("B-2", { dependsOn: ["A-2", "B-1"] }),
      task("B-3", { dependsOn: ["B-2"] }),
      task("LAST", { dependsOn: ["A-2", "B-3"] }),
    ]);
    must(await drop(plan, { references: ["B-1"], reason: "not needed" }));
    const found = await ask(plan, "LAST");
    expect(chain(found)).toBe("LAST → A-2 → A-1");
    expect(spelled(found)).toEqual(["planwright next A-1", "planwright unlink B-2 --on B-1"]);
  });

  it("tells of a conflict behind tasks that only wait, beside whatever else the same task waits for", async () => {
    const five = ["A-2", "A-3", "A-4", "A-5", "A-6"];
    const plan = await makeApprovedPlan([
      task("A-1"),
      ...five.map((id) => task(id, { dependsOn: ["A-1"] })),
      task("B-1", SHARED),
      task("B-2", { ...SHARED, dependsOn: five }),
      task("B-3", { dependsOn: ["B-2"] }),
      task("LAST", { dependsOn: ["A-2", "B-3"] }),
    ]);
    must(await start(plan, { reference: "B-1" }));
    await record(plan, "B-1", "B-2");
    expect((await edgesOf(plan, "B-2")).at(-1)).toBe("B-1 conflict");
    const found = await ask(plan, "LAST");
    expect(chain(found)).toBe("LAST → A-2 → A-1");
    expect(spelled(found)).toEqual(["planwright next A-1", "planwright complete B-1"]);
  });

  it("asks for no approval of a mission in which something runs, but of what in it is not approved", async () => {
    const plan = await makePlan([
      task("T-1"),
      { id: "FEAT-B", tier: "feature", title: "B", parent: "MISSION" },
      task("T-2", { parent: "FEAT-B" }),
    ]);
    const before = await ask(plan, "MISSION");
    expect(before.chain[0]?.sentences[0]).toMatch(
      /Neither MISSION nor anything in it \(FEAT-A and FEAT-B\) is approved/,
    );
    must(await approve(plan, { references: ["FEAT-A"] }));
    const after = await ask(plan, "MISSION");
    expect(after.chain[0]?.sentences).toHaveLength(1);
    expect(spelled(after)).toEqual(["planwright next T-1", "planwright approve FEAT-B"]);
  });

  it("stops after twenty steps and says so", async () => {
    const tasks = Array.from({ length: 30 }, (_, i) => task(`T-${i}`, i === 0 ? {} : { dependsOn: [`T-${i - 1}`] }));
    const plan = await makeApprovedPlan(tasks);
    const found = await ask(plan, "T-29");
    expect([found.chain.length, found.cut, spelled(found)]).toEqual([20, "long", ["planwright why T-9"]]);
  });

  it("reads the same rows, however wide the plan is", async () => {
    const rows = async (width: number): Promise<number> => {
      const { spy, plan } = await makeSpied();
      const numbers = Array.from({ length: width }, (_, i) => i);
      await addAll(plan, [
        { id: "MISSION", tier: "mission", title: "M" },
        ...numbers.flatMap((f): NodeInput[] => [
          { id: `F-${f}`, tier: "feature", title: "F", parent: "MISSION" },
          ...numbers.map((t) => task(`F-${f}-${t}`, { parent: `F-${f}`, dependsOn: t > 0 ? [`F-${f}-${t - 1}`] : [] })),
        ]),
      ]);
      spy.forget();
      expect(spelled(await ask(plan, "MISSION"))).toEqual(["planwright approve MISSION"]);
      return spy.rows;
    };
    expect(await rows(40)).toBe(await rows(25));
  });

  it("finds its way through a wide plan by a few rows", async () => {
    const many = Array.from({ length: 300 }, (_, i) => `T-${i}`);
    const plan = await makeApprovedPlan(many.map((id) => task(id)));
    await addAll(plan, [task("LAST", { dependsOn: many })]);
    const found = await ask(plan, "LAST");
    expect(found.chain[0]?.sentences.at(-1)).toMatch(/T-4 and 295 more to be finished/);
  });
});
