// What users install: the packed package, in a folder that has nothing to do with this repository.

import { execFileSync } from "node:child_process";
import { readdirSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { Rig } from "./rig.js";

const REPOSITORY = resolve(import.meta.dirname, "..");
const npm = (cwd: string, ...args: string[]): string =>
  execFileSync("npm", [...args, "--no-audit", "--no-fund", "--loglevel=error"], { cwd, encoding: "utf8" });

describe("the package", () => {
  const elsewhere = new Rig();
  const bin = (name: string): string => join(elsewhere.root, "node_modules/.bin", name);
  let packed: string[] = [];

  beforeAll(() => {
    const [report] = JSON.parse(
      npm(REPOSITORY, "pack", "--json", "--ignore-scripts", "--pack-destination", elsewhere.root),
    ) as [{ filename: string; files: { path: string }[] }];
    packed = report.files.map(({ path }) => path);
    writeFileSync(join(elsewhere.root, "package.json"), '{ "name": "elsewhere", "private": true, "type": "module" }');
    npm(elsewhere.root, "install", "--prefer-offline", "--ignore-scripts", `./${report.filename}`);
    return () => elsewhere.remove();
  });

  it("holds the program, the library and its types, and nothing of the tests", () => {
    expect(packed).toEqual(
      expect.arrayContaining(["dist/planwright.cjs", "dist/index.mjs", "docs/planning.md", "README.md", "LICENSE"]),
    );
    expect(packed.filter((path) => /\.test\.|^test|^bench|^src/.test(path))).toEqual([]);
  });

  it("runs as planwright and as pw, and needs no other package", () => {
    const run = (name: string, ...args: string[]): string =>
      execFileSync(bin(name), args, { cwd: elsewhere.root, encoding: "utf8" });
    expect(run("planwright", "version")).toBe(run("pw", "version"));
    run("pw", "init", "--mission", "Elsewhere");
    run("planwright", "add", "Try it", "--id", "TRY");
    expect(run("pw", "show", "try", "--json")).toContain('"title":"Try it"');
    const installed = readdirSync(join(elsewhere.root, "node_modules")).filter((name) => !name.startsWith("."));
    expect(installed).toEqual(["planwright"]);
  });

  it("takes less than 20 MB, with an SQLite for every common platform and no compiled code of another Node", () => {
    const folder = join(elsewhere.root, "node_modules/planwright");
    const files = packed.map((path) => statSync(join(folder, path)));
    const onDisk = files.reduce((sum, { size }) => sum + Math.ceil(size / 4096) * 4096, 0);
    expect(onDisk).toBeLessThan(20e6);
    expect(packed.filter((path) => path.startsWith("dist/sqlite/") && path.endsWith(".node"))).toHaveLength(6);
    expect(packed).toContain("dist/sqlite/LICENSE");
    expect(packed.filter((path) => path.endsWith(".cache"))).toEqual([]);
  });

  it("is a library too", () => {
    const script = `
      import { openWorkspace } from "planwright";
      const app = await openWorkspace(".", { actor: "agent:bot" });
      const shown = await app.call("show", { reference: "MISSION" });
      const refused = await app.call("approve", { references: ["TRY"] });
      console.log(shown.value.title, refused.error.reason);
      await app.close();`;
    const said = execFileSync(process.execPath, ["--input-type=module", "--eval", script], {
      cwd: elsewhere.root,
      encoding: "utf8",
    });
    expect(said.trim()).toBe("Elsewhere needs-person");
  });
});
