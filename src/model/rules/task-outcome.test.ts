import { describe, expect, it } from "vitest";
import { AT, aNode, settled } from "../../../test/node.js";
import type { CheckResult, Node } from "../node/node.js";
import { acceptPatch, giveUp, handIn, mayAccept } from "./task-outcome.js";

const claim = { by: "agent:bot", token: "t", epoch: 1, at: AT, until: AT + 9_000 };
const settling = { by: "agent:bot", at: AT + 5_000, op: 12 };
const check = (run: string, passed: boolean): CheckResult => ({
  run,
  passed,
  outcome: passed ? "exit 0" : "exit 1, expected exit 0",
  durationMs: 3,
  output: "",
});
const handedIn = (...checks: CheckResult[]) => ({ checks, commit: "c0ffee", created: ["a.ts"], modified: [] });

const report = { by: "agent:bot", at: AT + 5_000, startedAt: AT, durationMs: 5_000 };

describe("work that is handed in", () => {
  it("is done when every check passes: the checks say so, not the worker", () => {
    expect(handIn(claim, settling, handedIn(check("a", true), check("b", true)))).toMatchObject({
      claim: null,
      retries: 0,
      outcome: { kind: "done", by: "agent:bot", op: 12, reason: null },
      acceptance: { state: "accepted", by: "checks" },
      report: { ...report, commit: "c0ffee", created: ["a.ts"], failure: null },
    });
  });

  it("is rejected by the first check that fails, and is not done", () => {
    const patch = handIn(claim, settling, handedIn(check("a", true), check("b", false), check("c", false)));
    expect(patch).toMatchObject({
      claim: null,
      retries: 0,
      acceptance: { state: "rejected", by: "checks", reason: "b: exit 1, expected exit 0" },
      report: { ...report, failure: { class: "logic", reason: "b: exit 1, expected exit 0" } },
    });
    expect("outcome" in patch).toBe(false);
  });

  it("waits for a person when there are no checks", () => {
    const patch = handIn(claim, settling, handedIn());
    expect(patch).toMatchObject({ claim: null, acceptance: { state: "pending", by: "agent:bot" }, report });
    expect("outcome" in patch).toBe(false);
  });
});

it("work that is given up is rejected with its class and reason", () => {
  expect(giveUp(claim, settling, { class: "design", reason: "no such API" })).toEqual({
    claim: null,
    retries: 0,
    acceptance: { state: "rejected", by: "agent:bot", at: AT + 5_000, reason: "no such API" },
    report: {
      ...report,
      checks: [],
      commit: null,
      created: [],
      modified: [],
      failure: { class: "design", reason: "no such API" },
    },
  });
});

it("work that its checks turned down is given up with them", () => {
  const checks = [check("a", false)];
  expect(giveUp(claim, settling, { class: "logic", reason: "red" }, checks).report).toMatchObject({ checks });
});

it("a person's word settles", () => {
  expect(acceptPatch({ ...settling, by: "human:ada" }, "looked at it")).toEqual({
    claim: null,
    outcome: { kind: "done", by: "human:ada", at: AT + 5_000, op: 12, reason: "looked at it" },
    acceptance: { state: "accepted", by: "human:ada", at: AT + 5_000, reason: "looked at it" },
  });
});

describe("what may be accepted", () => {
  const state = (of: "pending" | "rejected"): Partial<Node> => ({
    acceptance: { state: of, by: "checks", at: AT, reason: null },
  });

  it.each<[string, Partial<Node>, string]>([
    ["what was handed in", state("pending"), "may"],
    ["what was rejected", state("rejected"), "may"],
    ["what nobody did", {}, "nothing-to-accept"],
    ["what is settled", { ...settled("waived"), ...state("rejected") }, "settled"],
  ])("%s", (_, over, expected) => {
    const result = mayAccept(aNode(over));
    expect(result.ok ? "may" : result.error.reason).toBe(expected);
  });
});
