// What finished work does to what contains it and to what waits for it.

import { describe, expect, it } from "vitest";
import { approved, passes, work } from "../../../test/approved.js";
import { addAll, must, mustFail, task } from "../../../test/plan.js";
import { start } from "../../plan/claim/start.js";
import { add } from "../../plan/node/add.js";
import { complete } from "./hand-in.js";

describe("roll-up and landing", () => {
  it("makes a container done when its last child is, and not before it has landed", async () => {
    const plan = await approved(task("T-1", passes), task("T-2", passes));
    await work(plan);
    expect((await plan.view("STORY-A")).status).toBe("in_progress");
    await work(plan);
    expect((await plan.view("STORY-A")).status).toBe("done");
    expect((await plan.view("FEAT-A")).status).toBe("in_progress");
    expect(await plan.view("FEAT-A-LAND")).toMatchObject({ status: "ready", reason: "human" });
    expect(mustFail(await complete(plan.as("agent:a"), { reference: "FEAT-A-LAND" })).reason).toBe("needs-person");
    must(await complete(plan, { reference: "FEAT-A-LAND" }));
    expect((await plan.view("FEAT-A")).status).toBe("done");
    expect((await plan.view("MISSION")).status).toBe("done");
  });

  it("calls every proof unversioned where no commit can hold the work", async () => {
    const plan = await approved(task("T-1", passes));
    const { token } = must(await start(plan, { reference: "T-1" }));
    expect(must(await complete(plan, { reference: "T-1", token }))).toMatchObject({
      acceptance: "accepted",
      commit: null,
      proof: "unversioned",
    });
    expect((await plan.view("T-1")).proof).toEqual({ strength: "unversioned", words: "no commit holds the work" });
    const landed = must(await complete(plan, { reference: "FEAT-A-LAND" }));
    expect(landed).toMatchObject({ proof: null, note: expect.stringMatching(/^unversioned: /) });
    expect((await plan.view("FEAT-A-LAND")).acceptance?.reason).toBe(landed.note);
  });

  it("never lands a feature in which work is open, or that has none", async () => {
    const plan = await approved(task("T-1", passes), { id: "FEAT-E", tier: "feature", title: "Empty" });
    expect(mustFail(await complete(plan, { reference: "FEAT-A-LAND" })).reason).toBe("deps-pending");
    expect(await plan.view("FEAT-E-LAND")).toMatchObject({ reason: "deps-pending", because: ["FEAT-E"] });
    expect(mustFail(await complete(plan, { reference: "FEAT-E-LAND" })).reason).toBe("deps-pending");
  });

  it("meets a dependency across features only when the other feature has landed, naming the land task", async () => {
    const plan = await approved(
      task("T-1", passes),
      { id: "FEAT-B", tier: "feature", title: "B" },
      task("B-1", { parent: "FEAT-B", dependsOn: ["T-1"] }),
    );
    expect(await plan.view("B-1")).toMatchObject({ reason: "deps-pending", because: ["T-1"] });
    await work(plan);
    expect(await plan.view("B-1")).toMatchObject({ reason: "deps-pending", because: ["FEAT-A-LAND"] });
    must(await complete(plan, { reference: "FEAT-A-LAND" }));
    expect((await plan.view("B-1")).reason).toBe("claimable");
  });

  it("opens a dependent gate's work with no other write", async () => {
    const plan = await approved(task("G", { kind: "gate" }), task("T-1", { dependsOn: ["G"] }));
    expect((await plan.view("T-1")).because).toEqual(["G"]);
    expect(mustFail(await complete(plan.as("agent:a"), { reference: "G" })).reason).toBe("needs-person");
    must(await complete(plan, { reference: "G" }));
    expect(await plan.view("G")).toMatchObject({ status: "done", outcome: { by: "human:ada" } });
    expect((await plan.view("T-1")).reason).toBe("claimable");
  });
});

describe("a dependency of a container", () => {
  it("holds back everything in it, names what it waits for, and lets go when that is done", async () => {
    const plan = await approved(
      task("T-1", passes),
      { id: "STORY-B", tier: "story", title: "B", parent: "FEAT-A", dependsOn: ["STORY-A"] },
      task("B-1", { ...passes, parent: "STORY-B" }),
      task("B-2", { parent: "STORY-B", dependsOn: ["B-1"] }),
    );
    expect(await plan.view("B-1")).toMatchObject({ status: "blocked", reason: "deps-pending", because: ["STORY-A"] });
    expect((await plan.view("B-2")).because).toEqual(["B-1", "STORY-A"]);
    expect(mustFail(await start(plan, { reference: "B-1" })).reason).toBe("deps-pending");
    await addAll(plan, [task("B-3", { parent: "STORY-B" })]);
    expect(await plan.view("B-3")).toMatchObject({ reason: "unapproved" });
    await work(plan);
    expect((await plan.view("B-1")).reason).toBe("claimable");
    expect((await plan.view("B-2")).because).toEqual(["B-1"]);
    expect((await plan.store.verify()).differences).toEqual([]);
  });

  it("cannot close a cycle through what is inside", async () => {
    const plan = await approved(
      task("T-1"),
      { id: "STORY-B", tier: "story", title: "B", parent: "FEAT-A", dependsOn: ["STORY-A"] },
      task("B-1", { parent: "STORY-B" }),
    );
    const closing = [{ input: task("T-1", { dependsOn: ["B-1"] }), where: "line 1" }];
    expect(mustFail(await add(plan, closing))).toMatchObject({ kind: "invariant" });
    const many = Array.from({ length: 30 }, (_, i) => ({
      input: task(`N-${i}`, { dependsOn: ["B-1"] }),
      where: `line ${i}`,
    }));
    expect(mustFail(await add(plan, many)).message).toContain("cycle");
  });
});
