import { describe, expect, it } from "vitest";
import { must } from "../../../test/plan.js";
import { finish, makeApprovedPlan, passing } from "../../../test/work.js";
import type { Session } from "../kit/session.js";
import { edit } from "../node/edit.js";
import { traceNode } from "./trace.js";

const asSession = (plan: object): Session => plan as Session;

describe("trace", () => {
  it("follows a task from its approval to its checks and its proof", async () => {
    const plan = await makeApprovedPlan([passing("T-1"), passing("T-2")]);
    await finish(plan, "T-1");
    const done = must(await traceNode(asSession(plan), "T-1"));
    expect(done).toMatchObject({
      id: "T-1",
      spec: null,
      approval: { by: "human:ada", stale: false },
      checks: [{ run: "true", passed: true, output: null }],
      commit: null,
      proof: { strength: "unversioned" },
    });
    must(await edit(plan, { reference: "T-2", body: "Something else." }));
    expect(must(await traceNode(asSession(plan), "T-2"))).toMatchObject({
      approval: { stale: true },
      checks: [{ run: "true", passed: null, outcome: null }],
      attempt: null,
      proof: null,
    });
  });

  it("names what it waits for and what waits for it, each with its status", async () => {
    const plan = await makeApprovedPlan([
      passing("T-1"),
      { ...passing("T-2"), dependsOn: ["T-1"] },
      { ...passing("T-3"), dependsOn: ["T-2"] },
    ]);
    await finish(plan, "T-1");
    expect(must(await traceNode(asSession(plan), "T-2"))).toMatchObject({
      dependsOn: [{ id: "T-1", status: "done" }],
      holdsUp: [{ id: "T-3", status: "blocked" }],
    });
  });
});
