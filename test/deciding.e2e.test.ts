import { describe, expect, it } from "vitest";
import { makeRig, type Rig } from "./rig.js";

const AGENT = { env: { PLANWRIGHT_ACTOR: "agent:bot" } };

/** A repository with one approved story of two tasks. */
function planned(): Rig {
  const rig = makeRig();
  rig.git("init", "-q");
  rig.write("a.ts", "one\n");
  rig.git("add", "a.ts");
  rig.git("commit", "-qm", "one");
  rig.ok(["init"]);
  const nodes = [
    { id: "FEAT-A", tier: "feature", title: "Feature", parent: "MISSION" },
    { id: "STORY-A", tier: "story", title: "Story", parent: "FEAT-A" },
    { id: "T-1", title: "First", parent: "STORY-A", files: ["a.ts"], checks: [{ run: "true" }] },
    { id: "T-2", title: "Second", parent: "STORY-A", dependsOn: ["T-1"], checks: [{ run: "true" }] },
  ];
  rig.ok(["add", "--from", "-"], { input: nodes.map((node) => JSON.stringify(node)).join("\n") });
  rig.ok(["approve", "FEAT-A"]);
  return rig;
}

const status = (rig: Rig, id: string): string => (rig.ok(["show", id]) as { status: string }).status;

const SETTLE = [
  ["waive", "T-1", "--reason", "done by hand"],
  ["waive", "STORY-A", "--reason", "done by hand"],
];

