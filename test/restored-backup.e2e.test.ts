// A restored backup replaces the whole plan: it asks first, what was there is kept, and the way back is always one command.

import { spawnSync } from "node:child_process";
import { readdirSync, renameSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it } from "vitest";
import { connect } from "../src/store/dialects/sqlite/driver.js";
import { BIN, makeRig, prepareRig, type Rig } from "./rig.js";
import { needsTerminals, talk } from "./terminal.js";

/** Three operations, a backup of them, and two more; T-2 is claimed in the second. */
function makePlan(): { rig: Rig; file: string } {
  const rig = makeRig();
  prepareRig(rig, "restored-backup", plan);
  return { rig, file: "saved.db" };
}

function plan(rig: Rig): void {
  rig.git("init", "--quiet", "--initial-branch", "main");
  rig.git("commit", "--quiet", "--allow-empty", "--message", "begin");
  rig.ok(["init"]);
  rig.ok(["add", "Pay by card", "--parent", "BUGS", "--id", "T-1", "--check", "true"]);
  rig.ok(["approve", "T-1"]);
  rig.ok(["backup", "saved.db"]);
  rig.ok(["add", "Pay by phone", "--parent", "BUGS", "--id", "T-2", "--check", "true"]);
  rig.ok(["approve", "T-2"]);
}

/** The same after the backup was restored; `file` is the plan that it replaced. */
function makeRestored(): { rig: Rig; file: string } {
  const rig = makeRig();
  prepareRig(rig, "restored-backup-again", (template) => {
    plan(template);
    renameSync(template.ok(["backup", "restore", "saved.db", "--yes"]).kept, join(template.root, "kept.db"));
  });
  return { rig, file: "kept.db" };
}

const hasT2 = (rig: Rig): boolean => rig.run(["show", "T-2"]).code === 0;

describe("restoring a backup", () => {
  it("never takes operations out of the plan unasked: without a terminal it says how many, since when, and wants --yes", () => {
    const { rig, file } = makePlan();
    const { code, reason, message, next } = rig.fails(["backup", "restore", file]);
    expect({ code, reason }).toEqual({ code: 3, reason: "needs-yes" });
    expect(message).toMatch(
      /^Restoring saved\.db takes 2 operations out of the plan, since \d{4}-\d\d-\d\d \d\d:\d\d\. The latest is: human:ada approved T-2\. /,
    );
    expect(next[0]).toMatchObject({ operation: "backup.restore", input: { file, yes: true } });
    expect(hasT2(rig)).toBe(true);
    expect(rig.ok(["backup", "restore", file, "--yes"]).missing).toEqual({ from: 4, to: 5 });
    expect(hasT2(rig)).toBe(false);
    rig.ok(["verify"]);
  });

  it("asks at a terminal, and changes nothing after a no", needsTerminals, async () => {
    const { rig, file } = makePlan();
    const restore = (answer: string) =>
      talk(rig, ["backup", "restore", file], [["takes 2 operations out of the plan", answer]]);
    const [code, said] = await restore("n");
    expect([code, said]).toEqual([3, expect.stringContaining("Nothing was changed.")]);
    expect(hasT2(rig)).toBe(true);
    expect((await restore("y"))[0]).toBe(0);
    expect(hasT2(rig)).toBe(false);
  });

  it("asks nothing where nothing is taken out", () => {
    const { rig, file } = makePlan();
    rig.ok(["backup", "restore", file, "--yes"]);
    const [kept] = rig.ok(["backup", "list"]).backups;
    rig.ok(["backup", "restore", kept.file, "--yes"]);
    for (const name of readdirSync(join(rig.root, ".planwright")))
      if (name.startsWith("plan.db")) rmSync(join(rig.root, ".planwright", name));
    expect(rig.ok(["backup", "restore", file])).toMatchObject({ operations: 3 });
  });

  it("keeps the plan that it replaced in the list of backups, marked", () => {
    const { rig, file } = makePlan();
    const { kept } = rig.ok(["backup", "restore", file, "--yes"]);
    const { backups } = rig.ok(["backup", "list"]);
    expect(backups.find((backup: { file: string }) => backup.file === kept)).toMatchObject({ replaced: true });
    expect(backups.filter(({ replaced }: { replaced: boolean }) => replaced)).toHaveLength(1);
    expect(rig.run(["backup", "list"]).stdout).toMatch(/replaced by a restore {2}.*replaced.*plan\.db/);
  });

  it("is refused while another program works on the plan, and says how to stop a daemon", async () => {
    const { rig, file } = makePlan();
    rig.ok(["level", "on"]);
    rig.ok(["daemon", "start"]);
    try {
      const { reason, next } = rig.fails(["backup", "restore", file, "--yes"]);
      expect({ reason, first: next[0]?.operation }).toEqual({ reason: "in-use", first: "daemon.stop" });
    } finally {
      rig.ok(["daemon", "stop"]);
    }
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [BIN, "mcp", "-C", rig.root],
      env: rig.environment({ PLANWRIGHT_SECRET: "" }),
    });
    const client = new Client({ name: "reader", version: "1" });
    await client.connect(transport);
    await client.callTool({ name: "show", arguments: { reference: "T-1" } });
    expect(rig.fails(["backup", "restore", file, "--yes"]).reason).toBe("in-use");
    expect(hasT2(rig)).toBe(true);
    await client.close();
    rig.ok(["backup", "restore", file, "--yes"]);
    rig.ok(["verify"]);
  });
});

