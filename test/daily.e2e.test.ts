// The verbs of every day: find something in the plan, and change a setting.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeRig, type Rig } from "./rig.js";

function planned(): Rig {
  const rig = makeRig();
  rig.ok(["init", "--mission", "A shop"]);
  const lines = [
    { id: "CART", tier: "feature", title: "Cart" },
    { id: "T-1", title: "Store the cart", parent: "CART", files: ["src/cart.ts"], priority: 2, profile: "backend" },
    { id: "T-2", title: "Show the cart", parent: "CART", body: "Uses the session cookie.", priority: 1 },
    { id: "T-3", title: "Empty the cart", parent: "CART", dependsOn: ["T-1"] },
  ];
  rig.ok(["add", "--from", "-"], { input: lines.map((line) => JSON.stringify(line)).join("\n") });
  rig.ok(["approve", "CART"]);
  return rig;
}

const idsOf = (rig: Rig, ...args: string[]): string[] =>
  (rig.ok(["list", ...args]) as { nodes: { id: string }[] }).nodes.map(({ id }) => id);

describe("planwright list", () => {
  it("filters by what a node is, says and touches", () => {
    const rig = planned();
    expect(idsOf(rig, "--status", "ready", "--tier", "task")).toEqual(["T-1", "T-2"]);
    expect(idsOf(rig, "--status", "ready", "--tier", "task", "--sort", "priority")).toEqual(["T-2", "T-1"]);
    expect(idsOf(rig, "--status", "blocked", "--tier", "task", "--kind", "work")).toEqual(["T-3"]);
    expect(idsOf(rig, "--file", "src/cart.ts")).toEqual(["T-1"]);
    expect(idsOf(rig, "--profile", "backend")).toEqual(["T-1"]);
    expect(idsOf(rig, "--text", "COOKIE")).toEqual(["T-2"]);
    expect(idsOf(rig, "--in", "CART", "--kind", "land")).toEqual(["CART-LAND"]);
    expect(idsOf(rig, "--status", "dropped")).toEqual([]);
  });

  it("says how many more there are, and an empty list is no failure", () => {
    const rig = planned();
    expect(rig.run(["list", "--tier", "task", "--limit", "1"]).stderr).toContain("more; raise --limit");
    expect(rig.run(["list", "--text", "nowhere"])).toMatchObject({ code: 0, stdout: "Nothing fits.\n" });
    expect(rig.fails(["list", "--status", "redy"])).toMatchObject({ code: 5, reason: "invalid-input" });
  });
});

describe("planwright search", () => {
  it("finds nodes and records, the best first", () => {
    const rig = planned();
    rig.ok(["record", "add", "Keep sessions short", "--kind", "decision", "--because", "they cost memory"]);
    const { hits } = rig.ok(["search", "cart"]) as { hits: { id: string }[] };
    expect(hits.slice(0, 2).map(({ id }) => id)).toEqual(["CART", "CART-LAND"]);
    expect(rig.run(["search", "session cookie"]).stdout).toContain(
      "T-2  node  Show the cart\n    Uses the session cookie.",
    );
    expect((rig.ok(["search", "sessions"]) as { hits: { kind: string }[] }).hits[0]?.kind).toBe("record");
    const [first] = hits;
    rig.ok(["label", first?.id ?? "", "--add", "shop"]);
    expect(rig.ok(["search", "cart", "--label", "shop"])).toMatchObject({ hits: [{ id: first?.id }], total: 1 });
    expect(rig.ok(["search", "sessions", "--label", "shop"])).toMatchObject({ hits: [] });
    expect(rig.run(["search", "nowhere"])).toMatchObject({ code: 0, stdout: "Nothing found.\n" });
    expect(rig.fails(["search"])).toMatchObject({ code: 5 });
  });
});

describe("planwright config", () => {
  it("shows where a value comes from, and changes it", () => {
    const rig = planned();
    expect(rig.ok(["config", "get", "execution.workers"])).toEqual({
      key: "execution.workers",
      value: 2,
      default: 2,
      source: "default",
    });
    rig.ok(["config", "set", "execution.workers", "4"]);
    rig.ok(["config", "set", "roles.worker.agent", "claude"]);
    expect(JSON.parse(readFileSync(join(rig.root, "planwright.json"), "utf8"))).toEqual({
      execution: { workers: 4 },
      roles: { worker: { agent: "claude" } },
    });
    expect(rig.run(["config", "get", "execution.workers"])).toMatchObject({ stdout: "4\n" });
    expect(rig.ok(["config", "get", "leaseMinutes"], { env: { PLANWRIGHT_LEASE_MINUTES: "5" } })).toMatchObject({
      value: 5,
      source: "PLANWRIGHT_LEASE_MINUTES",
    });
    const changed = rig.ok(["config", "list", "--changed"]) as { key: string }[];
    expect(changed.map(({ key }) => key)).toEqual(["roles", "execution.workers"]);
    rig.ok(["config", "set", "execution.workers", "--default"]);
    expect(rig.ok(["config", "get", "execution.workers"]).source).toBe("default");
  });

  it("writes nothing that a setting does not accept, and lets no agent change one", () => {
    const rig = planned();
    expect(rig.fails(["config", "set", "execution.workers", "many"])).toMatchObject({ code: 5, reason: "bad-setting" });
    expect(rig.fails(["config", "set", "execution.wrokers", "4"])).toMatchObject({
      code: 2,
      reason: "unknown-setting",
    });
    expect(rig.fails(["config", "set", "execution.workers"])).toMatchObject({ code: 5, reason: "invalid-input" });
    expect(rig.fails(["config", "set", "execution.workers", "4", "--as", "agent:bot"])).toMatchObject({
      code: 3,
      reason: "needs-person",
    });
    expect(rig.run(["config", "list", "--changed"]).stdout).toBe("Every setting has its default.\n");
  });
});
