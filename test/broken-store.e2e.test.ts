import { spawnSync } from "node:child_process";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { connect } from "../src/store/dialects/sqlite/driver.js";
import { SCHEMA } from "../src/store/migrations/schema.js";
import { needs } from "./needs.js";
import { BIN, makeRig, type Rig } from "./rig.js";

function planned(): Rig {
  const rig = makeRig();
  rig.ok(["init", "--mission", "M"]);
  rig.ok(["add", "First task", "--id", "T-1", "--parent", "BUGS"]);
  return rig;
}

const storeOf = (rig: Rig): string => join(rig.root, ".planwright/plan.db");

function complaints(rig: Rig) {
  const before = readFileSync(storeOf(rig));
  const commands = [["show", "MISSION"], ["add", "x", "--parent", "BUGS"], ["next", "--peek"], ["init"], ["upgrade"]];
  const answers = commands.map((args) => {
    const { code, reason, message } = rig.fails(args);
    return `${code} ${reason}${message.includes(storeOf(rig)) ? " with its path" : ""}`;
  });
  return { answers: [...new Set(answers)], untouched: readFileSync(storeOf(rig)).equals(before) };
}

describe("a file that is no plan", () => {
  const NOT_A_PLAN = { code: 3, reason: "not-a-plan" };
  const LEFT_ALONE = { answers: ["3 not-a-plan with its path"], untouched: true };

  function inItsPlace(put: (path: string) => void): Rig {
    const rig = makeRig();
    mkdirSync(join(rig.root, ".planwright"));
    put(storeOf(rig));
    return rig;
  }

  it("is never overwritten: text", () => {
    const rig = inItsPlace((path) => writeFileSync(path, "my notes, not a database. ".repeat(100)));
    expect(complaints(rig)).toEqual(LEFT_ALONE);
  });

  it("is never overwritten: a few bytes", () => {
    expect(complaints(inItsPlace((path) => writeFileSync(path, "hello")))).toEqual(LEFT_ALONE);
  });

  it.each(["delete", "wal"])("is never overwritten: the database of another program (journal mode %s)", (mode) => {
    const rig = inItsPlace((path) => {
      const other = connect(path, "auto");
      other.exec(`pragma journal_mode = ${mode}; create table song (title text); insert into song values ('x')`);
      other.close();
    });
    expect(complaints(rig)).toEqual(LEFT_ALONE);
    const other = connect(storeOf(rig), "auto");
    expect(other.prepare("select title from song").get()).toMatchObject({ title: "x" });
    other.close();
  });

  it("is never overwritten: a plan that was damaged", () => {
    const rig = planned();
    const database = connect(storeOf(rig), "auto");
    database.exec("pragma wal_checkpoint(truncate)");
    database.close();
    const whole = readFileSync(storeOf(rig));
    const damage: Record<string, () => void> = {
      header: () => writeFileSync(storeOf(rig), Buffer.concat([Buffer.alloc(100, 7), whole.subarray(100)])),
      schema: () =>
        writeFileSync(storeOf(rig), Buffer.concat([whole.subarray(0, 100), Buffer.alloc(whole.length - 100, 7)])),
      end: () => truncateSync(storeOf(rig), 4096),
    };
    for (const [what, harm] of Object.entries(damage)) {
      writeFileSync(storeOf(rig), whole);
      for (const left of ["-wal", "-shm"]) rmSync(storeOf(rig) + left, { force: true });
      harm();
      expect([what, complaints(rig)]).toEqual([what, LEFT_ALONE]);
    }
    writeFileSync(storeOf(rig), whole);
    expect(rig.ok(["show", "T-1"]).id).toBe("T-1");
  });

  it("is taken for none when it is empty, and init starts one", () => {
    const rig = inItsPlace((path) => writeFileSync(path, ""));
    expect(rig.fails(["show", "MISSION"])).toMatchObject({ code: 2, reason: "no-workspace" });
    expect(rig.fails(["upgrade"])).toMatchObject({ code: 2, reason: "no-workspace" });
    expect(rig.ok(["init"]).created).toBe(true);
  });

  it("may be a folder, or a file where the folder should be", () => {
    const rig = inItsPlace((path) => mkdirSync(path));
    for (const args of [["show", "MISSION"], ["init"], ["upgrade"], ["add", "x"]]) {
      expect(rig.fails(args)).toMatchObject({ ...NOT_A_PLAN, message: expect.stringContaining("folder") });
    }
    expect(readdirSync(storeOf(rig))).toEqual([]);
    const other = makeRig();
    other.write(".planwright", "mine");
    expect(other.fails(["init"]).code).toBe(3);
    expect(readFileSync(join(other.root, ".planwright"), "utf8")).toBe("mine");
  });
});

describe("a plan of another schema", () => {
  const setMeta = (rig: Rig, schema: number, breaking: number): void => {
    const database = connect(storeOf(rig), "auto");
    database.exec(`update meta set value = ${schema} where name = 'schema'`);
    database.exec(`update meta set value = ${breaking} where name = 'breaking'`);
    database.exec("pragma wal_checkpoint(truncate)");
    database.close();
  };

  it("is worked with when it is newer and nothing in it breaks this program", () => {
    const rig = planned();
    setMeta(rig, SCHEMA + 1, 1);
    expect(rig.ok(["show", "T-1"]).id).toBe("T-1");
    rig.ok(["add", "x", "--parent", "BUGS"]);
    expect(rig.ok(["upgrade"])).toMatchObject({ from: SCHEMA + 1, to: SCHEMA + 1, backup: null });
    expect(rig.ok(["init"]).created).toBe(false);
  });

  it("is refused, and left alone, when it is newer and breaking", () => {
    const rig = planned();
    setMeta(rig, SCHEMA + 1, SCHEMA + 1);
    const before = readFileSync(storeOf(rig));
    for (const args of [["show", "T-1"], ["add", "x"], ["next"], ["init"], ["upgrade"]]) {
      expect(rig.fails(args)).toMatchObject({ code: 3, reason: "newer-schema" });
    }
    expect(readFileSync(storeOf(rig)).equals(before)).toBe(true);
  });

  it("is not upgraded by any command but upgrade when it is older", () => {
    const rig = planned();
    setMeta(rig, 0, 0);
    const before = readFileSync(storeOf(rig));
    for (const args of [["show", "T-1"], ["add", "x"], ["next"], ["init"]]) {
      expect(rig.fails(args)).toMatchObject({ code: 3, reason: "needs-upgrade" });
    }
    expect(readFileSync(storeOf(rig)).equals(before)).toBe(true);
  });
});

