// Starting the program: what it leaves in the code cache, and that it starts alike whatever the cache is like.

import { spawn, spawnSync } from "node:child_process";
import {
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { needs } from "./needs.js";
import { BIN, makeRig } from "./rig.js";

const VERSION = { status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+/), stderr: "" };

/** A user of their own, with nothing in the cache. */
class User {
  readonly home = mkdtempSync(join(tmpdir(), "planwright-start-"));
  readonly cache = join(this.home, ".cache/planwright");
  readonly env = { PATH: process.env["PATH"], HOME: this.home };

  run(...words: string[]): { status: number | null; stdout: string; stderr: string } {
    const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...words], {
      env: this.env,
      encoding: "utf8",
    });
    return { status, stdout, stderr };
  }

  start(...words: string[]): Promise<number | null> {
    return new Promise((done) => spawn(process.execPath, [BIN, ...words], { env: this.env }).on("close", done));
  }

  entries(): string[] {
    return existsSync(this.cache) ? readdirSync(this.cache).map((name) => join(this.cache, name)) : [];
  }

  entry(): string {
    const [only, ...others] = this.entries();
    if (only === undefined || others.length > 0) throw new Error(`Expected one entry: ${this.entries().join()}`);
    return only;
  }
}

function makeUser(): User {
  const user = new User();
  onTestFinished(() => rmSync(user.home, { recursive: true, force: true }));
  return user;
}

describe("the code cache", () => {
  it("gets an entry from the first run, tied to the Node version, that later runs take as it is", () => {
    const user = makeUser();
    expect(user.run("version")).toEqual(VERSION);
    const entry = user.entry();
    expect(entry).toContain(`-${process.version}-`);
    const { ino } = statSync(entry);
    expect(user.run("version")).toEqual(VERSION);
    expect(statSync(user.entry()).ino).toBe(ino);
  });

  it("has an entry for each form of a command line", () => {
    const user = makeUser();
    user.run("version");
    user.run("version", "--json");
    user.run("help");
    expect(user.entries()).toHaveLength(3);
  });

  it("learns nothing from a command that it could not read", () => {
    const user = makeUser();
    expect(user.run("vresion").status).toBe(5);
    expect(user.entries()).toEqual([]);
  });

  it.each([
    ["has a flipped bit", (bytes: Buffer) => bytes.fill(bytes.readUInt8(9000) ^ 1, 9000, 9001)],
    ["was cut", (bytes: Buffer) => bytes.subarray(0, 50_000)],
    ["lost its end to zeros", (bytes: Buffer) => bytes.fill(0, 50_000)],
    ["holds no code", () => Buffer.from("{}\n{}\n")],
    ["is not an entry", () => Buffer.from("nonsense")],
    ["is empty", () => Buffer.alloc(0)],
  ])("ignores and replaces an entry that %s", (_, spoil) => {
    const user = makeUser();
    user.run("version");
    const entry = user.entry();
    const spoilt = spoil(readFileSync(entry));
    writeFileSync(entry, spoilt);
    expect(user.run("version")).toEqual(VERSION);
    expect(readFileSync(user.entry()).equals(spoilt)).toBe(false);
  });

  it(
    "ignores and replaces an entry of another user",
    needs(process.getuid?.() === 0, "only root can give a file to another user"),
    () => {
      const user = makeUser();
      user.run("version");
      chownSync(user.entry(), 12_345, 12_345);
      expect(user.run("version")).toEqual(VERSION);
      expect(statSync(user.entry()).uid).toBe(0);
    },
  );

  it("can be read and written by nobody else", () => {
    const user = makeUser();
    user.run("version");
    expect(statSync(user.cache).mode & 0o777).toBe(0o700);
    expect(statSync(user.entry()).mode & 0o777).toBe(0o600);
  });

  it("is not needed: the program starts without a home, and makes none", () => {
    const user = makeUser();
    rmSync(user.home, { recursive: true });
    expect(user.run("version")).toEqual(VERSION);
    expect(existsSync(user.home)).toBe(false);
  });

  it("is not needed: the program starts when the folder cannot be made", () => {
    const user = makeUser();
    writeFileSync(join(user.home, ".cache"), "a file");
    expect(user.run("version")).toEqual(VERSION);
  });

  it("has one whole entry after many first runs at once", async () => {
    const user = makeUser();
    const codes = await Promise.all(Array.from({ length: 8 }, () => user.start("version")));
    expect(codes).toEqual(Array.from({ length: 8 }, () => 0));
    const { ino } = statSync(user.entry());
    expect(user.run("version")).toEqual(VERSION);
    expect(statSync(user.entry()).ino).toBe(ino);
  });

  it("removes the entries that were not used for longest, and never one that was just used", () => {
    const user = makeUser();
    user.run("version");
    const used = user.entry();
    // Written long before all others, and taken now.
    utimesSync(used, 1, 1);
    expect(user.run("version")).toEqual(VERSION);
    const old = Array.from({ length: 120 }, (_, i) => join(user.cache, `old-${i}`));
    for (const [i, path] of old.entries()) {
      writeFileSync(path, "");
      utimesSync(path, i + 2, i + 2);
    }
    user.run("help");
    const kept = user.entries();
    expect(kept).toHaveLength(96);
    expect(kept).toContain(used);
    expect(old.filter((path) => kept.includes(path))).toEqual(old.slice(-94));
    expect(user.run("version")).toEqual(VERSION);
  });
});