describe("deciding on the command line", () => {
  it("freezes, loses the worker's claim, and brings all of it back with one undo", () => {
    const rig = planned();
    const { token } = rig.ok(["next"], AGENT);
    const frozen = rig.run(["freeze", "STORY-A", "--reason", "the API changes"]);
    expect(frozen.stdout).toContain("frozen: STORY-A, T-1, T-2");
    expect(frozen.stderr).toMatch(/planwright undo \d+/);
    expect(rig.fails(["complete", "T-1", "--token", token], AGENT)).toMatchObject({ code: 3, reason: "lease-lost" });
    expect(rig.fails(["freeze", "STORY-A"])).toMatchObject({ code: 3, reason: "frozen" });
    expect(rig.fails(["thaw", "STORY-A"], AGENT)).toMatchObject({ code: 3, reason: "needs-person" });
    rig.ok(["undo"]);
    expect(status(rig, "T-1")).toBe("in_progress");
    rig.ok(["complete", "T-1", "--token", token], AGENT);
  });

  it("thaws only when the files are as they were, unless told otherwise", () => {
    const rig = planned();
    rig.ok(["freeze", "T-1"]);
    rig.write("a.ts", "two\n");
    const refusal = rig.fails(["thaw", "T-1"]);
    expect(refusal).toMatchObject({ code: 3, reason: "changed-since-freeze", details: { files: ["a.ts"] } });
    expect([refusal.message, ...refusal.next.map(({ command }) => command)].join()).not.toContain("--force");
    expect(rig.ok(["thaw", "T-1", "--force"])).toMatchObject({ thawed: ["T-1"] });
    expect(rig.fails(["thaw", "T-1"])).toMatchObject({ code: 2, reason: "not-frozen" });
  });

  it("has the exit codes of its refusals", () => {
    const rig = planned();
    expect(rig.fails(["waive", "T-1"]).code).toBe(5);
    expect(rig.fails(["fail", "T-1"]).code).toBe(5);
    expect(rig.fails(["replan", "STORY-A", "--reason", "x"], AGENT)).toMatchObject({ code: 3, reason: "needs-person" });
    expect(rig.fails(["waive", "T-1", "--reason", "hard"], AGENT)).toMatchObject({ code: 3, reason: "needs-person" });
    expect(rig.fails(["drop", "T-1"], AGENT)).toMatchObject({ code: 3, reason: "needs-person" });
    expect(rig.fails(["drop", "FEAT-A-LAND"])).toMatchObject({ code: 3, reason: "land-task" });
    expect(rig.fails(["replan", "T-1", "--reason", "x"])).toMatchObject({ code: 3, reason: "no-budget" });
    expect(rig.fails(["replan", "STORY-A"]).code).toBe(5);
    expect(rig.fails(["archive", "T-1"]).code).toBe(2);
    expect(rig.fails(["archive", "STORY-A"])).toMatchObject({ code: 2, reason: "nothing-finished" });
    expect(rig.fails(["promote", "found it"])).toMatchObject({ code: 2, reason: "no-focus" });
    expect(rig.fails(["promote", "found it", "--in", "T-1", "--to", "T-2"])).toMatchObject({ code: 3 });
    expect(rig.fails(["promote"]).code).toBe(5);
    expect(rig.fails(["redo"])).toMatchObject({ code: 2, reason: "nothing-to-redo" });
    expect(rig.fails(["unapprove", "FEAT-A"], AGENT)).toMatchObject({ code: 3, reason: "needs-person" });
    expect(rig.fails(["undo", "9999"])).toMatchObject({ code: 2, reason: "not-found" });
  });

  it("archives what is finished, keeps it, and brings it back", () => {
    const rig = planned();
    for (const words of SETTLE) rig.ok(words);
    expect(rig.fails(["archive", "FEAT-A"])).toMatchObject({
      code: 3,
      reason: "unfinished",
      details: { open: ["FEAT-A-LAND"] },
    });
    const archived = rig.run(["archive", "STORY-A"]);
    expect(archived.stdout).toContain("T-2 waived Second");
    expect(archived.stderr).toMatch(/planwright undo \d+/);
    expect(rig.ok(["show", "T-2"])).toMatchObject({ status: "archived", title: "Second" });
    expect(rig.ok(["restore", "STORY-A"])).toMatchObject({ restored: ["STORY-A", "T-1", "T-2"] });
    expect(status(rig, "T-2")).toBe("waived");
  });

  it("lists, takes back and does again, and refuses with the list of what came later", () => {
    const rig = planned();
    const { op: first } = rig.ok(["edit", "T-1", "--title", "One"]);
    const { op: second } = rig.ok(["edit", "T-1", "--title", "Two"]);
    expect(rig.ok(["undo", "--list"])[0]).toMatchObject({ op: second, verb: "edit" });
    const refusal = rig.fails(["undo", String(first)]);
    expect(refusal).toMatchObject({ code: 3, reason: "later-changes" });
    expect(refusal.details?.["operations"]).toMatchObject([{ op: second }]);
    rig.ok(["undo", "T-1"]);
    expect(rig.ok(["undo", "T-1"])).toMatchObject({ of: first });
    expect(rig.ok(["show", "T-1"])).toMatchObject({ title: "First" });
    expect(rig.ok(["redo"])).toMatchObject({ of: first });
    expect(rig.ok(["show", "T-1"])).toMatchObject({ title: "One" });
    expect(rig.ok(["verify"])).toMatchObject({ differences: [] });
  });

  it("takes back no heartbeat, does no claim again, and does again by itself only what came last", () => {
    const rig = planned();
    const { token } = rig.ok(["next"], AGENT);
    rig.ok(["heartbeat", "T-1", "--token", token], AGENT);
    const [beat] = (rig.ok(["log"]) as { operations: { op: number }[] }).operations;
    expect(rig.fails(["undo", String(beat?.op)])).toMatchObject({ code: 3, reason: "upkeep" });
    const undone = rig.run(["undo", "T-1"]);
    expect(undone.stdout).toContain("agent:bot claimed T-1");
    expect(undone.stderr).not.toContain("planwright redo");
    expect(rig.fails(["redo"])).toMatchObject({ code: 3, reason: "claim-ended" });
    expect(rig.fails(["complete", "T-1", "--token", token], AGENT)).toMatchObject({ code: 3, reason: "lease-lost" });
    rig.ok(["edit", "T-1", "--title", "One"]);
    expect(rig.fails(["redo"])).toMatchObject({ code: 2, reason: "nothing-to-redo" });
  });

  it.each([
    ["drop", ["drop", "T-1"], "− dropped: T-1"],
    ["replan", ["replan", "STORY-A", "--reason", "again"], "− dropped: T-1, T-2"],
    ["waive", ["waive", "T-1", "--reason", "not needed"], "~ waived: T-1"],
  ])("says whose claims %s ended, and never looks like an error", (_, words, line) => {
    const rig = planned();
    rig.ok(["next"], AGENT);
    const { stdout } = rig.run(words);
    expect(stdout).toContain(line);
    expect(stdout).toContain("claims that ended: T-1 (agent:bot)");
    expect(stdout).not.toContain("✗");
  });

  it("says how to get back whatever it takes away", () => {
    const rig = planned();
    rig.ok(["add", "Extra", "--id", "T-3", "--parent", "STORY-A"]);
    for (const words of [
      ["drop", "T-3"],
      ["replan", "STORY-A", "--reason", "again"],
      ["unapprove", "FEAT-A"],
      ["waive", "FEAT-A", "--reason", "enough"],
      ["archive", "FEAT-A"],
    ]) {
      expect(`${words.join(" ")}: ${rig.run(words).stderr}`).toMatch(/planwright undo \d+/);
    }
  });
});
