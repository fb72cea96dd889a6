// Threat: others on the machine read the plan, or its file is emptied or removed and the loss passes for a fresh start.

import { copyFileSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { connect } from "../../src/store/dialects/sqlite/driver.js";
import { makeRig, type Rig } from "../rig.js";
import { needsTerminals, talk } from "../terminal.js";

const AGENT = { PLANWRIGHT_ACTOR: "agent:eve" };

const FILES = ["plan.db", "plan.db-wal", "plan.db-shm"];

describe("the plan's file", () => {
  it("is for its owner alone", () => {
    const rig = makeRig();
    rig.ok(["init"]);
    const modeOf = (path: string): number => statSync(join(rig.root, ".planwright", path)).mode & 0o777;
    expect(modeOf("")).toBe(0o700);
    expect(FILES.map(modeOf)).toEqual([0o600, 0o600, 0o600]);
  });

  it.each([
    ["removed", (path: string) => rmSync(path)],
    ["emptied", (path: string) => truncateSync(path)],
    ["replaced by nothing", (path: string) => writeFileSync(path, "")],
  ])("is reported as lost when it was %s, never as a plan that is yet to be started", (_, lose) => {
    const rig = makeRig();
    rig.ok(["init"]);
    for (const file of FILES.slice(1)) rmSync(join(rig.root, ".planwright", file));
    lose(join(rig.root, ".planwright/plan.db"));
    const { code, reason, message, next } = rig.fails(["status"]);
    expect({ code, reason }).toEqual({ code: 3, reason: "plan-lost" });
    expect(message).toMatch(/the file is (empty|gone)\. Restore a backup/);
    expect(JSON.stringify(next ?? [])).not.toContain("init");
    expect(rig.fails(["init"])).toMatchObject({ code: 3, reason: "plan-lost" });
  });

  const planned = (): Rig => {
    const rig = makeRig();
    rig.git("init", "--quiet", "--initial-branch", "main");
    rig.git("commit", "--quiet", "--allow-empty", "--message", "begin");
    rig.ok(["init"]);
    rig.ok(["add", "Pay by card", "--parent", "BUGS", "--id", "T-1", "--check", "true"]);
    rig.ok(["approve", "T-1"]);
    return rig;
  };

  it("comes back from the backup of the day, even if the whole folder was cleaned away", () => {
    const rig = planned();
    rig.git("clean", "-fdxq");
    const { code, reason, message, next } = rig.fails(["status"]);
    expect({ code, reason, first: next[0]?.operation }).toEqual({
      code: 3,
      reason: "plan-lost",
      first: "backup.restore",
    });
    expect(message).toContain("A plan with 3 operations was kept in");
    expect(rig.ok(["backup", "restore", String(next[0]?.input["file"])])).toMatchObject({
      operations: 3,
      missing: null,
    });
    expect(rig.ok(["show", "T-1"]).status).toBe("ready");
    rig.ok(["verify"]);
  });

  it("is not replaced by a new one by accident: init finds its backup, and starts over only if you say so", () => {
    const rig = planned();
    rig.git("clean", "-fdxq");
    const { code, reason, message, next } = rig.fails(["init"]);
    expect({ code, reason }).toEqual({ code: 3, reason: "plan-lost" });
    expect(message).toMatch(/A plan with 3 operations was kept in .*The newest backup is of .*, with 3 operations/);
    expect(next.map(({ operation, input }) => [operation, Object.keys(input)])).toEqual([
      ["backup.restore", ["file"]],
      ["init", ["fresh"]],
    ]);
  });

  it("comes back at a terminal, where init asks", needsTerminals, async () => {
    const rig = planned();
    rig.git("clean", "-fdxq");
    const [code, said] = await talk(rig, ["init"], [["Restore the backup of", "y"]]);
    expect(said).toContain("Restored the plan");
    expect(code).toBe(0);
    expect(rig.ok(["show", "T-1"]).status).toBe("ready");
    rig.ok(["verify"]);
  });

  it("also comes back without git: the backups alone tell that it was there", () => {
    const rig = makeRig();
    rig.ok(["init"]);
    rig.ok(["add", "Pay by card", "--parent", "BUGS", "--id", "T-1", "--check", "true"]);
    rig.ok(["approve", "T-1"]);
    rmSync(join(rig.root, ".planwright"), { recursive: true });
    expect(rig.fails(["status"])).toMatchObject({ reason: "plan-lost", next: [{ operation: "backup.restore" }, {}] });
    const { next } = rig.fails(["init"]);
    rig.ok(["backup", "restore", String(next[0]?.input["file"])]);
    expect(rig.ok(["show", "T-1"]).status).toBe("ready");
  });

  it("may be started again after its folder was cleaned away, and the new log verifies", () => {
    const rig = planned();
    rig.git("clean", "-fdxq");
    expect(rig.ok(["init", "--fresh"]).created).toBe(true);
    rig.ok(["add", "Other", "--parent", "BUGS", "--id", "T-2", "--check", "true"]);
    rig.ok(["approve", "T-2"]);
    rig.ok(["verify"]);
  });

  it("does not silently lose what was only in the write-ahead log", () => {
    const rig = planned();
    const { file } = rig.ok(["backup"]) as { file: string };
    rig.ok(["add", "Lost", "--parent", "BUGS", "--id", "T-9"]);
    for (const part of FILES.slice(1)) rmSync(join(rig.root, ".planwright", part), { force: true });
    copyFileSync(file, join(rig.root, ".planwright/plan.db"));
    for (const args of [["status"], ["add", "x", "--parent", "BUGS"], ["next"], ["run"]]) {
      expect(rig.fails(args)).toMatchObject({ code: 3, reason: "plan-lost", details: { found: 3, known: 4 } });
    }
    expect(rig.fails(["backup", "restore", ".planwright/plan.db"], { env: AGENT }).reason).toBe("needs-person");
    expect(rig.ok(["backup", "restore", ".planwright/plan.db"]).missing).toEqual({ from: 4, to: 4 });
    expect(rig.ok(["status"])).toBeTruthy();
    rig.ok(["verify"]);
    expect(rig.ok(["log"]).operations[0].sentence).toBe("restored the plan from plan.db, without operations 4 to 4");
  });

  it("is repaired from its log by a person, and by nobody else", () => {
    const rig = planned();
    const database = connect(join(rig.root, ".planwright/plan.db"), "auto");
    database.exec("update node set title = 'Send me the money' where id = 'T-1'");
    database.close();
    expect(rig.fails(["verify"])).toMatchObject({ code: 1, next: [{ operation: "log" }, { input: { repair: true } }] });
    expect(rig.fails(["verify", "--repair"], { env: AGENT }).reason).toBe("needs-person");
    expect(rig.ok(["verify", "--repair"])).toMatchObject({ repaired: 1, differences: [] });
    expect(rig.ok(["show", "T-1"]).title).toBe("Pay by card");
  });

  it("is backed up once a day, for its owner alone, and only the newest backups stay", () => {
    const rig = planned();
    const listed = (): string[] => rig.ok(["backup", "list"]).backups.map(({ file }: { file: string }) => file);
    const [first = ""] = listed();
    expect(listed()).toHaveLength(1);
    expect(statSync(first).mode & 0o777).toBe(0o600);
    rig.ok(["unapprove", "T-1"]);
    expect(listed()).toHaveLength(1);
    for (let day = 1; day < 12; day++) {
      const old = first.replace(/plan-.*/, `plan-2020-01-${10 + day}T00-00-00-000Z.db`);
      copyFileSync(first, old);
      utimesSync(old, 0, day * 86_400);
    }
    utimesSync(first, 0, 86_400 * 20);
    rig.ok(["approve", "T-1"]);
    expect(listed()).toHaveLength(7);
  });
});
