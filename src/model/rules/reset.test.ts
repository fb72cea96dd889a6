import { describe, expect, it } from "vitest";
import { AT, aNode, settled } from "../../../test/node.js";
import type { Node } from "../node/node.js";
import { resetPatch } from "./claim.js";

const claim = { by: "agent:bot", token: "t", epoch: 1, at: AT, until: AT };
const archive = { by: "human:ada", at: AT, root: 1, summary: null };
const freeze = (reason: string): Partial<Node> => ({
  freeze: { reason, by: "human:ada", at: AT, from: 7, commit: null },
});
const acceptance = (state: "pending" | "rejected"): Partial<Node> => ({
  acceptance: { state, by: "checks", at: AT, reason: null },
});

const AGAIN = { acceptance: null, retries: 0 };

describe("reset", () => {
  it.each<[string, Partial<Node>, object]>([
    ["what was rejected", acceptance("rejected"), AGAIN],
    ["what was handed in", acceptance("pending"), AGAIN],
    ["what was frozen by its retries", freeze("retry-exhausted: 5 leases"), { ...AGAIN, freeze: null }],
    ["what was rejected and frozen by a person", { ...acceptance("rejected"), ...freeze("wait") }, AGAIN],
  ])("gives back %s, and keeps the attempts", (_, over, patch) => {
    expect(resetPatch(aNode({ attempts: 3, ...over }), "human:ada", undefined)).toEqual({ ok: true, value: patch });
    const budgets = { attempts: 4 };
    const byAgent = resetPatch(aNode({ attempts: 3, budgets, ...over }), "agent:bot", undefined);
    expect(byAgent).toEqual({ ok: true, value: patch });
  });

  it.each<[string, Partial<Node>]>([
    ["without a budget of attempts", { attempts: 3, ...acceptance("rejected") }],
    ["whose budget is spent", { attempts: 3, budgets: { attempts: 3 }, ...acceptance("rejected") }],
    ["that its retries froze, without a budget", freeze("retry-exhausted: 5 leases")],
    [
      "that a person rejected",
      { budgets: { attempts: 3 }, acceptance: { state: "rejected", by: "human:ada", at: AT, reason: "no" } },
    ],
  ])("leaves a task %s to a person", (_, over) => {
    expect(resetPatch(aNode(over), "agent:bot", "again")).toMatchObject({
      ok: false,
      error: { kind: "refused", reason: "needs-person" },
    });
    expect(resetPatch(aNode(over), "human:ada", undefined).ok).toBe(true);
  });

  it.each(["done", "waived", "dropped"] as const)("opens what is %s again for a person with a reason", (kind) => {
    const patch = resetPatch(aNode(settled(kind)), "human:ada", "it came back");
    expect(patch).toEqual({ ok: true, value: { ...AGAIN, outcome: null } });
  });

  it.each<[string, Partial<Node>, string, string | undefined, string]>([
    ["what is archived", { ...settled("done"), archive }, "human:ada", "x", "archived"],
    ["what somebody works on", { claim }, "human:ada", "x", "in-flight"],
    ["what nobody handed in", {}, "human:ada", "x", "nothing-to-reset"],
    ["what a person froze", freeze("wait"), "human:ada", "x", "nothing-to-reset"],
    ["what is done, by an agent", settled("done"), "agent:bot", "x", "needs-person"],
    ["what is done, without a reason", settled("done"), "human:ada", undefined, "needs-reason"],
    ["what has landed", { kind: "land", ...settled("done") }, "human:ada", "x", "landed"],
  ])("refuses %s", (_, over, actor, reason, expected) => {
    expect(resetPatch(aNode(over), actor, reason)).toMatchObject({ ok: false, error: { reason: expected } });
  });
});
