import { describe, expect, it } from "vitest";
import { makePlan, must, mustFail, task } from "../../../test/plan.js";
import { start } from "../../plan/claim/start.js";
import { approve } from "../../plan/node/approve.js";
import { drop } from "../branch/drop.js";
import { freeze } from "../branch/freeze.js";
import { complete } from "../task/hand-in.js";
import { next } from "../task/next.js";
import { readFocus, setFocus } from "./focus.js";
import { promote } from "./promote.js";
import { show } from "./read-node.js";

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

  it("of one conversation of an agent is never that of another, whatever that one claims or focuses on", async () => {
    const plan = await makePlan([task("T-1"), task("T-2")]);
    must(await approve(plan, { references: ["FEAT-A"] }));
    const conversation = (name: string) => ({ ...plan.as("agent:bot"), conversation: name });
    const [first, second] = [conversation("a"), conversation("b")];
    must(await setFocus(first, "T-2"));
    expect(must(await next(second, {}))[0]?.task.id).toBe("T-1");
    expect(must(await readFocus(first))).toMatchObject({ node: { id: "T-2" } });
    expect(must(await show(second, "--active")).id).toBe("T-1");
    must(await start(first, { reference: "T-2" }));
    must(await setFocus(first, "FEAT-A"));
    expect(must(await promote(second, { note: "it expires" })).from).toBe("T-1");
    expect(must(await readFocus(conversation("c"))).node).toBeNull();
    expect(must(await readFocus(plan.as("agent:bot"))).node).toBeNull();
  });

  it("of a conversation ends with its feature, and that of an actor goes on above", async () => {
    const plan = await makePlan([task("T-1")]);
    const bot = plan.as("agent:bot");
    const inConversation = { ...bot, conversation: "a" };
    for (const each of [bot, inConversation]) must(await setFocus(each, "T-1"));
    must(await drop(plan, { references: ["T-1"], reason: "no" }));
    expect(must(await readFocus(inConversation))).toMatchObject({ node: { id: "STORY-A" } });
    must(await drop(plan, { references: ["FEAT-A"], reason: "no" }));
    expect(must(await readFocus(bot))).toMatchObject({ node: { id: "MISSION" } });
    expect(must(await readFocus(inConversation)).node).toBeNull();
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
