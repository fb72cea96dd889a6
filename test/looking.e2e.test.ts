// The verbs that only look, through the program that users get.

import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openSqlite } from "../src/store/dialects/sqlite/sqlite.js";
import { makeRig, type Rig } from "./rig.js";

/** A mission, a feature with three tasks in a row, all approved. */
function makePlanned(): Rig {
  const rig = makeRig();
  rig.ok(["init", "--mission", "Ship it"]);
  const lines = [
    { id: "FEAT-1", tier: "feature", title: "Login 🔐" },
    { id: "T-1", title: "Passwort prüfen", parent: "FEAT-1", checks: [{ run: "true" }], estimateHours: 2 },
    { id: "T-2", title: "次のタスク", parent: "FEAT-1", dependsOn: ["T-1"] },
    { id: "T-3", title: "שלום עולם", parent: "FEAT-1", dependsOn: ["T-2"] },
  ];
  rig.ok(["add", "--from", "-"], { input: lines.map((line) => JSON.stringify(line)).join("\n") });
  rig.ok(["approve", "FEAT-1"]);
  return rig;
}

/** Changes the plan's file as another program would. */
async function tamper(rig: Rig, ...statements: string[]): Promise<void> {
  const file = await openSqlite({
    path: join(rig.root, ".planwright", "plan.db"),
    durability: "normal",
    engine: "auto",
  });
  await file.run("pragma foreign_keys = off");
  await file.run("pragma ignore_check_constraints = on");
  for (const statement of statements) await file.run(statement);
  await file.close();
}

describe("why", () => {
  it("answers in plain words and ends with what to type", () => {
    const { code, stdout } = makePlanned().run(["why", "T-3"]);
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        "■ T-3  שלום עולם  blocked",
        "  T-3 waits for T-2 to be finished.",
        "└ ■ T-2  次のタスク  blocked",
        "    T-2 waits for T-1 to be finished.",
        "  └ ◆ T-1  Passwort prüfen  ready",
        "      T-1 is ready: you can start it now.",
        "",
        "Next:",
        "  planwright next T-1",
        "",
      ].join("\n"),
    );
  });

  it("says the same as JSON", () => {
    const rig = makePlanned();
    expect(rig.ok(["why", "t-2"])).toMatchObject({
      id: "T-2",
      status: "blocked",
      reason: "deps-pending",
      because: ["T-1"],
      next: [{ operation: "next", input: { reference: "T-1" }, command: "planwright next T-1" }],
    });
    expect(rig.fails(["why", "nothing"])).toMatchObject({ code: 2, reason: "not-found" });
  });

  it("gives commands for a landing with many open tasks, until it is done", () => {
    const rig = makeRig();
    rig.ok(["init", "--mission", "Ship it"]);
    const task = (id: string, rest = {}) => ({ id, title: id, parent: "FEAT-1", checks: [{ run: "true" }], ...rest });
    const lines = [
      { id: "FEAT-1", tier: "feature", title: "Login" },
      ...["A", "B", "C", "D", "E", "F"].map((id) => task(id)),
      task("G", { dependsOn: ["A", "F"], checks: [] }),
    ];
    rig.ok(["add", "--from", "-"], { input: lines.map((line) => JSON.stringify(line)).join("\n") });
    const typed = new Set<string>();
    for (;;) {
      const { status, next } = rig.ok(["why", "FEAT-1"]) as { status: string; next: { command: string }[] };
      if (status === "done") break;
      const command = next[0]?.command ?? "";
      // The same command twice would be no progress.
      expect(typed).not.toContain(command);
      typed.add(command);
      rig.ok(
        command
          .split(" ")
          .slice(1)
          .map((word) => (word === "TEXT" ? "fine" : word)),
      );
    }
    expect(rig.ok(["show", "FEAT-1-LAND"])).toMatchObject({ status: "done" });
    expect([...typed][0]).toBe("planwright approve FEAT-1");
    expect([...typed].at(-1)).toBe("planwright complete FEAT-1-LAND");
  });

  it("gives commands that work, one after the other, until the node is done", () => {
    const rig = makePlanned();
    const typed: string[] = [];
    for (let step = 0; step < 20; step++) {
      const { status, next } = rig.ok(["why", "T-3"]) as { status: string; next: { command: string }[] };
      if (status === "done") break;
      const command = next[0]?.command ?? "";
      typed.push(command);
      const words = command.replace("TEXT", "looks good").split(" ").slice(1);
      const reason = words.indexOf("--reason");
      if (reason > 0) words.splice(reason + 1, 9, "looks good");
      rig.ok(words);
    }
    expect(rig.ok(["show", "T-3"])).toMatchObject({ status: "done" });
    expect(typed).toEqual([
      "planwright next T-1",
      "planwright complete T-1",
      "planwright next T-2",
      "planwright complete T-2",
      "planwright accept T-2 --reason TEXT",
      "planwright next T-3",
      "planwright complete T-3",
      "planwright accept T-3 --reason TEXT",
    ]);
  });
});

