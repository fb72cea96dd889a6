// Checks through the program: what they see, where they run, and what a bad setting does.

import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeRig, type Rig } from "./rig.js";

const CANARY = "canary-51c0";
const env = { GITHUB_TOKEN: CANARY, NPM_TOKEN: CANARY, AWS_SECRET_ACCESS_KEY: CANARY, JAVA_HOME: "/opt/java" };

/** A plan with one claimed task that has this check. */
function claimed(check: Readonly<Record<string, unknown>>): Rig {
  const rig = makeRig();
  rig.ok(["init"]);
  const nodes = [
    { id: "FEAT-1", tier: "feature", title: "A feature", parent: "MISSION" },
    { id: "T-1", tier: "task", title: "A task", parent: "FEAT-1", checks: [check] },
  ];
  rig.ok(["add", "--from", "-"], { input: nodes.map((node) => JSON.stringify(node)).join("\n") });
  rig.ok(["approve", "FEAT-1"]);
  rig.ok(["start", "T-1"]);
  return rig;
}

const settings = (rig: Rig, execution: unknown): void =>
  writeFileSync(join(rig.root, "planwright.json"), JSON.stringify({ execution }));

describe("a check of a task that is handed in by hand", () => {
  it("sees no token, and what its tools need", () => {
    const rig = claimed({ run: "env > seen" });
    expect(rig.ok(["complete", "T-1"], { env })).toMatchObject({ acceptance: "accepted" });
    const seen = readFileSync(join(rig.root, "seen"), "utf8");
    expect(seen).not.toContain(CANARY);
    expect(seen).toContain("JAVA_HOME=/opt/java");
    expect(seen).toContain("PATH=");
  });

  it("sees a token that execution.env names", () => {
    const rig = claimed({ run: "env > seen" });
    settings(rig, { env: ["NPM_TOKEN"] });
    rig.ok(["complete", "T-1"], { env });
    const seen = readFileSync(join(rig.root, "seen"), "utf8");
    expect(seen.split("\n").filter((line) => line.includes(CANARY))).toEqual([`NPM_TOKEN=${CANARY}`]);
  });

  it("does not run while that setting is wrong, and the claim stands", () => {
    const rig = claimed({ run: "true" });
    settings(rig, { env: "NPM_TOKEN" });
    expect(rig.fails(["complete", "T-1"])).toMatchObject({
      code: 5,
      message: "execution.env in planwright.json must be a list of texts.",
      reason: "bad-setting",
    });
    settings(rig, {});
    expect(rig.ok(["complete", "T-1", "--tokens", "48000", "--cost", "0.35"])).toMatchObject({
      acceptance: "accepted",
    });
    expect(rig.run(["status"]).stdout).toContain("Spent 48000 tokens, $0.35 · worker 48000 tokens, $0.35");
    expect(rig.run(["stats"]).stdout).toMatch(/by feature +FEAT-1: 48000 tokens, \$0\.35/);
  });

  it("does not run in a folder outside, whatever leads there", () => {
    const rig = claimed({ run: "touch ran", cwd: "way" });
    mkdirSync(join(rig.root, "inside"));
    symlinkSync("/tmp", join(rig.root, "way"));
    const { code, stdout } = rig.run(["complete", "T-1"]);
    expect(code).toBe(1);
    expect(stdout).toContain("could not be started: its cwd leads out of the working directory");
    expect(stdout).toContain(`asks for the folder "way", which is not inside ${rig.root}`);
  });
});
