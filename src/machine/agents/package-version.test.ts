import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { packageVersion } from "./open-agent.js";

const folder = mkdtempSync(join(tmpdir(), "planwright-package-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A package with a program in a folder of its own, and a link to the program. */
function install(name: string, described: string): string {
  mkdirSync(join(folder, name, "bin"), { recursive: true });
  writeFileSync(join(folder, name, "bin", "run.js"), "");
  writeFileSync(join(folder, name, "package.json"), described);
  const link = join(folder, `${name}-link`);
  symlinkSync(join(folder, name, "bin", "run.js"), link);
  return link;
}

it.each([
  ["several", '{"version":"1.2.3","bin":{"other":"x.js","it":"./bin/run.js"}}', "1.2.3"],
  ["one", '{\n  "version": "4.5.6-beta",\n  "bin": "bin/run.js"\n}', "4.5.6-beta"],
  ["another", '{"version":"1.2.3","bin":"bin/other.js"}', undefined],
  ["none", '{"version":"1.2.3"}', undefined],
  ["nameless", '{"bin":"bin/run.js"}', undefined],
  ["broken", "{", undefined],
])("a package with %s says %s: %s", async (name, described, version) => {
  expect(await packageVersion(install(name, described))).toBe(version);
});

it("a program that is in no package says nothing", async () => {
  writeFileSync(join(folder, "alone"), "");
  expect(await packageVersion(join(folder, "alone"))).toBeUndefined();
  expect(await packageVersion(join(folder, "gone"))).toBeUndefined();
});