describe("status", () => {
  it("draws the tree, counts, and says what to type next", () => {
    const rig = makePlanned();
    const { code, stdout, stderr } = rig.run(["status", "FEAT-1"]);
    expect(code).toBe(0);
    expect(stdout).toBe(
      [
        "◆ FEAT-1  Login 🔐  ░░░░░░░░░░ 0/3",
        "├─ ◆ T-1  Passwort prüfen",
        "├─ ■ T-2  次のタスク  waits for T-1",
        "├─ ■ T-3  \u2068שלום עולם\u2069  waits for T-2",
        "└─ ■ FEAT-1-LAND  Land: Login 🔐 [land]  waits for T-1, T-2, T-3",
        "",
        "◆ 1 ready · ▶ 0 in progress · ■ 3 blocked · ? 0 waiting for you · ! 0 rejected",
        "",
      ].join("\n"),
    );
    expect(stderr).toBe("  planwright next   Claim a task: the most urgent one, or one that you choose\n");
  });

  it("fits into the columns that there are", () => {
    const rig = makePlanned();
    const narrow = rig.run(["status"], { env: { COLUMNS: "40" } }).stdout;
    expect(narrow).toContain("└─ ■ FEAT-1-LAND  Land: Login… [land]");
    expect(Math.max(...narrow.split("\n").map((line) => line.length))).toBeLessThanOrEqual(42);
  });

  it("lists what is ready through `next --peek`, and exits with 2 when nothing is (there 0)", () => {
    const rig = makePlanned();
    expect(rig.ok(["next", "--peek", "--count", "5"])).toMatchObject([{ task: { id: "T-1" } }]);
    rig.ok(["freeze", "FEAT-1", "--reason", "wait"]);
    expect(rig.fails(["next", "--peek"])).toMatchObject({ code: 2, reason: "nothing-ready" });
  });

  it("suggests nothing to approve in a fresh plan, and never a land task", () => {
    const rig = makeRig();
    rig.ok(["init", "--mission", "Ship it"]);
    const fresh = rig.run(["status"]);
    expect(fresh.stdout + fresh.stderr).not.toMatch(/LAND|approve/);
    expect(fresh.stderr).toContain("planwright add TITLE");
    rig.ok(["add", "Login", "--tier", "feature", "--id", "FEAT-1"]);
    rig.ok(["add", "Check the password", "--parent", "FEAT-1"]);
    expect(rig.run(["status"]).stderr).toBe(
      "  planwright approve FEAT-1   Approve a plan, or nodes with everything below them\n",
    );
  });

  it("--watch draws once and ends where there is no terminal, and for a program", () => {
    const rig = makePlanned();
    const { code, stdout } = rig.run(["status", "FEAT-1", "--watch"]);
    expect([code, stdout]).toEqual([0, rig.run(["status", "FEAT-1"]).stdout]);
    expect(rig.ok(["status", "FEAT-1", "--watch"])).toEqual(rig.ok(["status", "FEAT-1"]));
  });
});

describe("show of a feature", () => {
  it("names the run, the plan and the lines of the spec that it comes from, its budgets and its comments", () => {
    const rig = makeRig();
    rig.ok(["init", "--mission", "Ship it"]);
    rig.write("spec.md", "# Notes\n\n## Keep notes\n\n- A note can be added.\n- A note can be removed.\n");
    rig.ok(["plan", "spec.md", "--defaults"]);
    rig.ok(["approve", "RUN-001"]);
    rig.ok(["comment", "FEAT-001", "Start with adding"]);
    rig.ok(["label", "FEAT-001", "--add", "core"]);
    const shown = rig.ok(["show", "FEAT-001"]);
    expect(shown).toMatchObject({
      origin: { run: "RUN-001", plan: expect.stringMatching(/^ART-/), spec: { file: "spec.md", lines: [5, 6] } },
      replans: { used: 0, of: 2 },
      labels: ["core"],
      comments: [{ text: "Start with adding", by: "human:ada" }],
    });
    const { stdout } = rig.run(["show", "FEAT-001"]);
    for (const part of ["planned in RUN-001", "spec.md, lines 5-6", "0 of 2 replans used", "Start with adding"]) {
      expect(stdout.replace(/ +/g, " ")).toContain(part);
    }
    expect(rig.ok(["show", "BUGS"]).origin).toBeNull();
  });

  it("shows the summary of an archived one", () => {
    const rig = makePlanned();
    rig.ok(["waive", "FEAT-1", "--reason", "enough"]);
    rig.ok(["archive", "FEAT-1"]);
    expect(rig.run(["show", "FEAT-1"]).stdout).toContain("4 tasks: 0 done, 4 waived, 0 dropped");
  });
});

