import { describe, expect, it } from "vitest";
import { ask } from "../../../test/ask.js";
import { makePlan, must, mustFail, type TestPlan, task } from "../../../test/plan.js";
import { approve } from "../../plan/node/approve.js";
import { drop } from "../branch/drop.js";
import { undo } from "../history/take-back.js";
import { show } from "./read-node.js";

const besides = async (plan: TestPlan, reference: string) => {
  const { labels, comments } = must(await show(plan, reference));
  return { labels, comments: comments.map(({ text }) => text) };
};

describe("comment", () => {
  it("is shown with its author, leaves the approval valid, and can be undone", async () => {
    const plan = await makePlan([task("T-1")]);
    must(await approve(plan, { references: ["T-1"] }));
    const first = must(await ask(plan.as("agent:bot"), "comment", { reference: "T-1", text: " It is slow " }));
    expect(first).toMatchObject({ id: "COM-00001", node: "T-1", text: "It is slow" });
    const { op } = must(await ask(plan, "comment", { reference: "t-1", text: "Why?" }));
    const shown = must(await show(plan, "T-1"));
    expect(shown.comments).toMatchObject([
      { id: "COM-00001", text: "It is slow", by: "agent:bot" },
      { id: "COM-00002", text: "Why?", by: "human:ada" },
    ]);
    expect(shown.approval?.stale).toBe(false);
    must(await undo(plan, String(op)));
    expect((await besides(plan, "T-1")).comments).toEqual(["It is slow"]);
    expect((await plan.store.verify()).differences).toEqual([]);
  });

  it("may be about a node that is finished, and says something about one that exists", async () => {
    const plan = await makePlan([task("T-1")]);
    must(await drop(plan, { references: ["T-1"] }));
    must(await ask(plan, "comment", { reference: "T-1", text: "A pity" }));
    expect((await besides(plan, "T-1")).comments).toEqual(["A pity"]);
    expect(mustFail(await ask(plan, "comment", { reference: "T-1", text: " " })).reason).toBe("invalid-input");
    expect(mustFail(await ask(plan, "comment", { reference: "T-9", text: "x" })).reason).toBe("not-found");
  });
});

describe("label", () => {
  it("adds and removes labels of several nodes in one operation", async () => {
    const plan = await makePlan([task("T-1"), task("T-2")]);
    must(await approve(plan, { references: ["T-1"] }));
    must(await ask(plan, "label", { references: ["T-1", "T-2"], add: ["ui", "api", "ui"] }));
    const { op, nodes } = must(await ask(plan, "label", { references: ["T-1"], add: ["v2"], remove: ["ui"] }));
    expect(nodes).toEqual([{ id: "T-1", labels: ["api", "v2"] }]);
    expect((await besides(plan, "T-2")).labels).toEqual(["api", "ui"]);
    expect((await plan.view("T-1")).approval?.stale).toBe(false);
    must(await undo(plan, String(op)));
    expect((await besides(plan, "T-1")).labels).toEqual(["api", "ui"]);
    expect((await plan.store.verify()).differences).toEqual([]);
  });

  it("records nothing when nothing changes, and refuses what is no label", async () => {
    const plan = await makePlan([task("T-1")]);
    expect(must(await ask(plan, "label", { references: ["T-1"], remove: ["ui"] })).op).toBeNull();
    expect(mustFail(await ask(plan, "label", { references: ["T-1"] })).reason).toBe("invalid-input");
    expect(mustFail(await ask(plan, "label", { references: ["T-1"], add: ["two words"] })).details).toEqual({
      issues: [{ path: ["add", 0], problem: expect.stringContaining("1 to 40 letters") }],
    });
    expect(mustFail(await ask(plan, "label", { references: ["T-1", "T-9"], add: ["ui"] })).reason).toBe("not-found");
    expect((await besides(plan, "T-1")).labels).toEqual([]);
  });
});
