// Threat: an id that git takes for something else: a range, a lock file, the commit that is checked out.

import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { isChosenId } from "../../src/model/node/ids.js";
import { App } from "../../src/verbs/app.js";
import { mustFail } from "../plan.js";
import { makeRig } from "../rig.js";
import { SECRET } from "../secret.js";

const PIECES = ["a", "..", ".", ".lock", "HEAD", "@", "{", "-", "_", "~", "^", ":", "/", "\\", "*", "[", "0", " "];

const isBranch = (name: string): boolean => spawnSync("git", ["check-ref-format", "--branch", name]).status === 0;

describe("an id", () => {
  it("is never one that git refuses as the name of a branch", () => {
    const ids = PIECES.flatMap((a) => PIECES.map((b) => `${a}${b}`)).concat(PIECES.map((piece) => `a${piece}a`));
    const chosen = ids.filter(isChosenId);
    expect(chosen.length).toBeGreaterThan(10);
    expect(chosen.filter((id) => !isBranch(id))).toEqual([]);
  });

  it.each(["a..b", "a.lock", "a.", "HEAD"])("such as %s is refused when it is chosen", (id) => {
    const rig = makeRig();
    rig.ok(["init"]);
    const { code, message } = rig.fails(["add", "Pay by card", "--parent", "BUGS", "--id", id]);
    expect({ code, says: message.includes("a name that git allows for a branch") }).toEqual({ code: 5, says: true });
  });
});

describe("a folder with a line break in its path", () => {
  it("gets no plan: git would take the rest of the path for another repository", async () => {
    const folder = join(makeRig().root, "one\ntwo");
    mkdirSync(folder);
    const env = { PATH: process.env["PATH"] ?? "", HOME: makeRig().root, USER: "ada", PLANWRIGHT_SECRET: SECRET };
    const app = new App({ folder, env });
    expect(mustFail(await app.call("init", {})).reason).toBe("line-break-in-path");
    expect(readdirSync(folder)).toEqual([]);
    await app.close();
  });
});
