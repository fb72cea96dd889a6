import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { AgentsHere } from "./known.js";

const folder = mkdtempSync(join(tmpdir(), "planwright-here-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A folder with these commands. */
function binWith(name: string, ...commands: readonly string[]): string {
  const bin = join(folder, name);
  mkdirSync(bin);
  for (const command of commands) {
    writeFileSync(join(bin, command), "#!/bin/sh\n");
    chmodSync(join(bin, command), 0o755);
  }
  return bin;
}

describe("the first agent on this machine", () => {
  it.each([
    ["none, if none is on the PATH", [], {}, null],
    ["one that is known by name", ["codex"], {}, "codex"],
    ["the first of those that are known", ["qwen", "claude"], {}, "claude"],
    ["one of the settings before those", ["claude", "my-agent"], { mine: { command: "my-agent" } }, "mine"],
    ["not one of the settings whose command is not there", ["claude"], { mine: { command: "my-agent" } }, "claude"],
    ["not a known one whose command the settings change", ["claude"], { claude: { command: "claude-9" } }, null],
  ] as const)("is %s", (title, commands, configured, expected) => {
    expect(new AgentsHere(configured, { PATH: binWith(title, ...commands) }).first()).toBe(expected);
  });

  it("is not a file that cannot be started", () => {
    const bin = binWith("plain", "claude");
    chmodSync(join(bin, "claude"), 0o644);
    expect(new AgentsHere({}, { PATH: bin }).first()).toBeNull();
    expect(new AgentsHere({}, {}).first()).toBeNull();
  });
});

describe("an agent", () => {
  it("is installed, not installed or unknown", () => {
    const here = new AgentsHere({ mine: { command: "my-agent" } }, { PATH: binWith("three", "claude") });
    expect(["claude", "codex", "mine", "nobody", "constructor"].map((name) => here.state(name))).toEqual([
      "installed",
      "not-installed",
      "not-installed",
      "unknown",
      "unknown",
    ]);
  });
});
