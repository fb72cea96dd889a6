// Threat: somebody who can read the plan's file takes the token of another worker's claim, and hands in, renews or releases its task.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { renewClaim } from "../../src/plan/claim/token.js";
import { approve } from "../../src/plan/node/approve.js";
import { releaseClaim } from "../../src/verbs/claim/release.js";
import { failTask } from "../../src/verbs/task/fail.js";
import { complete } from "../../src/verbs/task/hand-in.js";
import { next } from "../../src/verbs/task/next.js";
import { makePlan, must, mustFail, task } from "../plan.js";

async function makePlanInFile() {
  const folder = mkdtempSync(join(tmpdir(), "planwright-token-"));
  const plan = await makePlan([task("T-1")], join(folder, "plan.db"));
  onTestFinished(async () => {
    await plan.store.close();
    rmSync(folder, { recursive: true, force: true });
  });
  must(await approve(plan, { references: ["FEAT-A"] }));
  const [given] = must(await next(plan.as("agent:one"), {}));
  return { plan, folder, token: given?.token ?? "" };
}

describe("the token of a claim", () => {
  it("is nowhere in the plan's files", async () => {
    const { folder, token } = await makePlanInFile();
    expect(token).toMatch(/^[0-9a-f]{32}$/);
    for (const file of readdirSync(folder)) {
      expect([file, readFileSync(join(folder, file)).includes(token)]).toEqual([file, false]);
    }
  });

  it.each([
    ["complete", complete],
    ["renew", renewClaim],
    ["release", releaseClaim],
    [
      "fail",
      (context: Parameters<typeof failTask>[0], input: { reference: string; token: string }) =>
        failTask(context, { ...input, reason: "no" }),
    ],
  ])("cannot be made from what the plan holds: %s", async (_, verb) => {
    const { plan, token } = await makePlanInFile();
    const stored = (await plan.store.read((reader) => reader.byId("T-1")))?.claim?.token ?? "";
    expect(stored).toMatch(/^[0-9a-f]{64}$/);
    expect(mustFail(await verb(plan.as("agent:one"), { reference: "T-1", token: stored })).reason).toBe("lease-lost");
    expect((await verb(plan.as("agent:one"), { reference: "T-1", token })).ok).toBe(true);
  });
});
