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
import { connect } from "../src/store/sqlite-driver.js";
import { BIN, makeRig, type Rig } from "./rig.js";

function planned(): Rig {
  const rig = makeRig();
  rig.ok(["init", "--mission", "M", "--feature", "Login"]);
  rig.ok(["add", "First task", "--id", "T-1", "--parent", "FEAT-001"]);
  rig.ok(["add", "Second task", "--id", "T-2", "--parent", "FEAT-001", "--on", "T-1"]);
  return rig;
}

const lines = (...nodes: unknown[]): string =>
  nodes.map((node) => (typeof node === "string" ? node : JSON.stringify(node))).join("\n");

const addLines = (rig: Rig, ...nodes: unknown[]) => rig.fails(["add", "--from", "-"], { input: lines(...nodes) });

const storeOf = (rig: Rig): string => join(rig.root, ".planwright/plan.db");

describe("references", () => {
  it("one match is 0, several are 1 with candidates, none is 2, no reference is 5 (AF1)", () => {
    const rig = planned();
    expect(rig.ok(["show", "first"]).id).toBe("T-1");
    expect(rig.fails(["show", "task"])).toMatchObject({
      code: 1,
      reason: "ambiguous",
      details: { candidates: [{ id: "T-1" }, { id: "T-2" }] },
    });
    expect(rig.run(["show", "task"]).stderr).toMatch(/T-1 {2}First task\n.*T-2 {2}Second task/);
    expect(rig.fails(["show", "NOPE"])).toMatchObject({ code: 2, reason: "not-found" });
    expect(rig.fails(["show"]).code).toBe(5);
  });

  it("ids count in any case and before words, and words only where nothing is archived (AF2)", () => {
    const rig = planned();
    rig.ok(["add", "Look at t-1 again", "--id", "T-3", "--parent", "FEAT-001"]);
    expect(rig.ok(["show", "t-1"]).id).toBe("T-1");
    expect(rig.ok(["show", "feat-001"]).id).toBe("FEAT-001");
    const { uuid } = rig.ok(["show", "T-1"]) as { uuid: string };
    expect(rig.ok(["show", uuid]).id).toBe("T-1");
    expect(rig.ok(["show", uuid.toUpperCase()]).id).toBe("T-1");
  });

  it("an unknown one ends every verb with 2, an ambiguous one with 1, and nothing is changed", () => {
    const rig = planned();
    const verbs = (ref: string): string[][] => [
      ["show", ref],
      ["edit", ref, "--title", "x"],
      ["move", ref, "--to", "BUGS"],
      ["move", "T-1", "--to", ref],
      ["link", ref, "--on", "T-1"],
      ["link", "T-1", "--on", ref],
      ["unlink", "T-2", "--on", ref],
      ["gate", "Sign", "--for", ref],
      ["focus", ref],
      ["approve", ref],
      ["add", "x", "--parent", ref],
      ["add", "x", "--parent", "BUGS", "--on", ref],
    ];
    for (const args of verbs("NOPE")) expect([args, rig.fails(args).code]).toEqual([args, 2]);
    for (const args of verbs("task")) expect([args, rig.fails(args).code]).toEqual([args, 1]);
    expect(rig.ok(["add", "x", "--parent", "BUGS"]).op).toBe(4);
  });

  it("are quoted in part when they are endless", () => {
    const rig = planned();
    const { message, code } = rig.fails(["show", "x".repeat(100_000)]);
    expect(code).toBe(2);
    expect(message.length).toBeLessThan(200);
  });
});

describe("dependencies that cannot be", () => {
  it.each([
    [
      "a cycle",
      [
        { id: "A", title: "A", dependsOn: ["B"] },
        { id: "B", title: "B", dependsOn: ["A"] },
      ],
      /[AB] → [AB] → [AB]/,
    ],
    ["itself", [{ id: "A", title: "A", dependsOn: ["A"] }], /itself/],
    ["an ancestor", [{ id: "A", title: "A", parent: "FEAT-001", dependsOn: ["MISSION"] }], /contains it/],
    ["a cycle through the plan", [{ id: "T-1", title: "First task", dependsOn: ["T-2"] }], /T-1 → T-2 → T-1/],
  ])("%s is refused in a file of lines, and nothing of it is kept", (_, nodes, message) => {
    const rig = planned();
    const failed = addLines(rig, { id: "Z", title: "Z", parent: "BUGS" }, ...nodes);
    expect(failed).toMatchObject({ code: 4, message: expect.stringMatching(message) });
    expect(rig.fails(["show", "Z"]).code).toBe(2);
    expect(rig.ok(["show", "T-1"]).dependsOn).toEqual([]);
  });
});

