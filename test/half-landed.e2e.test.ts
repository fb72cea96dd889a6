// A feature with a part that is not planned, as a person meets it: through the built program, with a daemon at level auto.

import { describe, expect, it, onTestFinished } from "vitest";
import { makeRig, prepareRig, type Rig } from "./rig.js";

const make = (name: string, parent: string): object => ({
  id: name,
  title: `Make ${name}`,
  parent,
  body: `\`\`\`sh run\necho 1 > ${name}.txt\n\`\`\``,
  checks: [{ run: `test -f ${name}.txt` }],
  files: [`${name}.txt`],
});

/** FEAT-001 with a story that has a task, and one that has none; all of it is approved. */
function begin(rig: Rig): void {
  rig.git("init", "-q", "-b", "main");
  rig.write("README.md", "hello\n");
  rig.write("planwright.json", JSON.stringify({ execution: { sandbox: "off", tickSeconds: 1 } }));
  rig.git("add", "-A");
  rig.git("commit", "-q", "-m", "first");
  rig.ok(["init", "--mission", "A shop"]);
  const nodes = [
    { id: "FEAT-001", tier: "feature", title: "Files", parent: "MISSION" },
    { id: "STORY-0001", tier: "story", title: "One", parent: "FEAT-001" },
    { id: "STORY-0002", tier: "story", title: "Two", parent: "FEAT-001" },
    make("one", "STORY-0001"),
  ];
  rig.write("tasks.jsonl", nodes.map((node) => JSON.stringify(node)).join("\n"));
  rig.ok(["add", "--from", "tasks.jsonl"]);
  rig.ok(["approve", "FEAT-001"]);
  rig.ok(["level", "auto", "--unsandboxed"]);
}

function makeShop(): Rig {
  const rig = makeRig();
  prepareRig(rig, "half", begin);
  return rig;
}

interface Step {
  readonly operation: string;
  readonly command?: string;
}

const commandOf = (steps: readonly Step[], operation: string): string[] =>
  (steps.find((step) => step.operation === operation)?.command ?? "").split(" ").slice(1);

const landing = (rig: Rig): unknown[] =>
  rig.ok(["waiting"]).entries.filter(({ kind }: { kind: string }) => kind === "landing");

describe("an approved story without tasks", () => {
  it("cannot be left out of a landing: not by a person, not by `run --land`, not by the daemon at level auto", async () => {
    const rig = makeShop();
    const main = rig.git("rev-parse", "main");
    rig.run(["run", "--land", "--yes"]);
    expect(rig.ok(["show", "one"]).status).toBe("done");
    for (const words of [[], ["--dry-run"], ["--pr"]]) {
      const refused = rig.fails(["land", "FEAT-001", "--yes", ...words]);
      expect(refused).toMatchObject({ code: 3, reason: "tasks-open" });
      expect(refused.message).toContain("STORY-0002 has no tasks. Drop it, waive it or plan it.");
      expect(refused.next.find(({ operation }) => operation === "drop")).toMatchObject({ destructive: true });
    }
    expect(landing(rig)).toEqual([]);
    expect(rig.run(["waiting"]).stdout).toContain("FEAT-001 cannot land: STORY-0002 has no tasks.");
    expect(rig.run(["status"]).stdout).not.toContain("land it");
    expect(rig.run(["lint"]).stdout).toContain("FEAT-001 cannot land: STORY-0002 has no tasks.");
    rig.ok(["daemon", "start"]);
    onTestFinished(() => void rig.run(["daemon", "stop"]));
    // The daemon has looked at the plan: it did what was added since.
    rig.write("more.jsonl", JSON.stringify(make("two", "STORY-0001")));
    rig.ok(["add", "--from", "more.jsonl"]);
    rig.ok(["approve", "FEAT-001"]);
    await expect.poll(() => rig.ok(["show", "two"]).status).toBe("done");
    expect(rig.git("rev-parse", "main")).toBe(main);
    const explained = rig.ok(["why", "FEAT-001-LAND"]);
    expect(explained).toMatchObject({ status: "blocked", reason: "deps-pending", because: ["STORY-0002"] });
    expect(commandOf(explained.next, "expand")).toEqual(["expand", "STORY-0002"]);
    const waive = commandOf(explained.next, "waive").map((word) => (word === "TEXT" ? "not needed" : word));
    rig.ok(waive);
    await expect.poll(() => rig.ok(["show", "FEAT-001"]).status).toBe("done");
    rig.ok(["daemon", "stop"]);
    expect(rig.git("show", "main:two.txt")).toBe("1");
  });

  it("holds no more once it is dropped, and again once that is undone", () => {
    const rig = makeShop();
    rig.ok(["run"]);
    expect(landing(rig)).toEqual([]);
    rig.ok(["drop", "STORY-0002"]);
    expect(landing(rig)).toMatchObject([{ about: "FEAT-001" }]);
    rig.ok(["undo"]);
    expect(landing(rig)).toEqual([]);
    rig.ok(["drop", "STORY-0002"]);
    expect(rig.ok(["land", "FEAT-001", "--yes"]).outcome).toBe("landed");
  });
});

