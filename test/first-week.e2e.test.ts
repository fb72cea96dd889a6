// What a person meets in the first week: each command says what it means, and does what the others taught.

import { describe, expect, it } from "vitest";
import { makeRig, type Rig } from "./rig.js";

const AGENT = { env: { PLANWRIGHT_ACTOR: "agent:bot" } };

function makePlan(): Rig {
  const rig = makeRig();
  rig.git("init", "-q", "-b", "trunk");
  rig.git("commit", "-q", "--allow-empty", "-m", "first");
  rig.ok(["init", "--mission", "A shop", "--feature", "Files"]);
  const body = "```sh run\necho 1 > one.txt\n```";
  rig.ok(["add", "One", "--parent", "FEAT-001", "--file", "one.txt", "--check", "true", "--body", body]);
  return rig;
}

describe("in the first week", () => {
  it("no flag means the opposite of what it means elsewhere, and a wrong one names the right one with its help", () => {
    const rig = makePlan();
    expect(rig.ok(["gate", "Sign", "--before", "TASK-00001"]).before).toEqual(["TASK-00001"]);
    expect(rig.fails(["gate", "Sign", "--on", "TASK-00001"])).toMatchObject({ code: 5, reason: "unknown-flag" });
    const { message } = rig.fails(["add", "Two", "--in", "FEAT-001"]);
    expect(message).toBe("add has no flag --in. Did you mean --parent (the node that will contain it)?");
    expect(rig.fails(["add", "Two", "--zzzz", "x"]).message).toContain("See planwright help add.");
  });

  it("a record that you write yourself waits for nobody, and one that an agent writes waits for you", () => {
    const rig = makePlan();
    rig.ok(["approve", "FEAT-001"]);
    const made = rig.run(["constrain", "Nobody touches one.txt", "--forbid-file", "one.txt"]);
    expect(made.stdout).toContain("TASK-00001");
    expect(made.stderr).toContain("it cannot land as it is");
    expect(rig.ok(["show", "CON-001"]).state ?? rig.ok(["show", "CON-001"]).item?.state).toBe("active");
    rig.ok(["constrain", "Nobody touches two.txt", "--forbid-file", "two.txt"], AGENT);
    expect(rig.ok(["waiting"]).entries).toMatchObject([{ kind: "proposal", id: "CON-002" }]);
  });

  it("a record in force is signed, as an approval is", () => {
    const rig = makePlan();
    rig.ok(["constrain", "No eval", "--forbid-words", "eval"]);
    const lines = rig.run(["export", "json"]).stdout.split("\n");
    const written = lines.find((line) => line.includes('"verb":"constrain"'));
    expect(written).toMatch(/"signature":"[0-9a-f]{16}:/);
  });

  it("no line of waiting is without the command to look and the one to decide", () => {
    const rig = makePlan();
    rig.ok(["gate", "Sign", "--before", "TASK-00001"]);
    rig.ok(["constrain", "Nobody touches two.txt", "--forbid-file", "two.txt"], AGENT);
    const { stdout } = rig.run(["waiting"]);
    const commands = stdout.split("\n").filter((line) => line.includes("planwright "));
    expect(commands.map((line) => line.trim())).toEqual([
      "planwright complete TASK-00002",
      "planwright show TASK-00002",
      "planwright status FEAT-001",
      "planwright approve FEAT-001",
      "planwright approve CON-001",
      "planwright show CON-001",
    ]);
  });

  it("a search does not find what was replaced, unless it is asked for", () => {
    const rig = makePlan();
    rig.ok(["decide", "Keep sessions in a cookie"]);
    rig.ok(["record", "supersede", "DEC-001", "--with", "Keep sessions in a header"]);
    const ids = (...words: string[]): string[] => rig.ok(["search", ...words]).hits.map(({ id }: { id: string }) => id);
    expect(ids("sessions")).toEqual(["DEC-002"]);
    expect(ids("sessions", "--all").sort()).toEqual(["DEC-001", "DEC-002"]);
  });

  it("the log of a run says for whom it ran, and a landing names the branch that moves and what is weakly proven", () => {
    const rig = makePlan();
    rig.ok(["approve", "FEAT-001"]);
    rig.ok(["run", "TASK-00001"]);
    const { operations } = rig.ok(["log", "TASK-00001"]);
    const done = operations.find(({ verb }: { verb: string }) => verb === "complete");
    expect(done.sentence).toMatch(/ \(for human:ada\)$/);
    const landed = rig.run(["land", "FEAT-001", "--yes"]);
    expect(landed.stdout).toContain("FEAT-001 has landed on trunk");
    expect(landed.stdout).toContain("TASK-00001: weak");
  });

  it("an agent that is refused is told nothing that it cannot do", () => {
    const rig = makePlan();
    rig.ok(["approve", "FEAT-001"]);
    const refused = rig.fails(["drop", "TASK-00001"], AGENT);
    expect(refused).toMatchObject({ reason: "needs-person", next: [{ operation: "comment" }] });
    rig.ok(["comment", "TASK-00001", "It is done twice"], AGENT);
    expect(rig.fails(["approve", "FEAT-001", "--yes"], AGENT).next).toEqual([]);
  });

  it("times are yours in text, and ISO for programs", () => {
    const rig = makePlan();
    const env = { TZ: "Asia/Tokyo" };
    const { operations } = rig.ok(["log"], { env });
    expect(operations[0].at).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    const local = new Date(Date.parse(operations[0].at) + 9 * 3_600_000).toISOString().slice(0, 16).replace("T", " ");
    expect(rig.run(["log"], { env }).stdout).toContain(local);
  });
});