describe("undo after a restore", () => {
  it("never says that it undid what it did not: it names the command that brings the replaced plan back", () => {
    const { rig, file } = makePlan();
    const { kept } = rig.ok(["backup", "restore", file, "--yes"]);
    for (const args of [["undo"], ["undo", "4"], ["undo", "--preview"]]) {
      const { code, reason, message, next } = rig.fails(args);
      expect({ code, reason }).toEqual({ code: 3, reason: "file-restored" });
      expect(message).toContain("Operation 4 replaced the whole plan");
      expect(next[0]).toMatchObject({ operation: "backup.restore", input: { file: kept } });
    }
    expect(rig.ok(["undo", "--list"]).map(({ op }: { op: number }) => op)).not.toContain(4);
    expect(hasT2(rig)).toBe(false);
  });

  it("is one command, as printed, and so is its own undo; the log holds after each step", () => {
    const { rig, file } = makePlan();
    const { token } = rig.ok(["start", "T-2"]);
    rig.ok(["backup", "restore", file, "--yes"]);
    rig.ok(["verify"]);
    rig.ok(["add", "Meanwhile", "--parent", "BUGS", "--id", "T-3"]);
    const typed = (): string[] => {
      const { next } = rig.fails(["undo", "4"]);
      return String(next[0]?.command).split(" ").slice(1);
    };
    const refused = rig.fails(typed());
    expect(refused.message).toContain("takes 2 operations out of the plan");
    expect(refused.message).toContain("added T-3");
    rig.ok(String(refused.next[0]?.command).split(" ").slice(1));
    rig.ok(["verify"]);
    expect([hasT2(rig), rig.run(["show", "T-3"]).code]).toEqual([true, 2]);
    expect(rig.ok(["log"]).operations[0].sentence).toMatch(/^put back the plan that was replaced on \d{4}-\d\d-\d\d/);
    // The worker that had claimed it goes on with its token.
    rig.ok(["heartbeat", "T-2", "--token", token]);
    const back = rig.fails(["undo", "7"]);
    rig.ok([...String(back.next[0]?.command).split(" ").slice(1), "--yes"]);
    rig.ok(["verify"]);
    expect([hasT2(rig), rig.run(["show", "T-3"]).code]).toEqual([false, 0]);
  });

  it("says so when the replaced plan is gone, and when there was none", () => {
    const { rig, file } = makePlan();
    const { kept } = rig.ok(["backup", "restore", file, "--yes"]);
    rmSync(kept);
    const { message, next } = rig.fails(["undo"]);
    expect(message).toContain("is gone");
    expect(next.map(({ operation }) => operation)).toEqual(["backup.list"]);
  });

  it("takes back nothing of a repair, and goes on with what came before it", () => {
    const { rig } = makePlan();
    const database = connect(join(rig.root, ".planwright/plan.db"), "auto");
    database.exec("update node set title = 'Other' where id = 'T-1'");
    database.close();
    expect(rig.ok(["verify", "--repair"]).repaired).toBe(1);
    expect(rig.fails(["undo", "6"]).reason).toBe("nothing-to-undo");
    expect(rig.ok(["undo"]).of).toBe(5);
  });
});

describe("a restore that is killed", () => {
  const KILL_AT = resolve(import.meta.dirname, "fixtures/kill-at.cjs");

  it.each([
    ["to an earlier plan", () => makePlan(), { old: 5, new: 4 }],
    ["back to a later plan", () => makeRestored(), { old: 4, new: 6 }],
  ])(
    "%s leaves one of the two, whole, wherever it is killed: the next command goes on",
    (_, make, ends) => {
      const found = new Set<number>();
      for (let step = 1; ; step++) {
        const { rig, file } = make();
        const child = spawnSync(process.execPath, ["--require", KILL_AT, BIN, "backup", "restore", file, "--yes"], {
          cwd: rig.root,
          env: rig.environment({ KILL_AT: String(step) }),
          encoding: "utf8",
        });
        const { operations, log } = rig.ok(["verify"]);
        expect(log.broken).toBeNull();
        expect([ends.old, ends.new]).toContain(operations);
        rig.ok(["approve", "T-1"]);
        rig.ok(["verify"]);
        found.add(operations);
        const left = readdirSync(join(rig.root, ".planwright")).filter((name) => name.includes("restor"));
        expect(left).toEqual([]);
        if (child.signal === null) break;
      }
      expect(found).toEqual(new Set(Object.values(ends)));
      // A dozen kills, each with five commands: on a machine with much else to do that takes minutes.
    },
    360_000,
  );
});
