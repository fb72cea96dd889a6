import { describe, expect, it } from "vitest";
import { leaveAttempt } from "../../../test/attempts.js";
import { must, task } from "../../../test/plan.js";
import { makeApprovedPlan } from "../../../test/work.js";
import { NO_USAGE } from "../../model/attempt/attempt.js";
import { edit } from "../../verbs/node/edit.js";
import { driftOf } from "./decide-failure.js";

const used = (tokens: number) => ({ usage: { ...NO_USAGE, inputTokens: tokens } });

describe("how far work has drifted", () => {
  it("counts changes of the task since work on it began, and tokens by what an estimate has taken so far", async () => {
    const estimated = ["a", "b", "c"].map((name) => task(`T-${name}`, { estimateHours: 2 }));
    const plan = await makeApprovedPlan([...estimated, task("T-1", { estimateHours: 4 })]);
    must(await edit(plan, { reference: "T-1", title: "Before" }));
    plan.pass(10_000);
    for (const id of ["T-a", "T-b"]) await leaveAttempt(plan, id, { state: "accepted", ...used(200) });
    const first = await leaveAttempt(plan, "T-1", { state: "rejected" });
    plan.pass(10_000);
    must(await edit(plan, { reference: "T-1", title: "Once" }));
    must(await edit(plan, { reference: "T-1", title: "Twice" }));
    const own = await leaveAttempt(plan, "T-1", { state: "rejected", ...used(1000) });
    const [node, now, earlier] = await plan.store.read(async (reader) => [
      await reader.byId("T-1"),
      await reader.item("attempt", own),
      await reader.item("attempt", first),
    ]);
    if (!node || !now || !earlier) throw new Error("They are there.");
    const drift = () => driftOf(plan, { key: own, task: node, attempt: now.fields }, [earlier]);
    // Two are too few to tell what an hour takes.
    expect(await drift()).toEqual({ failedAttempts: 1, revisions: 2, tokens: 1000, tokensPlanned: null });
    await leaveAttempt(plan, "T-c", { state: "accepted", ...used(600) });
    expect(await drift()).toMatchObject({ tokensPlanned: 400 });
  });
});
