import { describe, expect, it } from "vitest";
import { AT, aNode } from "../../../test/node.js";
import { claimPatch, expirePatch, requireClaim } from "./claim.js";

const approval = { by: "human:ada", at: AT, hash: "h" };
const claim = { by: "agent:bot", token: "secret", epoch: 2, at: AT, until: AT + 10 };

describe("claiming", () => {
  it("counts claims and attempts, and ends with the lease", () => {
    const patch = claimPatch(aNode({ epoch: 4, attempts: 2 }), { by: "agent:x", token: "t", at: AT, leaseMs: 60 });
    expect(patch).toEqual({
      claim: { by: "agent:x", token: "t", epoch: 5, at: AT, until: AT + 60 },
      epoch: 5,
      attempts: 3,
    });
  });
});

describe("a claim", () => {
  it.each([
    [{ approval }, "it was released, or its lease ran out and was not renewed."],
    [{ approval: null }, "It is no longer approved."],
    [
      { approval, freeze: { reason: "the API is down", by: "human:ada", at: 1, from: 1, commit: null } },
      "human:ada froze it: the API is down.",
    ],
    [
      { approval, outcome: { kind: "dropped", by: "human:ada", at: 1, reason: null, op: 1 } },
      "human:ada ended the task (dropped).",
    ],
  ] as const)("that has ended says who ended it and why (%#)", (facts, why) => {
    const result = requireClaim(aNode({ claim: null, ...facts }), "agent:bot", "secret");
    if (result.ok) throw new Error("It should be lost.");
    expect(result.error.message).toContain("Your claim of T-1 has ended");
    expect(result.error.message).toContain(why);
  });

  const cases = [
    ["is shown by its token", claim, "agent:bot", "secret", "held"],
    ["is shown by its token, whoever shows it", claim, "agent:other", "secret", "held"],
    ["of an agent is not known without the token", claim, "agent:bot", undefined, "needs-token"],
    ["of somebody else is not known without the token", claim, "human:ada", undefined, "needs-token"],
    ["of a person is known without the token", { ...claim, by: "human:ada" }, "human:ada", undefined, "held"],
    ["of a person is not known by a wrong token", { ...claim, by: "human:ada" }, "human:ada", "old", "lease-lost"],
    ["that another took is lost", claim, "agent:bot", "old", "lease-lost"],
    ["that has ended is lost", null, "agent:bot", "secret", "lease-lost"],
    ["that never was is said so", null, "human:ada", undefined, "not-claimed"],
  ] as const;

  it.each(cases)("%s", (_, held, actor, token, expected) => {
    const result = requireClaim(aNode({ claim: held }), actor, token);
    expect(result.ok ? "held" : result.error.reason).toBe(expected);
    expect(result.ok ? result.value : (result.error.next?.length ?? 0) > 0).toEqual(result.ok ? held : true);
  });

  it("that is lost says that nothing was changed, and who has it now", () => {
    const result = requireClaim(aNode({ claim }), "agent:late", "old");
    if (result.ok) throw new Error("It should be lost.");
    expect(result.error.message).toBe(
      "agent:bot has claimed T-1 now, so this token is no longer valid. Nothing was changed.",
    );
  });
});

describe("a lease that ran out", () => {
  it.each([
    [0, 1],
    [3, 4],
  ])("after %i others gives the task back", (retries, expected) => {
    expect(expirePatch(aNode({ claim, retries }), AT, 4, "daemon:host")).toEqual({ claim: null, retries: expected });
  });

  it("too often freezes it, and says why", () => {
    expect(expirePatch(aNode({ claim, retries: 4 }), AT, 4, "daemon:host")).toEqual({
      claim: null,
      retries: 5,
      freeze: {
        reason: "retry-exhausted: 5 leases in a row ended without a word from the worker",
        by: "daemon:host",
        at: AT,
        from: 7,
        commit: null,
      },
    });
  });

  it("freezes at once where no retry is allowed", () => {
    expect(expirePatch(aNode({ claim }), AT, 0, "daemon:host").freeze).toBeTruthy();
  });
});