describe("a branch that was replanned", () => {
  it("cannot land as it is: it waits for its new plan, or until the rest is dropped", () => {
    const rig = makeShop();
    rig.ok(["drop", "STORY-0002"]);
    rig.ok(["run"]);
    rig.write("more.jsonl", JSON.stringify(make("two", "STORY-0001")));
    rig.ok(["add", "--from", "more.jsonl"]);
    rig.ok(["replan", "STORY-0001", "--reason", "too large", "--no-plan"]);
    expect(rig.ok(["show", "STORY-0001"]).status).toBe("in_progress");
    expect(landing(rig)).toEqual([]);
    const refused = rig.fails(["land", "FEAT-001", "--yes"]);
    expect(refused.message).toContain("STORY-0001 is to be planned again.");
    expect(rig.run(["why", "STORY-0001"]).stdout).toContain("human:ada asked to plan STORY-0001 again (too large).");
    rig.write("new.jsonl", JSON.stringify(make("three", "STORY-0001")));
    rig.ok(["add", "--from", "new.jsonl"]);
    expect(rig.fails(["land", "FEAT-001", "--yes"]).message).toContain("three is open.");
    rig.ok(["approve", "three"]);
    expect(rig.ok(["why", "STORY-0001"]).because).toEqual(["three"]);
    rig.ok(["undo"]);
    rig.ok(["undo"]);
    expect(rig.fails(["land", "FEAT-001", "--yes"]).message).toContain("STORY-0001 is to be planned again.");
    const dropped = rig.run(["drop", "STORY-0001"]);
    expect(dropped.stdout).toContain("no longer to be planned again: STORY-0001");
    expect(rig.ok(["land", "FEAT-001", "--yes"]).outcome).toBe("landed");
    expect(rig.ok(["verify"]).differences).toEqual([]);
  });

  it("cannot be landed by an agent that adds work to it and drops it again: only by the approval of new work", async () => {
    const rig = makeShop();
    rig.ok(["drop", "STORY-0002"]);
    rig.ok(["level", "on"]);
    rig.ok(["run"]);
    rig.write("more.jsonl", JSON.stringify(make("two", "STORY-0001")));
    rig.ok(["add", "--from", "more.jsonl"]);
    rig.ok(["replan", "STORY-0001", "--reason", "too large", "--no-plan"]);
    const agent = { env: { CLAUDECODE: "1" } };
    rig.write("new.jsonl", JSON.stringify(make("three", "STORY-0001")));
    rig.ok(["add", "--from", "new.jsonl"], agent);
    rig.ok(["drop", "three"], agent);
    expect(rig.fails(["drop", "STORY-0001"], agent).reason).toBe("needs-person");
    expect(landing(rig)).toEqual([]);
    expect(rig.run(["waiting"]).stdout).toContain("FEAT-001 cannot land: STORY-0001 is to be planned again.");
    expect(rig.fails(["land", "FEAT-001", "--yes"]).message).toContain("STORY-0001 is to be planned again.");
    const main = rig.git("rev-parse", "main");
    rig.ok(["level", "auto", "--unsandboxed"]);
    rig.run(["run", "--land", "--yes"]);
    expect(rig.git("rev-parse", "main")).toBe(main);
    rig.write("last.jsonl", JSON.stringify(make("four", "STORY-0001")));
    rig.ok(["add", "--from", "last.jsonl"], agent);
    const [approve] = rig.ok(["why", "STORY-0001"]).next;
    expect(approve.command).toBe("planwright approve STORY-0001");
    rig.ok(["approve", "STORY-0001"]);
    rig.ok(["run"]);
    expect(rig.ok(["land", "FEAT-001", "--yes"]).outcome).toBe("landed");
    expect(rig.git("show", "main:four.txt")).toBe("1");
  });
});

describe("a planning run in a feature", () => {
  it("cannot be overtaken by the feature's landing", () => {
    const rig = makeShop();
    rig.ok(["run"]);
    rig.run(["expand", "STORY-0002", "--serve", "host"]);
    expect(rig.ok(["plan", "list"]).runs).toMatchObject([{ id: "RUN-001" }]);
    rig.ok(["waive", "STORY-0002", "--reason", "not needed"]);
    expect(landing(rig)).toEqual([]);
    const refused = rig.fails(["land", "FEAT-001", "--yes"]);
    expect(refused.message).toContain("RUN-001 is planning it.");
    expect(refused.next.map(({ operation }) => operation)).toContain("plan.abort");
    rig.ok(["plan", "abort", "RUN-001"]);
    expect(rig.ok(["land", "FEAT-001", "--yes"]).outcome).toBe("landed");
  });
});
