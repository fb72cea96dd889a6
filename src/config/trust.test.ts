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
    [{ leaseMinutes: 5, execution: { workers: 4 }, notifications: { bell: true }, planning: { revisions: 2 } }, []],
    [{ roles: { worker: { agent: "claude" } }, profiles: { docs: { agent: "codex" } } }, []],
    [{ roles: { reviewer: { agent: "codex" } } }, ["roles.reviewer"]],
    [{ agents: { mine: { command: "evil" } } }, ["agents"]],
    [{ execution: { workers: 4, setup: ["evil"], sandbox: "off" } }, ["execution.sandbox", "execution.setup"]],
    [{ execution: { env: ["TOKEN"], dayCostUsd: 1000 } }, ["execution.dayCostUsd", "execution.env"]],
    [{ notifications: { command: "evil", bell: true } }, ["notifications.command"]],
    [{ planning: { maxCostUsd: 1000 } }, ["planning.maxCostUsd"]],
    [{ git: { hooks: "run", landStrategy: "squash" } }, ["git.hooks"]],
    [{ git: { signing: "off", sign: { key: "x" } } }, ["git.sign", "git.signing"]],
    [{ backups: 1 }, []],
    [{ execution: "fast" }, ["execution"]],
    [{ somethingNew: { command: "evil" } }, ["somethingNew.command"]],
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

  it("outlasts a setting that is taken out of the file: protection is not lowered by leaving it out", () => {
    const { root, env, write, untrusted, trust } = makeWorkspace({ execution: { sandbox: "require" } });
    trust();
    write({});
    expect(untrusted()).toEqual(["execution.sandbox"]);
    expect(loadExecutionSettings(root, env).sandbox).toBe("require");
    trust();
    expect(loadExecutionSettings(root, env).sandbox).toBe("auto");
  });

  it("covers exactly what a person sets with the program, and nothing that was there before", () => {
    const { root, env, untrusted } = makeWorkspace({ execution: { setup: ["evil"] } });
    writeSetting(root, env, "execution.sandbox", "require");
    expect(untrusted()).toEqual(["execution.setup"]);
    expect(loadExecutionSettings(root, env)).toMatchObject({ setup: [], sandbox: "require" });
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

  it("is kept for you alone, per workspace, and never inside one", () => {
    const [one, other] = [makeWorkspace({ execution: { env: ["A"] } }), makeWorkspace({ execution: { env: ["A"] } })];
    one.trust();
    expect(readTrust(other.root, one.env).untrusted).toHaveLength(1);
    expect(keepTrusted(other.root, one.env, readTrust(other.root, one.env).untrusted)).toBe(true);
    expect(one.untrusted()).toEqual([]);
    const file = join(one.env.PLANWRIGHT_CONFIG, "trusted.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(Object.keys((JSON.parse(readFileSync(file, "utf8")) as { workspaces: object }).workspaces)).toHaveLength(2);
    const inside = { PLANWRIGHT_CONFIG: join(other.root, "config") };
    expect(keepTrusted(other.root, inside, readTrust(other.root, inside).untrusted)).toBe(false);
    expect(keepTrusted(other.root, {}, readTrust(other.root, {}).untrusted)).toBe(false);
    writeFileSync(file, "{");
    expect(one.untrusted()).toEqual(["execution.env"]);
  });
});
