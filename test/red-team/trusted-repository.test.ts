// Threat: somebody changes what a setting says, adds one that nobody thought of, or puts another repository in the place of the one
// whose settings you trusted.

import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { settingKeys, writeSetting } from "../../src/config/all-settings.js";
import { loadMcpSettings } from "../../src/config/host-settings.js";
import { HARMLESS, keepTrusted, loadSettings, readTrust } from "../../src/config/trust.js";

const SETTINGS = { execution: { setup: ["npm ci"] } };

function makeFolder(): { folder: string; env: { PLANWRIGHT_CONFIG: string } } {
  const folders = mkdtempSync(join(tmpdir(), "planwright-trusted-"));
  onTestFinished(() => rmSync(folders, { recursive: true, force: true }));
  const folder = join(folders, "work");
  mkdirSync(folder);
  return { folder, env: { PLANWRIGHT_CONFIG: join(folders, "config") } };
}

const git = (cwd: string, ...args: string[]): string =>
  execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@a", ...args], { cwd, encoding: "utf8" }).trim();

const writeSettings = (root: string, settings: object = SETTINGS): void =>
  writeFileSync(join(root, "planwright.json"), JSON.stringify(settings));

function makeRepository(path: string, commits: readonly string[] = ["first"]): string {
  mkdirSync(path, { recursive: true });
  git(path, "init", "--quiet", "--initial-branch", "main");
  for (const message of commits) git(path, "commit", "--quiet", "--allow-empty", "--message", message);
  writeSettings(path);
  return path;
}

const untrusted = (root: string, env: object): string[] => readTrust(root, { ...env }).untrusted.map(({ key }) => key);

const trust = (root: string, env: object): boolean =>
  keepTrusted(root, { ...env }, readTrust(root, { ...env }).untrusted);

describe("a setting that no list names as harmless", () => {
  it.each(settingKeys())("%s counts only once it is trusted, whatever it is", (key) => {
    const { folder, env } = makeFolder();
    const [part = "", inner] = key.split(".");
    const value = 1;
    writeSettings(folder, inner === undefined ? { [part]: value } : { [part]: { [inner]: value } });
    expect(untrusted(folder, env)).toEqual(HARMLESS.has(key) ? [] : [key]);
  });

  it("is every setting but these thirteen, each of which exists", () => {
    const known = new Set(["$schema", ...settingKeys()]);
    expect([...HARMLESS].filter((key) => !known.has(key))).toEqual([]);
    expect(HARMLESS.size).toBe(13);
  });

  it("is also one of the general settings: a port, fewer backups, a budget", () => {
    const { folder, env } = makeFolder();
    writeSettings(folder, { board: { port: 4000 }, backups: 1, replans: { story: 1000 }, leaseMinutes: 7 });
    expect(loadSettings(folder, env)).toMatchObject({ board: { port: null }, backups: 7, replans: { story: 3 } });
    expect(loadSettings(folder, env).leaseMinutes).toBe(7);
  });
});

describe("trust that has ended", () => {
  it("does not come back with the line: a client that may no longer ask you may not ask you again", () => {
    const { folder, env } = makeFolder();
    writeSetting(folder, env, "mcp.askThrough", ["helper"]);
    expect(loadMcpSettings(folder, env).askThrough).toEqual(["helper"]);
    writeSettings(folder, {});
    expect(loadMcpSettings(folder, env).askThrough).toEqual([]);
    writeSettings(folder, { mcp: { askThrough: ["helper"] } });
    expect(loadMcpSettings(folder, env).askThrough).toEqual([]);
  });

  it("is not a person's own change", () => {
    const { folder, env } = makeFolder();
    writeSetting(folder, env, "execution.sandbox", "require");
    writeSetting(folder, env, "execution.sandbox", undefined);
    expect(untrusted(folder, env)).toEqual([]);
  });
});

describe("trust in a repository", () => {
  it("goes with it to another folder, and to every clone", () => {
    const { folder, env } = makeFolder();
    const root = makeRepository(join(folder, "a"));
    expect(trust(root, env)).toBe(true);
    renameSync(root, join(folder, "b"));
    expect(untrusted(join(folder, "b"), env)).toEqual([]);
    git(folder, "clone", "--quiet", "b", "c");
    writeSettings(join(folder, "c"));
    expect(untrusted(join(folder, "c"), env)).toEqual([]);
    git(join(folder, "c"), "commit", "--quiet", "--allow-empty", "--message", "more");
    expect(untrusted(join(folder, "c"), env)).toEqual([]);
  });

  it("is not given to another one at the same path", () => {
    const { folder, env } = makeFolder();
    const root = makeRepository(join(folder, "a"));
    trust(root, env);
    rmSync(root, { recursive: true });
    makeRepository(root, ["other"]);
    expect(untrusted(root, env)).toEqual(["execution.setup"]);
  });

  it("is not given to another history that is fetched into it, or merged with it the other way round", () => {
    const { folder, env } = makeFolder();
    const root = makeRepository(join(folder, "a"));
    const other = makeRepository(join(folder, "other"), ["other"]);
    trust(root, env);
    git(root, "fetch", "--quiet", other, "main:theirs");
    git(root, "checkout", "--quiet", "theirs");
    expect(untrusted(root, env)).toEqual(["execution.setup"]);
    git(root, "merge", "--quiet", "--allow-unrelated-histories", "--message", "both", "main");
    expect(untrusted(root, env)).toEqual(["execution.setup"]);
    git(root, "checkout", "--quiet", "main");
    git(root, "merge", "--quiet", "--allow-unrelated-histories", "--message", "ours", "theirs~1");
    expect(untrusted(root, env)).toEqual([]);
  });

  it("is not given to one that replaces or grafts its first commit", () => {
    const { folder, env } = makeFolder();
    const root = makeRepository(join(folder, "a"));
    trust(root, env);
    const evil = makeRepository(join(folder, "evil"), ["evil", "more"]);
    git(evil, "fetch", "--quiet", root, "main:theirs");
    const [first, theirs] = [git(evil, "rev-parse", "main~1"), git(evil, "rev-parse", "theirs")];
    writeFileSync(join(evil, ".git/info/grafts"), `${git(evil, "rev-parse", "main")} ${theirs}\n`);
    git(evil, "update-ref", `refs/replace/${first}`, theirs);
    expect(untrusted(evil, env)).toEqual(["execution.setup"]);
  });

  it("of a shallow clone is its own: more history ends it", () => {
    const { folder, env } = makeFolder();
    const root = makeRepository(join(folder, "a"), ["one", "two", "three"]);
    git(folder, "clone", "--quiet", "--depth", "1", `file://${root}`, "shallow");
    const shallow = join(folder, "shallow");
    writeSettings(shallow);
    trust(shallow, env);
    expect([untrusted(shallow, env), untrusted(root, env)]).toEqual([[], ["execution.setup"]]);
    git(shallow, "fetch", "--quiet", "--unshallow");
    expect(untrusted(shallow, env)).toEqual(["execution.setup"]);
  });

  it("without commits is that of this very folder, and stays with the first commit", () => {
    const { folder, env } = makeFolder();
    const root = makeRepository(join(folder, "a"), []);
    trust(root, env);
    git(root, "commit", "--quiet", "--allow-empty", "--message", "first");
    expect(untrusted(root, env)).toEqual([]);
    renameSync(root, join(folder, "b"));
    expect(untrusted(join(folder, "b"), env)).toEqual([]);
    makeRepository(root, []);
    expect(untrusted(root, env)).toEqual(["execution.setup"]);
  });
});