const SLOW_MODULES = new Set(["crypto", "child_process", "net", "stream", "http", "perf_hooks"]);
/** Node's own list of what it has loaded, at the end of the program. */
const WRITE_LOADED = `const { writeFileSync } = require("node:fs");
const before = new Set(process.moduleLoadList);
process.on("exit", () => {
  const added = process.moduleLoadList.filter((name) => !before.has(name));
  writeFileSync(__dirname + "/loaded.txt", added.map((name) => name.replace("NativeModule ", "")).join("\\n"));
});`;

describe("what agents call in a loop", () => {
  /** From the cache: every entry begins with the files that its command read. */
  const filesRead = (cache: string, name: string): string[] => {
    const entry = readdirSync(cache).find((each) => each.endsWith(`-${name}`));
    const [sizes = ""] = readFileSync(join(cache, entry ?? name), "utf8").split("\n", 1);
    return Object.keys(JSON.parse(sizes) as object);
  };

  it.each([
    ["next--peek", ["next", "--peek"]],
    ["next", ["next"]],
    ["show", ["show", "A"]],
    ["why", ["why", "A"]],
    ["add", ["add", "C"]],
    ["complete", ["complete", "A"]],
  ])("%s reads few files: each one takes time to open", (name, words) => {
    const rig = makeRig();
    const env = { XDG_CACHE_HOME: rig.root };
    rig.ok(["init", "--mission", "M"]);
    rig.ok(["add", "Feature", "--id", "F", "--tier", "feature", "--parent", "MISSION"]);
    for (const id of ["A", "B"]) rig.ok(["add", id, "--id", id, "--parent", "F"]);
    rig.ok(["approve", "F"]);
    if (name === "complete") rig.ok(["next"]);
    expect(rig.run(words, { env })).toMatchObject({ code: 0 });
    expect(filesRead(join(rig.root, "planwright"), name).length).toBeLessThanOrEqual(6);
  });

  it("reads without loading modules of Node that take milliseconds", () => {
    const rig = makeRig();
    rig.ok(["init", "--mission", "M"]);
    rig.ok(["add", "Feature", "--id", "F", "--tier", "feature", "--parent", "MISSION"]);
    rig.ok(["add", "A", "--id", "A", "--parent", "F"]);
    const preload = rig.write("preload.cjs", WRITE_LOADED);
    const env = { NODE_OPTIONS: `--require ${preload}` };
    const loadedBy = (...words: string[]): string[] => {
      rig.run(words, { env });
      return readFileSync(join(rig.root, "loaded.txt"), "utf8").split("\n");
    };
    const slow = (name: string): boolean => SLOW_MODULES.has(name);
    expect(loadedBy("why", "A").filter(slow)).toEqual([]);
    expect(loadedBy("show", "A").filter(slow)).toEqual([]);
    rig.ok(["approve", "F"]);
    expect(loadedBy("next", "--peek").filter(slow)).toEqual([]);
    // It signs the log, so the test can tell that they would be seen.
    const loadedByAdd = loadedBy("add", "B");
    expect(loadedByAdd).toContain("crypto");
    expect(loadedByAdd).not.toContain("fs/promises");
  });

  it("show finds the lines of the spec without parsing the spec", () => {
    const rig = makeRig();
    rig.ok(["init", "--mission", "M"]);
    rig.ok([
      "plan",
      rig.write("spec.md", "# Links\n\n## Shorten\n\n- Users must be able to shorten a link.\n"),
      "--defaults",
    ]);
    rig.ok(["approve", "RUN-001"]);
    const { stdout } = rig.run(["show", "TASK-00001"], { env: { XDG_CACHE_HOME: rig.root } });
    expect(stdout).toMatch(/spec\.md, line 5$/m);
    expect(filesRead(join(rig.root, "planwright"), "show").length).toBeLessThanOrEqual(9);
  });
});

describe("an old Node", () => {
  const pretend = (node: string): string =>
    `Object.defineProperty(process, "versions", { value: { ...process.versions, node: "${node}" } });`;

  it.each(["8.17.0", "18.20.8", "20.18.3"])("%s is refused with one sentence", (node) => {
    const user = makeUser();
    const preload = join(user.home, "pretend.cjs");
    writeFileSync(preload, pretend(node));
    const { status, stdout, stderr } = spawnSync(process.execPath, ["--require", preload, BIN, "version"], {
      env: user.env,
      encoding: "utf8",
    });
    expect({ status, stdout, stderr }).toEqual({
      status: 5,
      stdout: "",
      stderr: `Planwright needs Node 20.19 or newer. This is Node ${node}.\n`,
    });
  });

  it("can parse the command", () => {
    expect(readFileSync(BIN, "utf8")).not.toMatch(/\?\.|\?\?|catch ?\{|\.\.\.\w+ ?\}|async |import\(|#\w+[=;(]/);
  });
});
