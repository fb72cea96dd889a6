import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { loadExecutionSettings } from "./execution-settings.js";
import { BadSetting, SETTINGS_FILE } from "./settings.js";
import { loadSettings, settingsHash } from "./trust.js";

function folderWith(execution?: unknown): string {
  const root = mkdtempSync(join(tmpdir(), "planwright-settings-"));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  if (execution !== undefined) writeFileSync(join(root, SETTINGS_FILE), JSON.stringify({ execution }));
  return root;
}

/** With everything in it trusted. */
const load = (root: string): ReturnType<typeof loadExecutionSettings> =>
  loadExecutionSettings(root, { PLANWRIGHT_TRUST: settingsHash(root) });

/** As the documentation shows a default. */
function shown(value: unknown): string {
  if (value === null) return "none";
  if (typeof value === "number") return value.toLocaleString("en");
  return `\`${typeof value === "string" ? value : JSON.stringify(value)}\``;
}

describe("the settings of execution", () => {
  it("have defaults, and are documented one by one", () => {
    const page = readFileSync(resolve(import.meta.dirname, "../../docs/reference/configuration.md"), "utf8");
    const rows = new Map(Array.from(page.matchAll(/^\| `(\w+)` \| (.+?) \| /gm), ([, name, said]) => [name, said]));
    for (const [name, value] of Object.entries(load(folderWith()))) {
      expect([name, rows.get(name)]).toEqual([name, shown(value)]);
    }
  });

  it("come from the file, beside the others", () => {
    const given = {
      workers: 4,
      carry: [],
      carryBy: "link",
      env: ["NPM_TOKEN"],
      ports: { from: 30_000, each: 5 },
      attemptCostUsd: 1.5,
      sandbox: "require",
    };
    const root = folderWith(given);
    expect(load(root)).toMatchObject({ ...given, fixes: 2, setup: [], dayTokens: null });
    expect(() => loadSettings(root, {})).not.toThrow();
    expect(Object.isFrozen(load(root))).toBe(true);
  });

  it.each([
    [[], "must be an object"],
    ["fast", "must be an object"],
    [{ wrokers: 2 }, 'has an unknown setting "wrokers"'],
    [{ constructor: 1 }, 'has an unknown setting "constructor"'],
    [{ workers: 0 }, "execution.workers in planwright.json must be a whole number from 1 to 16"],
    [{ workers: 2.5 }, "must be a whole number"],
    [{ workers: "2" }, "must be a whole number"],
    [{ workers: 17 }, "must be a whole number"],
    [{ worktrees: "" }, "must be a text"],
    [{ carry: "node_modules" }, "must be a list of texts"],
    [{ carry: [1] }, "execution.carry.0 in planwright.json must be a text"],
    [{ carryBy: "move" }, "must be one of copy, link"],
    [{ setup: { run: "npm ci" } }, "must be a list of texts"],
    [{ env: "PATH" }, "must be a list of texts"],
    [{ ports: 21_000 }, "must be an object"],
    [{ ports: { from: 21_000 } }, "execution.ports.each in planwright.json is missing"],
    [
      { ports: { from: 80, each: 20 } },
      "execution.ports.from in planwright.json must be a whole number from 1024 to 65000",
    ],
    [
      { ports: { from: 21_000, each: 0.5 } },
      "execution.ports.each in planwright.json must be a whole number from 1 to 1000",
    ],
    [
      { ports: { from: 21_000, each: 20, to: 3 } },
      'execution.ports in planwright.json has an unknown setting "to"; known are from, each',
    ],
    [{ fixes: -1 }, "must be a whole number from 0 to 100"],
    [{ onFailedCheck: "ignore" }, "must be one of continue, stop"],
    [{ review: "yes" }, "must be true or false"],
    [{ sandbox: true }, "must be one of auto, off, require"],
    [{ attemptMinutes: 0 }, "must be a number from 0.001"],
    [{ attemptTokens: 1.5 }, "must be a whole number"],
    [{ attemptCostUsd: "5" }, "must be a number"],
    [{ dayCostUsd: -1 }, "must be a number"],
    [{ stallMinutes: null }, "must be a number"],
    [{ storm: { failures: 3 } }, "execution.storm.minutes in planwright.json is missing"],
    [{ keepDays: -1 }, "must be a number"],
    [{ tickSeconds: 0 }, "must be a number from 0.01"],
  ])("%j is refused: %s", (execution, message) => {
    const root = folderWith(execution);
    const loading = (): unknown => load(root);
    expect(loading).toThrow(BadSetting);
    expect(loading).toThrow(message);
  });
});
