import { describe, expect, it } from "vitest";
import { makePlan, must, mustFail, task } from "../../../test/plan.js";
import { approve } from "../../plan/node/approve.js";
import { freeze } from "../branch/freeze.js";
import { complete } from "../task/hand-in.js";
import { next } from "../task/next.js";
import { readFocus, setFocus } from "./focus.js";

describe("focus", () => {
  it("is each actor's own, and is shown with what is above it", async () => {
    const plan = await makePlan([task("T-1")]);
    expect(must(await readFocus(plan))).toMatchObject({ actor: "human:ada", node: null, path: [] });
    must(await setFocus(plan, "T-1"));
    expect(must(await readFocus(plan))).toMatchObject({ node: { id: "T-1" }, path: ["STORY-A", "FEAT-A", "MISSION"] });
    expect(must(await readFocus(plan.as("human:bob"))).node).toBeNull();
    expect((await plan.view("--active")).id).toBe("T-1");
    must(await setFocus(plan, "--feature"));
    expect((await plan.view("--active")).id).toBe("FEAT-A");
  });

  it("is taken away, and changes nothing twice", async () => {
    const plan = await makePlan();
    must(await setFocus(plan, "FEAT-A"));
    expect(must(await setFocus(plan, "FEAT-A")).op).toBeNull();
    expect(must(await setFocus(plan, null)).op).not.toBeNull();
    expect(must(await setFocus(plan, null)).op).toBeNull();
    expect(must(await readFocus(plan)).node).toBeNull();
  });

  it("decides where a person's next looks first", async () => {
    const plan = await makePlan([
      { id: "STORY-B", tier: "story", title: "B", parent: "FEAT-A" },
      task("T-1"),
      task("T-2", { parent: "STORY-B" }),
    ]);
    must(await approve(plan, { references: ["FEAT-A"] }));
    must(await setFocus(plan, "STORY-B"));
    expect(must(await next(plan, {}))[0]?.task.id).toBe("T-2");
  });

  it("does not go to what is settled or frozen, or to nothing", async () => {
    const plan = await makePlan([task("T-1", { kind: "gate" }), task("T-2")]);
    must(await approve(plan, { references: ["FEAT-A"] }));
    must(await complete(plan, { reference: "T-1" }));
    must(await freeze(plan, { references: ["T-2"], reason: "later" }));
    expect(mustFail(await setFocus(plan, "T-1")).reason).toBe("settled");
    expect(mustFail(await setFocus(plan, "T-2")).reason).toBe("frozen");
    expect(mustFail(await setFocus(plan, "NOPE")).kind).toBe("absent");
    expect(mustFail(await setFocus(plan, "--story")).reason).toBe("no-focus");
  });
});
