import { describe, expect, it } from "vitest";
import { branch, node, settled } from "../../../test/branch.js";
import { must, mustFail } from "../../../test/plan.js";
import type { Node, Tier } from "../node/node.js";
import { replanBudget, spendReplan } from "./give-up.js";

const DEFAULTS = { initiative: 2, feature: 2, story: 3 };

describe("the budget for replans", () => {
  it.each<[Tier, Partial<Node>, { used: number; of: number } | undefined]>([
    ["initiative", {}, { used: 0, of: 2 }],
    ["feature", { replans: 1 }, { used: 1, of: 2 }],
    ["story", {}, { used: 0, of: 3 }],
    ["story", { budgets: { replans: 0 } }, { used: 0, of: 0 }],
    ["story", { budgets: { replans: 5 }, replansGranted: 2 }, { used: 0, of: 7 }],
    ["story", { replans: 3, replansGranted: 1 }, { used: 3, of: 4 }],
    ["mission", {}, undefined],
    ["task", { budgets: { replans: 5 } }, undefined],
  ])("of a %s with %j", (tier, fields, budget) => {
    expect(replanBudget(node(1, tier, 9, fields), DEFAULTS)).toEqual(budget);
  });

  it("counts one more until it is spent", () => {
    expect(must(spendReplan(node(1, "story", 9, { replans: 2 }), DEFAULTS))).toEqual({ used: 3, of: 3 });
    const spent = mustFail(spendReplan(node(1, "story", 9, { replans: 3 }), DEFAULTS));
    expect(spent).toMatchObject({ kind: "refused", reason: "budget", details: { used: 3, of: 3 } });
  });

  it("is not for missions, tasks and what is settled", () => {
    expect(mustFail(spendReplan(node(1, "mission", null), DEFAULTS)).reason).toBe("no-budget");
    expect(mustFail(spendReplan(node(1, "task", 9), DEFAULTS)).reason).toBe("no-budget");
    const [finished] = branch(node(1, "story", 9), node(2, "task", 1, settled("done")));
    expect(mustFail(spendReplan(finished, DEFAULTS)).reason).toBe("settled");
  });
});