describe("lines", () => {
  it.each([
    ["broken JSON", '{"title": "x"', /^line 3 is not valid JSON/],
    ["no object", "[1]", /^line 3: a node must be a JSON object/],
    ["no title", "{}", /^line 3: "title" is missing/],
    ["an unknown field", '{"title":"x","colour":"red"}', /^line 3: "colour" is not a field/],
    ["a field of the wrong type", '{"title":"x","files":"a"}', /^line 3: "files" must be a list/],
    ["an unknown parent", '{"title":"x","parent":"NOPE"}', /^line 3: .*NOPE/],
    ["a bad tier", '{"title":"x","tier":"epic"}', /^line 3: "tier" must be one of/],
    ["a raw NUL", '{"title":"a\0b"}', /^line 3 is not valid JSON/],
    ["a written NUL", '{"title":"a\\u0000b"}', /^line 3: "title" contains the control character U\+0000/],
    ["half a character", '{"title":"a\\ud83d"}', /^line 3: "title" contains half of a Unicode character/],
  ])("with %s name their number, and nothing is written", (_, bad, message) => {
    const rig = planned();
    const failed = addLines(rig, { id: "Z", title: "Z", parent: "BUGS" }, "", bad, { id: "Y", title: "Y" });
    expect(failed.code).toBe(bad.includes("NOPE") ? 2 : 5);
    expect(failed.message).toMatch(message);
    expect(rig.fails(["show", "Z"]).code).toBe(2);
    expect(rig.ok(["add", "x", "--parent", "BUGS"]).op).toBe(4);
  });

  it("may begin with a byte order mark and end like in Windows", () => {
    const rig = planned();
    const input = '\ufeff{"id":"W-1","title":"One"}\r\n\r\n{"id":"W-2","title":"Two"}\r\n';
    expect(rig.ok(["add", "--from", "-"], { input }).added).toEqual(["W-1", "W-2"]);
    expect(rig.ok(["add", "--from", rig.write("plan.jsonl", input)])).toMatchObject({ op: null, unchanged: 2 });
  });

  it("must be text", () => {
    const rig = planned();
    const file = join(rig.root, "latin.jsonl");
    writeFileSync(file, Buffer.from('{"title":"caf\xe9"}', "latin1"));
    expect(rig.fails(["add", "--from", file])).toMatchObject({ code: 5, reason: "bad-encoding" });
    expect(rig.fails(["add", "--from", "nowhere.jsonl"])).toMatchObject({ code: 2, reason: "no-file" });
    expect(rig.fails(["add", "--from", "-"], { input: "\n\n" })).toMatchObject({ code: 2, reason: "nothing-to-add" });
  });
});

describe("text", () => {
  it("of ten megabytes is refused in a few words", () => {
    const rig = planned();
    for (const node of [{ title: "x".repeat(10_000_000) }, { title: "x", body: "x".repeat(10_000_000) }]) {
      const { code, message } = addLines(rig, node);
      expect(code).toBe(5);
      expect(message).toMatch(/has 10\.0 million characters; at most \d+ are allowed/);
      expect(message.length).toBeLessThan(200);
    }
    expect(rig.fails(["add", "x".repeat(100_000)])).toMatchObject({ code: 5 });
    expect(rig.fails(["edit", "T-1", "--title", "x".repeat(100_000)])).toMatchObject({ code: 5 });
    expect(rig.ok(["add", "x".repeat(500), "--parent", "BUGS"]).op).toBe(4);
  });

  it("with NUL bytes is refused in every field", () => {
    const rig = planned();
    for (const [field, value] of Object.entries({
      id: "a\0",
      title: "a\0b",
      body: "a\0b",
      parent: "a\0",
      profile: "a\0",
      dependsOn: ["a\0"],
      files: ["a\0"],
      symbols: ["a\0"],
      checks: [{ run: "true\0" }],
    })) {
      expect([field, addLines(rig, { title: "x", [field]: value }).code]).toEqual([field, 5]);
    }
  });

  it("in any script is stored and shown whole, and found again", () => {
    const rig = planned();
    const titles = [
      "Ship it 🚀👩‍👩‍👧‍👦🏳️‍🌈",
      "תקן את ההתחברות",
      "أصلح تسجيل الدخول",
      "修复登录",
      "Éclair à la crème",
      "ﷺ z̸̡̛a̶l̴g̵o̶",
    ];
    for (const [i, title] of titles.entries()) {
      rig.ok(["add", title, "--id", `U-${i}`, "--body", `${title}\n\t${title}`, "--parent", "BUGS"]);
      expect(rig.ok(["show", `U-${i}`])).toMatchObject({ title, body: `${title}\n\t${title}` });
      expect(rig.run(["show", `U-${i}`]).stdout).toContain(title);
      expect(rig.ok(["show", title]).id).toBe(`U-${i}`);
    }
  });

  it("cannot command a terminal", () => {
    const rig = planned();
    expect(rig.fails(["add", "red \u001b[31m"]).code).toBe(5);
    rig.ok(["add", "a \u202etxt.exe", "--id", "R-1", "--parent", "BUGS"]);
    expect(rig.run(["show", "R-1"]).stdout).not.toContain("\u202e");
    expect(rig.ok(["show", "R-1"]).title).toBe("a \u202etxt.exe");
  });
});

