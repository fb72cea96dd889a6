import { describe, expect, it } from "vitest";
import { ask } from "../../../test/ask.js";
import { addAll, addInbox, makePlan, must, mustFail, task } from "../../../test/plan.js";
import { approve } from "../../plan/node/approve.js";
import { freeze } from "../branch/freeze.js";
import { complete } from "../task/hand-in.js";
import { next } from "../task/next.js";
import { gate } from "./gate.js";

const KEY = { title: "Get an API key", before: ["T-1"] };

describe("gate", () => {
  it("holds back approved work until a person completes it, with no other write", async () => {
    const plan = await makePlan([task("T-1")]);
    must(await approve(plan, { references: ["FEAT-A"] }));
    const made = must(await gate(plan, KEY));
    expect(made).toMatchObject({ before: ["T-1"], approved: [made.id, "T-1"], stale: [] });
    expect(await plan.view(made.id)).toMatchObject({ kind: "gate", parent: "STORY-A", reason: "human" });
    expect(await plan.view("T-1")).toMatchObject({ reason: "deps-pending", because: [made.id] });
    expect(mustFail(await next(plan.as("agent:bot"), {})).reason).toBe("nothing-ready");
    must(await complete(plan, { reference: made.id }));
    expect((await plan.view("T-1")).reason).toBe("claimable");
    expect(must(await next(plan.as("agent:bot"), {}))[0]?.task.id).toBe("T-1");
  });

  it("leaves unapproved work unapproved, unless told to approve it", async () => {
    const plan = await makePlan([task("T-1"), task("T-2")]);
    expect(must(await gate(plan, KEY)).approved).toHaveLength(1);
    expect((await plan.view("T-1")).reason).toBe("unapproved");
    const made = must(await gate(plan, { title: "Sign", before: ["T-1", "T-2"], approve: true }));
    expect(made.approved).toEqual([made.id, "T-1", "T-2"]);
    expect((await plan.view("T-2")).reason).toBe("deps-pending");
  });

  it("does not renew an approval that was stale already", async () => {
    const plan = await makePlan([task("T-1")]);
    must(await approve(plan, { references: ["FEAT-A"] }));
    must(await gate(plan.as("agent:bot"), KEY));
    expect((await plan.view("T-1")).reason).toBe("approval-stale");
    must(await gate(plan, { title: "Another", before: ["T-1"] }));
    expect((await plan.view("T-1")).reason).toBe("approval-stale");
  });

  it("is only a proposal when an agent makes it", async () => {
    const plan = await makePlan([task("T-1")]);
    must(await approve(plan, { references: ["FEAT-A"] }));
    const made = must(await gate(plan.as("agent:bot"), KEY));
    expect(made).toMatchObject({ approved: [], stale: ["T-1"] });
    expect((await plan.view(made.id)).reason).toBe("unapproved");
    expect(mustFail(await gate(plan.as("agent:bot"), { ...KEY, approve: true }))).toMatchObject({
      kind: "refused",
      reason: "needs-person",
    });
  });

  it("stands beside work of the inbox without being cleared, and under its parent's freeze", async () => {
    const plan = await makePlan([task("T-1")]);
    await addInbox(plan);
    await addAll(plan, [{ id: "I-1", title: "An idea" }]);
    const shelved = must(await gate(plan, { title: "Decide", before: ["I-1"] }));
    expect(shelved.approved).toEqual([]);
    expect(await plan.view(shelved.id)).toMatchObject({ parent: "INBOX", reason: "inbox" });
    expect(mustFail(await gate(plan, { title: "Decide", before: ["I-1"], approve: true })).reason).toBe("inbox");
    must(await freeze(plan, { references: ["FEAT-A"], reason: "budget" }));
    expect((await plan.view(must(await gate(plan, KEY)).id)).freeze).toMatchObject({ from: "FEAT-A" });
  });

  it("refuses containers, what is settled, what is unknown, and an empty title", async () => {
    const plan = await makePlan([task("T-1", { kind: "gate" })]);
    must(await approve(plan, { references: ["FEAT-A"] }));
    must(await complete(plan, { reference: "T-1" }));
    expect(mustFail(await gate(plan, { ...KEY, before: ["FEAT-A"] })).reason).toBe("container");
    expect(mustFail(await gate(plan, KEY)).reason).toBe("settled");
    expect(mustFail(await gate(plan, { ...KEY, before: ["NOPE"] })).kind).toBe("absent");
    expect(mustFail(await ask(plan, "gate", { ...KEY, title: "" })).kind).toBe("usage");
  });
});