/** Root may write everywhere, so the program runs as somebody who owns nothing here. */
const STRANGER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

const asStranger = (rig: Rig, ...args: string[]) => {
  const child = spawnSync(process.execPath, [BIN, ...args, "--json"], {
    cwd: rig.root,
    env: { PATH: process.env["PATH"] ?? "", USER: "nobody", HOME: "/nonexistent" },
    encoding: "utf8",
    ...STRANGER,
  });
  return { code: child.status, ...(JSON.parse(child.stdout) as { error?: { reason: string; message: string } }) };
};

const strangersMayRun =
  spawnSync(process.execPath, ["-e", `require("fs").accessSync(${JSON.stringify(BIN)})`], {
    cwd: "/",
    ...STRANGER,
  }).status === 0;

const needsStrangers = needs(strangersMayRun, "only root may enter the folder of this repository");

describe("a folder that may not be written", needsStrangers, () => {
  it("is said to be so, and nothing is left in it", () => {
    const rig = makeRig();
    chmodSync(rig.root, 0o555);
    expect(asStranger(rig, "init")).toMatchObject({ code: 3, error: { reason: "read-only" } });
    expect(readdirSync(rig.root)).toEqual([]);
    chmodSync(rig.root, 0o755);
  });

  it("keeps its plan as it is, and can still be read", () => {
    const rig = planned();
    rig.ok(["approve", "BUGS"]);
    chmodSync(rig.root, 0o755);
    chmodSync(join(rig.root, ".planwright"), 0o555);
    for (const name of readdirSync(join(rig.root, ".planwright")))
      chmodSync(join(rig.root, ".planwright", name), 0o444);
    const before = readFileSync(storeOf(rig));
    for (const args of [["add", "x", "--parent", "BUGS"], ["edit", "T-1", "--title", "x"], ["next"]]) {
      expect(asStranger(rig, ...args)).toMatchObject({ code: 3, error: { reason: "read-only" } });
    }
    for (const args of [["show", "T-1"], ["next", "--peek"], ["init"], ["upgrade"]]) {
      expect([args, asStranger(rig, ...args).code]).toEqual([args, 0]);
    }
    expect(readFileSync(storeOf(rig)).equals(before)).toBe(true);
    chmodSync(join(rig.root, ".planwright"), 0o755);
    for (const name of readdirSync(join(rig.root, ".planwright")))
      chmodSync(join(rig.root, ".planwright", name), 0o644);
    expect(rig.ok(["show", "T-1"]).title).toBe("First task");
  });
});

describe("a disk that is full", () => {
  /** No file may grow beyond so many blocks (of 512 or 1024 bytes): a write that would fails as on a full disk. */
  const limited = (rig: Rig, blocks: number, ...args: string[]) => {
    const quoted = [process.execPath, BIN, ...args, "--json"].map((word) => `'${word}'`).join(" ");
    const child = spawnSync("sh", ["-c", `ulimit -f ${blocks}; exec ${quoted}`], {
      cwd: rig.root,
      env: rig.environment(),
      encoding: "utf8",
    });
    return { code: child.status, answer: JSON.parse(child.stdout) as { ok: boolean; error?: { reason: string } } };
  };

  it("never makes a plan half: init says so, and works once there is room", () => {
    const rig = makeRig();
    for (const blocks of [0, 1, 4, 8, 32, 64]) {
      const { code, answer } = limited(rig, blocks, "init");
      expect([blocks, code, answer.ok, answer.error?.reason]).toEqual([
        blocks,
        3,
        false,
        expect.stringMatching(/disk-full|no-write/),
      ]);
      expect(rig.fails(["show", "MISSION"]).code).toBe(2);
    }
    expect(rig.ok(["init"]).created).toBe(true);
    expect(rig.ok(["show", "MISSION"]).id).toBe("MISSION");
  });

  it("never prints success for what was not kept, and the next command works", () => {
    const rig = planned();
    const size = Math.max(
      ...["", "-wal"].map((end) => statSync(storeOf(rig) + end, { throwIfNoEntry: false })?.size ?? 0),
    );
    const many = Array.from({ length: 300 }, (_, i) => ({ id: `N-${i}`, title: "n".repeat(400), parent: "BUGS" }));
    rig.write("many.jsonl", many.map((node) => JSON.stringify(node)).join("\n"));
    const { code, answer } = limited(rig, Math.ceil(size / 1024) + 8, "add", "--from", "many.jsonl");
    expect([code, answer.ok, answer.error?.reason]).toEqual([3, false, "disk-full"]);
    expect(rig.fails(["show", "N-0"]).code).toBe(2);
    expect(rig.ok(["show", "T-1"]).title).toBe("First task");
    expect(rig.ok(["add", "--from", "many.jsonl"]).added).toHaveLength(300);
  });
});
