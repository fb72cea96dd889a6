import { describe, expect, it } from "vitest";
import { FEATURE, finished, LAND } from "../../../test/finished-feature.js";
import { must } from "../../../test/plan.js";
import { fileTask } from "../../../test/shop.js";
import { accept } from "../../plan/claim/settle-tasks.js";

describe("a feature that somebody merged into main by hand", () => {
  it("cannot count as landed while one of its checks fails on main", async () => {
    const shop = await finished([fileTask("one", { checks: [{ run: "test -f one.txt && test ! -f broken.txt" }] })]);
    shop.git("merge", "-q", "--no-ff", "-m", "by hand", FEATURE);
    shop.repository.commit({ "broken.txt": "x\n" });
    const failure = await shop.refused();
    expect(failure).toMatchObject({ reason: "check-failed" });
    expect(failure.message).toContain("exit 1, expected exit 0");
    expect((await shop.plan.view(LAND)).status).not.toBe("done");
    shop.git("rm", "-q", "broken.txt");
    shop.repository.commit({});
    expect(await shop.landed()).toMatchObject({
      outcome: "already-landed",
      checks: [{ passed: true }],
      proof: "main contains the commits of all tasks (1); 1 check green on the result",
    });
  });
});

it("work that a person accepted without a check cannot land without the reason in its proof", async () => {
  const shop = await finished([fileTask("one", { checks: [] }), fileTask("two")]);
  must(await accept(shop.plan, { references: ["T-one"], reason: "I read every line" }));
  const landing = await shop.landed();
  expect(landing.proof).toContain("T-one accepted by human:ada: I read every line");
  expect(landing.proofs).toMatchObject([{ task: "T-one", strength: "override" }, { task: "T-two" }]);
  expect(shop.git("log", "-1", "--format=%B", "main")).toContain(
    "Planwright-Proof: T-one override (accepted by human:ada: I read every line)",
  );
});
