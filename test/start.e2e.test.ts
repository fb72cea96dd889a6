// The program starts alike with the code cache that the build made, with one that V8 refuses, and without.

import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { BIN, makeRig } from "./rig.js";

/** A copy of the built program, to do things to. */
function copyProgram(): string {
  const root = mkdtempSync(join(tmpdir(), "planwright-start-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  cpSync(dirname(BIN), join(root, "dist"), { recursive: true });
  symlinkSync(resolve(import.meta.dirname, "../node_modules"), join(root, "node_modules"));
  return join(root, "dist");
}

const cachesIn = (dist: string): string[] =>
  readdirSync(dist)
    .filter((name) => name.endsWith(".cache"))
    .map((name) => join(dist, name));

const start = (dist: string, ...words: string[]): { status: number | null; stdout: string; stderr: string } =>
  spawnSync(process.execPath, [join(dist, "planwright.cjs"), ...words], { cwd: dist, encoding: "utf8" });

describe("starting", () => {
  it("has a cache for what agents call in a loop, for rare commands and for planning", () => {
    const names = [
      "app-engines",
      "interfaces-cli-cold",
      "interfaces-cli-commands-add",
      "interfaces-cli-commands-complete",
      "interfaces-cli-warm",
      "main",
      "only-next",
      "only-show",
      "only-why",
      "store-commit",
    ];
    expect(cachesIn(dirname(BIN)).sort()).toEqual(names.map((name) => join(dirname(BIN), `${name}.cjs.cache`)));
  });

  it("has caches that V8 takes", () => {
    const files = cachesIn(dirname(BIN)).map((cache) => cache.slice(0, -".cache".length));
    const script = `
      const { readFileSync } = require("node:fs");
      const { Script } = require("node:vm");
      for (const file of process.argv.slice(1)) {
        const { cachedDataRejected } = new Script(readFileSync(file, "utf8"), { cachedData: readFileSync(file + ".cache") });
        if (cachedDataRejected) console.log(file);
      }`;
    const { status, stdout } = spawnSync(process.execPath, ["-e", script, ...files], { encoding: "utf8" });
    expect({ status, refused: stdout }).toEqual({ status: 0, refused: "" });
  });

  it("answers what agents ask in a loop by the command alone, also with what it loads later", () => {
    const rig = makeRig();
    rig.git("init", "-q");
    rig.git("commit", "-q", "--allow-empty", "-m", "First");
    rig.ok(["init", "--mission", "Ship it"]);
    rig.ok(["decide", "Use SQLite"]);
    rig.ok(["add", "One", "--tier", "feature", "--parent", "MISSION"]);
    rig.ok(["add", "Two", "--parent", "FEAT-001"]);
    rig.ok(["approve", "FEAT-001"]);
    const dist = copyProgram();
    rmSync(join(dist, "main.cjs"));
    const answers = (program: string): unknown[] =>
      [
        "next --peek",
        "show TASK-00001",
        "show DEC-001",
        "show --hlep",
        "why TASK-00001",
        "why --help",
        "next --help",
      ].map((line) => {
        const { status, stdout, stderr } = start(program, ...line.split(" "), "-C", rig.root);
        return { line, status, stdout, stderr };
      });
    expect(answers(dist)).toEqual(answers(dirname(BIN)));
    expect(start(dist, "next", "-C", rig.root).status).toBe(0);
    expect(start(dist, "version").stderr).toMatch(/main\.cjs/);
  });

  it.each([
    ["whole", () => undefined],
    ["damaged", (cache: string) => writeFileSync(cache, "not a cache")],
    ["empty", (cache: string) => writeFileSync(cache, "")],
    ["missing", (cache: string) => rmSync(cache)],
  ])("works when the cache is %s", (_, spoil) => {
    const dist = copyProgram();
    for (const cache of cachesIn(dist)) spoil(cache);
    expect(start(dist, "version")).toMatchObject({ status: 0, stdout: expect.stringMatching(/^\d+\.\d+\.\d+/) });
    expect(start(dist, "show", "X", "-C", "/nonexistent", "--json")).toMatchObject({ status: 2 });
  });
});