describe("log and diff", () => {
  it("tell what happened and what it changed", () => {
    const rig = makePlanned();
    rig.ok(["edit", "T-1", "--title", "Another"]);
    rig.ok(["undo"]);
    const { stdout } = rig.run(["log", "T-1"]);
    expect(stdout).toMatch(/^ {4}5 {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}human:ada {2}undid operation 4/);
    expect(stdout).toMatch(/4 {2}.*changed title of T-1 \(undone\)/);
    expect(rig.run(["diff", "4"]).stdout).toContain(
      ["~ T-1", "    title", "      - Passwort prüfen", "      + Another"].join("\n"),
    );
    expect(rig.run(["log", "--limit", "1"]).stderr).toContain("planwright log --limit 2");
    expect(rig.ok(["log", "--limit", "2"]).operations).toMatchObject([
      { verb: "undo", targets: [{ entity: "node", id: "T-1", revision: 4 }] },
      { verb: "edit", targets: [{ entity: "node", id: "T-1", revision: 3 }], moreTargets: false },
    ]);
    expect(rig.fails(["diff", "999"])).toMatchObject({ code: 2 });
    expect(rig.fails(["diff", "four"])).toMatchObject({ code: 5 });
  });
});

describe("waves", () => {
  it("show what may run together, and the critical path", () => {
    const rig = makePlanned();
    const { tasks, ...waves } = rig.ok(["waves", "FEAT-1"]);
    expect(Object.keys(tasks)).toEqual(["T-1", "T-2", "T-3", "FEAT-1-LAND"]);
    expect(waves).toEqual({
      waves: [
        { wave: 1, tasks: ["T-1"], more: 0 },
        { wave: 2, tasks: ["T-2"], more: 0 },
        { wave: 3, tasks: ["T-3"], more: 0 },
        { wave: 4, tasks: ["FEAT-1-LAND"], more: 0 },
      ],
      more: 0,
      criticalPath: { tasks: ["T-1", "T-2", "T-3", "FEAT-1-LAND"], more: 0, hours: 5 },
      cyclic: [],
    });
    expect(rig.run(["waves"]).stdout).toContain("Critical path  5 h\n  T-1 → T-2 → T-3 → FEAT-1-LAND");
  });
});

describe("lint", () => {
  it("exits with 0 when nothing is wrong, 1 when something is, 2 without a plan", async () => {
    const rig = makePlanned();
    expect(rig.run(["lint"])).toMatchObject({ code: 0, stdout: expect.stringContaining("no errors") as string });
    rig.ok(["edit", "T-3", "--title", "Another"]);
    await tamper(
      rig,
      "update node set depends_on = json_array(json_object('on', (select nr from node where id = 'T-3'), 'origin', 'stated')), pending = 1 where id = 'T-1'",
      "insert into edge select a.nr, b.nr from node a, node b where a.id = 'T-1' and b.id = 'T-3'",
      "update node set freeze_reason = '', freeze_at = 1, freeze_from = nr where id = 'T-2'",
    );
    const { code, stdout } = rig.run(["lint"]);
    expect(code).toBe(1);
    expect(stdout.trim().split("\n")).toEqual([
      "✗ I-FREEZE  T-2 is frozen without a reason.",
      "✗ I-CYCLE   There is a cycle of waiting: T-1 → T-3 → T-2 → T-1.",
      expect.stringMatching(/^! W-STALE {3}T-3 changed after human:ada approved it/) as string,
      "! P-CHECK   1 of 3 tasks have a check. Nothing can show that these are done: T-2, T-3.",
      "! P-TESTS   None of the checks tests anything.",
    ]);
    expect(makeRig().run(["lint"]).code).toBe(2);
  });
});

describe("verify", () => {
  it("exits with 0 when the log and the plan agree, and with 1 when they do not", async () => {
    const rig = makePlanned();
    expect(rig.ok(["verify"])).toMatchObject({ operations: 3, rows: 9, differences: [], log: { broken: null } });
    await tamper(rig, "update node set title = 'Forged' where id = 'T-1'");
    const { code, stdout } = rig.run(["verify", "--json"]);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      error: {
        reason: "problems",
        details: {
          operations: 3,
          rows: 9,
          differences: [{ row: "T-1", field: "title", stored: "Forged", replayed: "Passwort prüfen" }],
        },
      },
    });
    expect(rig.run(["verify"]).stdout).toBe(
      '✗ 1 difference between the log and the stored plan.\n  T-1 title: "Forged" is stored, "Passwort prüfen" follows from the log\n',
    );
  });
});

describe("stats", () => {
  it("counts", () => {
    const rig = makePlanned();
    expect(rig.ok(["stats"])).toMatchObject({ nodes: 8, operations: 3, statuses: { ready: 1 } });
    expect(rig.run(["stats"]).stdout).toMatch(/^nodes +8: 1 mission · 1 initiative · 2 feature · 4 task/);
  });
});

describe("planwright without words", () => {
  it("shows the plan where there is one, and the help where there is none", () => {
    const rig = makeRig();
    expect(rig.run([]).stdout).toContain("Usage: planwright");
    rig.ok(["init", "--mission", "A shop"]);
    expect(rig.run([]).stdout).toBe(rig.run(["status"]).stdout);
    expect(rig.run(["--help"]).stdout).toContain("Usage: planwright");
    expect(rig.run(["--version"]).stdout).toMatch(/^\d/);
  });
});
