// Conflicts through the built program, as a person meets them.

import { describe, expect, it } from "vitest";
import { recordConflicts } from "../src/engine/ending/end-attempt.js";
import { clashesAmong } from "../src/model/conflict/conflict.js";
import { openWorkspace } from "./open-workspace.js";
import { makeRig, type Rig } from "./rig.js";

/** T-1 and T-2 share a file, and T-3 is elsewhere; everything is approved. */
function planned(): Rig {
  const rig = makeRig();
  rig.ok(["init", "--mission", "Zip tool", "--feature", "Import"]);
  const nodes = [
    { id: "T-1", title: "Parse", parent: "FEAT-001", files: ["src/auth.ts"], checks: [{ run: "true" }] },
    { id: "T-2", title: "Check", parent: "FEAT-001", files: ["src/auth.ts"], checks: [{ run: "true" }] },
    { id: "T-3", title: "Write", parent: "FEAT-001", files: ["src/log.ts"], checks: [{ run: "true" }] },
  ];
  rig.ok(["add", "--from", "-"], { input: nodes.map((node) => JSON.stringify(node)).join("\n") });
  rig.ok(["approve", "FEAT-001"]);
  return rig;
}

/** As an engine does whose two workers change the same lines. */
async function meet(rig: Rig, id: string): Promise<void> {
  const context = await openWorkspace(rig.root, "daemon:box");
  const clashes = await context.store.read(async (reader) => {
    const candidate = await reader.byId(id);
    const all = candidate ? clashesAmong([...(await reader.claimed({ limit: 10 })), candidate]) : [];
    return all.filter(({ second }) => second === candidate);
  });
  await recordConflicts(context, clashes);
  await context.store.close();
}

describe("conflicts", () => {
  it("are checked for, and two tasks that share a file are found (weakness 1.5.3)", () => {
    const rig = planned();
    const found = rig.run(["conflicts", "check"]);
    expect([found.code, found.stdout]).toEqual([1, "! T-2 and T-1  files: src/auth.ts\n"]);
    expect(rig.run(["conflicts", "check", "T-3"])).toMatchObject({
      code: 0,
      stdout: "✓ 1 task: no conflicts.\n",
    });
    expect(rig.ok(["conflicts"])).toEqual([]);
  });

  it("are listed, shown, explained and resolved, with an effect that undo takes back", async () => {
    const rig = planned();
    rig.ok(["start", "T-1"]);
    await meet(rig, "T-2");
    expect(rig.run(["conflicts", "list", "--open"]).stdout).toBe(
      "CONFLICT-00001  T-2 after T-1  files: src/auth.ts  serialise\n",
    );
    expect(rig.run(["conflicts", "show", "conflict-1"]).stdout).toContain("T-2 conflicts with T-1");
    expect(rig.run(["why", "T-2"]).stdout).toContain(
      "T-2 goes after T-1, which touches src/auth.ts too (CONFLICT-00001)",
    );
    expect(rig.ok(["next"]).task.id).toBe("T-3");
    expect(rig.ok(["conflicts", "resolve", "CONFLICT-00001", "accept-blocker"])).toMatchObject({
      state: "settled",
      choice: "accept-blocker",
      effect: "T-2 waits for T-1, and has to be approved again",
    });
    expect(rig.ok(["show", "T-2"]).status).toBe("planned");
    rig.ok(["undo"]);
    expect(rig.ok(["show", "T-2"]).status).toBe("blocked");
    expect(rig.ok(["conflicts", "--open"])).toHaveLength(1);
    expect(rig.run(["conflicts", "history"]).stdout).toMatch(
      /CONFLICT-00001 {2}T-2 and T-1: serialise: .* \(daemon:box\)/,
    );
  });

  it("have exit codes: 2 for an unknown id, 5 for an unknown choice or deed", async () => {
    const rig = planned();
    rig.ok(["start", "T-1"]);
    await meet(rig, "T-2");
    expect(rig.fails(["conflicts", "show", "CONFLICT-9"])).toMatchObject({ code: 2, reason: "not-found" });
    expect(rig.fails(["conflicts", "resolve", "CONFLICT-9", "sequential"]).code).toBe(2);
    expect(rig.fails(["conflicts", "resolve", "CONFLICT-1", "coin-toss"])).toMatchObject({
      code: 5,
      reason: "invalid-input",
    });
    expect(rig.fails(["conflicts", "arbitrate"])).toMatchObject({ code: 5, reason: "unknown-subcommand" });
    expect(rig.fails(["conflicts", "show"]).code).toBe(5);
    expect(rig.fails(["conflicts", "list", "T-1"]).code).toBe(5);
    expect(rig.fails(["conflicts", "check", "T-99"]).code).toBe(2);
  });

  it("hold a thaw back until they are decided, unless it is forced", async () => {
    const rig = planned();
    rig.ok(["start", "T-1"]);
    await meet(rig, "T-2");
    rig.ok(["conflicts", "resolve", "CONFLICT-1", "freeze-both"]);
    expect(rig.fails(["thaw", "T-2"])).toMatchObject({ code: 3, reason: "conflict-open" });
    rig.ok(["thaw", "T-2", "--force"]);
    expect(rig.ok(["conflicts", "show", "CONFLICT-1"]).state).toBe("settled");
    expect(rig.fails(["thaw", "T-3"]).code).toBe(2);
  });

  it("that go to a person are answered there", async () => {
    const rig = planned();
    rig.ok(["start", "T-1"]);
    await meet(rig, "T-2");
    rig.ok(["conflicts", "resolve", "CONFLICT-1", "escalate"]);
    const [question] = rig.ok(["escalations"]);
    expect(question).toMatchObject({ kind: "conflict", blocks: ["T-2"], recommended: "sequential" });
    rig.ok(["answer", question.id, "sequential"]);
    expect(rig.ok(["conflicts", "--open"])).toEqual([]);
    expect(rig.ok(["show", "T-2"]).status).toBe("blocked");
  });
});
