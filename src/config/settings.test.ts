import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { BadSetting, readSettingsFile, SETTINGS_FILE } from "./settings.js";
import { loadSettings, settingsHash } from "./trust.js";

function folderWith(settings?: string): string {
  const root = mkdtempSync(join(tmpdir(), "planwright-settings-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  if (settings !== undefined) writeFileSync(join(root, SETTINGS_FILE), settings);
  return root;
}

describe("settings", () => {
  it("have defaults, and are documented one by one", () => {
    const settings = loadSettings(folderWith(), {});
    const page = readFileSync(resolve(import.meta.dirname, "../../docs/reference/configuration.md"), "utf8");
    for (const [name, value] of Object.entries(settings)) {
      const said = typeof value === "object" ? ".*" : `[^|]+\\| \`?${String(value)}\`? \\|`;
      expect(page).toMatch(new RegExp(`\\| \`${name}\` \\|${said}`));
    }
  });

  it("come from the file, and from the environment before it", () => {
    const root = folderWith('{"leaseMinutes": 60, "maxRetries": 1, "durability": "full", "replans": {"story": 5}}');
    const set = { PLANWRIGHT_LEASE_MINUTES: "2.5", PLANWRIGHT_CHECK_TIMEOUT_S: "9" };
    expect(loadSettings(root, { ...set, PLANWRIGHT_TRUST: settingsHash(root) })).toEqual({
      leaseMinutes: 2.5,
      maxRetries: 1,
      checkTimeoutS: 9,
      durability: "full",
      backups: 7,
      board: { port: null },
      replans: { initiative: 2, feature: 2, story: 5 },
    });
  });

  it.each([
    ["not JSON", "{", {}],
    ["no object", "[]", {}],
    ["unknown", '{"colour": "red"}', {}],
    ["out of range", '{"maxRetries": -1}', {}],
    ["of another type", '{"durability": 1}', {}],
    ["a budget for a tier without one", '{"replans": {"task": 1}}', {}],
    ["a port that is none", '{"board": {"port": 70000}}', {}],
    ["a bad budget", '{"replans": {"story": "many"}}', {}],
    ["not a number in the environment", "{}", { PLANWRIGHT_LEASE_MINUTES: "soon" }],
  ])("are refused when they are %s", (_, file, env) => {
    const root = folderWith(file);
    expect(() => loadSettings(root, env)).toThrow(BadSetting);
  });

  it("cannot be changed afterwards", () => {
    expect(Object.isFrozen(loadSettings(folderWith(), {}))).toBe(true);
  });
});

it("refuses a pipe in the place of the file at once", () => {
  const root = mkdtempSync(join(tmpdir(), "planwright-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  execFileSync("mkfifo", [join(root, "planwright.json")]);
  expect(() => readSettingsFile(root)).toThrow("planwright.json is not a file");
});
