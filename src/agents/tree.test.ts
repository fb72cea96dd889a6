import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { treeChanges, treeState } from "./tree.js";

const env = { PATH: process.env["PATH"] ?? "" };
let folder: string;
const git = (...args: string[]) =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...args], { cwd: folder });

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "planwright-tree-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

it("is not looked at where there is no repository", async () => {
  expect(await treeState(folder, { ...env, GIT_CEILING_DIRECTORIES: folder })).toBeUndefined();
  expect(treeChanges(undefined, new Map())).toEqual([]);
});

describe("a change is found", () => {
  beforeEach(() => {
    git("init", "-q");
    mkdirSync(join(folder, "sub"));
    for (const name of ["sub/clean", "dirty"]) writeFileSync(join(folder, name), "1");
    writeFileSync(join(folder, ".gitignore"), "ignored\n");
    git("add", ".");
    git("commit", "-qm", "one");
    writeFileSync(join(folder, "dirty"), "2");
  });

  it.each<[string, () => void, string[]]>([
    ["nothing", () => {}, []],
    ["a new file", () => writeFileSync(join(folder, "sub/new file"), ""), ["sub/new file"]],
    ["a file that was clean", () => writeFileSync(join(folder, "sub/clean"), "3"), ["sub/clean"]],
    ["a file that was changed before", () => utimesSync(join(folder, "dirty"), 1, 1), ["dirty"]],
    ["a file that is gone", () => rmSync(join(folder, "sub/clean")), ["sub/clean"]],
    ["an ignored file", () => writeFileSync(join(folder, "ignored"), ""), []],
  ])("%s", async (_, change, changed) => {
    // From a folder below the top, where an agent may work.
    const before = await treeState(join(folder, "sub"), env);
    change();
    expect(treeChanges(before, await treeState(join(folder, "sub"), env))).toEqual(changed);
  });

  it("a commit", async () => {
    const before = await treeState(folder, env);
    git("commit", "-qam", "two");
    const changes = treeChanges(before, await treeState(folder, env));
    expect(changes).toContain("dirty");
    expect(changes.some((line) => line.startsWith("# branch.oid"))).toBe(true);
  });
});
