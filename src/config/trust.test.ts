import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { writeSetting } from "./all-settings.js";
import { loadExecutionSettings } from "./execution-settings.js";
import { keepTrusted, readTrust, settingsHash } from "./trust.js";

function makeWorkspace(settings: object = {}) {
  const folder = mkdtempSync(join(tmpdir(), "planwright-trust-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const root = join(folder, "workspace");
  mkdirSync(root);
  const env = { PLANWRIGHT_CONFIG: join(folder, "config") };
  const write = (file: object): void => writeFileSync(join(root, "planwright.json"), JSON.stringify(file));
  write(settings);
  const untrusted = (): string[] => readTrust(root, env).untrusted.map(({ key }) => key);
  const trust = (): boolean => keepTrusted(root, env, readTrust(root, env).untrusted);
  return { root, env, write, untrusted, trust };
}

describe("trust in settings", () => {
  it.each([
    [{}, []],
    [{ leaseMinutes: 5, execution: { workers: 4 }, notifications: { bell: true }, hosts: { prime: false } }, []],
    [{ roles: { "*": { agent: "none" } }, profiles: { docs: { agent: "codex" } } }, ["profiles.docs", "roles.*"]],
    [{ agents: { mine: { command: "evil" } } }, ["agents"]],
    [{ execution: { workers: 4, setup: ["evil"], sandbox: "off" } }, ["execution.sandbox", "execution.setup"]],
    [{ execution: { keepDays: 0 }, backups: 1, durability: "normal" }, ["backups", "durability", "execution.keepDays"]],
    [{ planning: { maxCostUsd: 1000, answerHours: 0.1 } }, ["planning.answerHours", "planning.maxCostUsd"]],
    [{ board: { port: 4000 }, replans: { story: 9 } }, ["board.port", "replans.story"]],
    [{ notifications: { command: "evil", news: [], bell: true } }, ["notifications.command", "notifications.news"]],
    [{ git: { hooks: "run", landStrategy: "squash", landMessage: "[skip ci]" } }, ["git.hooks", "git.landMessage"]],
    [{ execution: "fast" }, ["execution"]],
    [{ somethingNew: { command: "evil" } }, ["somethingNew.command"]],
    [{ "execution.workers": { command: "evil" } }, ["execution.workers.command"]],
  ])("%j needs it for %j", (settings, keys) => {
    expect(makeWorkspace(settings).untrusted()).toEqual(keys);
  });

  it("makes them count, until one of them changes", () => {
    const { root, env, write, untrusted, trust } = makeWorkspace({ execution: { workers: 3, setup: ["npm ci"] } });
    const counts = (): unknown => {
      const { workers, setup, sandbox } = loadExecutionSettings(root, env);
      return { workers, setup, sandbox };
    };
    expect(counts()).toEqual({ workers: 3, setup: [], sandbox: "auto" });
    expect(trust()).toBe(true);
    expect(counts()).toEqual({ workers: 3, setup: ["npm ci"], sandbox: "auto" });
    write({ execution: { workers: 4, setup: ["npm ci"] } });
    expect(untrusted()).toEqual([]);
    write({ execution: { workers: 4, setup: ["evil"], sandbox: "off" } });
    expect(counts()).toEqual({ workers: 4, setup: ["npm ci"], sandbox: "auto" });
    expect(readTrust(root, env).untrusted).toEqual([
      { key: "execution.setup", trusted: ["npm ci"], found: ["evil"] },
      { key: "execution.sandbox", trusted: undefined, found: "off" },
    ]);
  });

  it("ends when the line is gone: its default counts, that is a change to confirm, and the line does not come back trusted", () => {
    const { root, env, write, untrusted, trust } = makeWorkspace({ execution: { sandbox: "require" } });
    const sandbox = (): string => loadExecutionSettings(root, env).sandbox;
    trust();
    expect(sandbox()).toBe("require");
    write({});
    expect(readTrust(root, env).untrusted).toEqual([
      { key: "execution.sandbox", trusted: "require", found: undefined },
    ]);
    expect(sandbox()).toBe("auto");
    write({ execution: { sandbox: "require" } });
    expect([untrusted(), sandbox()]).toEqual([["execution.sandbox"], "auto"]);
    write({ execution: {} });
    trust();
    expect(untrusted()).toEqual([]);
    write({ execution: { sandbox: "require" } });
    expect(untrusted()).toEqual(["execution.sandbox"]);
  });

  it("covers exactly what a person sets with the program, and nothing that was there before", () => {
    const { root, env, untrusted } = makeWorkspace({ execution: { setup: ["evil"] } });
    writeSetting(root, env, "execution.sandbox", "require");
    expect(untrusted()).toEqual(["execution.setup"]);
    expect(loadExecutionSettings(root, env)).toMatchObject({ setup: [], sandbox: "require" });
  });

  it("is given to no role that nothing ever asks for", () => {
    const { root, env } = makeWorkspace({});
    const agent = { agent: "none" };
    expect(() => writeSetting(root, env, "roles.foo", agent)).toThrow(/no role "foo". Use researcher, .*reviewer, \*/);
    expect(() => writeSetting(root, env, "roles", { worker: agent, foo: agent })).toThrow(/no role "foo"/);
    writeSetting(root, env, "roles.worker", agent);
    expect(loadExecutionSettings(root, env)).toBeTruthy();
  });

  it("comes from the environment where there is no person, by a hash that the order of keys does not change", () => {
    const { root, env, write } = makeWorkspace({ execution: { setup: ["npm ci"], env: ["A"] } });
    const hash = settingsHash(root);
    expect(readTrust(root, { ...env, PLANWRIGHT_TRUST: hash }).untrusted).toEqual([]);
    write({ leaseMinutes: 3, execution: { env: ["A"], setup: ["npm ci"] } });
    expect(settingsHash(root)).toBe(hash);
    write({ execution: { env: ["A"], setup: ["evil"] } });
    expect(readTrust(root, { ...env, PLANWRIGHT_TRUST: hash }).untrusted).toHaveLength(2);
  });

  it("is kept for you alone, per folder without commits, and never inside one", () => {
    const [one, other] = [makeWorkspace({ execution: { env: ["A"] } }), makeWorkspace({ execution: { env: ["A"] } })];
    one.trust();
    expect(readTrust(other.root, one.env).untrusted).toHaveLength(1);
    expect(keepTrusted(other.root, one.env, readTrust(other.root, one.env).untrusted)).toBe(true);
    expect(one.untrusted()).toEqual([]);
    const file = join(one.env.PLANWRIGHT_CONFIG, "trusted.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const kept = JSON.parse(readFileSync(file, "utf8")) as { repositories: object };
    expect(Object.keys(kept.repositories)).toHaveLength(2);
    const inside = { PLANWRIGHT_CONFIG: join(other.root, "config") };
    expect(keepTrusted(other.root, inside, readTrust(other.root, inside).untrusted)).toBe(false);
    expect(keepTrusted(other.root, {}, readTrust(other.root, {}).untrusted)).toBe(false);
    for (const text of ["{", '{"repositories": []}', '{"repositories": {"x": 1}}', '{"workspaces": {"/": {}}}']) {
      writeFileSync(file, text);
      expect(one.untrusted()).toEqual(["execution.env"]);
    }
  });
});