describe("the call itself", () => {
  it("is refused with 5 when the actor, a setting or a flag makes no sense", () => {
    const rig = planned();
    expect(rig.fails(["show", "T-1", "--as", "nobody"]).code).toBe(5);
    expect(rig.fails(["show", "T-1"], { env: { PLANWRIGHT_ACTOR: "x:y" } }).code).toBe(5);
    expect(rig.fails(["add", "x", "--priority", "9"]).code).toBe(5);
    expect(rig.fails(["add", "x", "--file", "../up"]).code).toBe(5);
    rig.write("planwright.json", "{");
    expect(rig.fails(["show", "T-1"]).code).toBe(5);
    rig.write("planwright.json", '{"leaseMinutes":"soon"}');
    expect(rig.fails(["show", "T-1"])).toMatchObject({ code: 5, message: expect.stringContaining("leaseMinutes") });
  });
});

/** What every command says of the file in the store's place: it must be the same, and the file too. */
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

describe("a plan of another schema (pain 7)", () => {
  const setMeta = (rig: Rig, schema: number, breaking: number): void => {
    const database = connect(storeOf(rig), "auto");
    database.exec(`update meta set value = ${schema} where name = 'schema'`);
    database.exec(`update meta set value = ${breaking} where name = 'breaking'`);
    database.exec("pragma wal_checkpoint(truncate)");
    database.close();
  };

  it("is worked with when it is newer and nothing in it breaks this program", () => {
    const rig = planned();
    setMeta(rig, 9, 1);
    expect(rig.ok(["show", "T-1"]).id).toBe("T-1");
    rig.ok(["add", "x", "--parent", "BUGS"]);
    expect(rig.ok(["upgrade"])).toMatchObject({ from: 9, to: 9, backup: null });
    expect(rig.ok(["init"]).created).toBe(false);
  });

  it("is refused, and left alone, when it is newer and breaking", () => {
    const rig = planned();
    setMeta(rig, 9, 9);
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

/** Not where the program itself lies in a folder that only root may enter. */
const strangersMayRun =
  spawnSync(process.execPath, ["-e", `require("fs").accessSync(${JSON.stringify(BIN)})`], {
    cwd: "/",
    ...STRANGER,
  }).status === 0;

describe.skipIf(!strangersMayRun)("a folder that may not be written", () => {
  it("is said to be so, and nothing is left in it", () => {
    const rig = makeRig();
    chmodSync(rig.root, 0o555);
    expect(asStranger(rig, "init")).toMatchObject({ code: 3, error: { reason: "read-only" } });
    expect(readdirSync(rig.root)).toEqual([]);
    chmodSync(rig.root, 0o755);
  });

  it("keeps its plan as it is, and can still be read", () => {
    const rig = planned();
    rig.ok(["approve", "FEAT-001"]);
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
      env: { PATH: process.env["PATH"] ?? "", USER: "ada", HOME: "/nonexistent" },
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
    const input = lines(
      ...Array.from({ length: 300 }, (_, i) => ({ id: `N-${i}`, title: "n".repeat(400), parent: "BUGS" })),
    );
    rig.write("many.jsonl", input);
    const { code, answer } = limited(rig, Math.ceil(size / 1024) + 8, "add", "--from", "many.jsonl");
    expect([code, answer.ok, answer.error?.reason]).toEqual([3, false, "disk-full"]);
    expect(rig.fails(["show", "N-0"]).code).toBe(2);
    expect(rig.ok(["show", "T-1"]).title).toBe("First task");
    expect(rig.ok(["add", "--from", "many.jsonl"]).added).toHaveLength(300);
  });
});
