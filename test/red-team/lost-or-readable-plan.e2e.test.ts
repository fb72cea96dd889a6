// Threat: others on the machine read the plan, or its file is emptied or removed and the loss passes for a fresh start.

import { rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { makeRig } from "../rig.js";

const FILES = ["plan.db", "plan.db-wal", "plan.db-shm"];

describe("the plan's file", () => {
  it("is for its owner alone", () => {
    const rig = makeRig();
    rig.ok(["init"]);
    const modeOf = (path: string): number => statSync(join(rig.root, ".planwright", path)).mode & 0o777;
    expect(modeOf("")).toBe(0o700);
    expect(FILES.map(modeOf)).toEqual([0o600, 0o600, 0o600]);
  });

  it.each([
    ["removed", (path: string) => rmSync(path)],
    ["emptied", (path: string) => truncateSync(path)],
    ["replaced by nothing", (path: string) => writeFileSync(path, "")],
  ])("is reported as lost when it was %s, never as a plan that is yet to be started", (_, lose) => {
    const rig = makeRig();
    rig.ok(["init"]);
    for (const file of FILES.slice(1)) rmSync(join(rig.root, ".planwright", file));
    lose(join(rig.root, ".planwright/plan.db"));
    const { code, reason, message, next } = rig.fails(["status"]);
    expect({ code, reason }).toEqual({ code: 3, reason: "plan-lost" });
    expect(message).toMatch(/the file is (empty|gone)\. Copy back a backup/);
    expect(JSON.stringify(next ?? [])).not.toContain("init");
  });
});
