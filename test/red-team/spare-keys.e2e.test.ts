// Threat: keys that are not yours alone. CI has one, and a worker reads it there; a spare one lies where an agent finds it.

import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { signerFrom } from "../../src/store/signer.js";
import { makeRig, type Rig, type RunOptions } from "../rig.js";
import { needsTerminals, talk } from "../terminal.js";

const CI_SECRET = "c1c1c1".padEnd(64, "0");
const CI: RunOptions = { env: { PLANWRIGHT_SECRET: CI_SECRET, USER: "ci" } };

function makePlan(): Rig {
  const rig = makeRig();
  rig.ok(["init"]);
  rig.ok(["add", "Pay by card", "--parent", "BUGS", "--id", "T-1", "--check", "true"]);
  return rig;
}

describe("the key of a machine", () => {
  it.each([
    ["approve", ["approve", "T-1", "--yes"]],
    ["accept", ["accept", "T-1", "--reason", "because"]],
    ["confirm what others approved", ["people", "confirm", "--yes"]],
    ["let somebody in", ["people", "add", signerFrom("ab".repeat(32)).key]],
    ["remove you", ["people", "remove", signerFrom("5ec2e7".padEnd(64, "0")).id]],
    ["make a recovery key", ["people", "recovery"]],
  ])("cannot %s", (_, args) => {
    const rig = makePlan();
    const added = rig.ok(["person", "add", signerFrom(CI_SECRET).key, "--name", "ci", "--machine"]);
    expect(added).toMatchObject({ name: "daemon:ci" });
    const before = rig.ok(["verify"]).log.head;
    const refused = rig.fails(args, CI);
    expect(refused).toMatchObject({ code: 3, reason: "needs-person" });
    expect(refused.message).toContain("as that of daemon:ci, a machine, which approves nothing");
    expect(rig.ok(["verify"]).log.head).toEqual(before);
  });

  it("is added by a person alone, and people says that it approves nothing", () => {
    const rig = makePlan();
    const add = ["people", "add", signerFrom(CI_SECRET).key, "--name", "ci", "--machine"];
    expect(rig.fails(add, CI).reason).toBe("needs-person");
    rig.ok(add);
    expect(rig.run(["people"]).stdout).toMatch(/daemon:ci .*added by human:ada, approves nothing\n/);
  });
});

const HEX = /\b[0-9a-f]{64}\b/;

/** Every file below, as text. */
const filesIn = (folder: string): string =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file, "latin1"))
    .join("\n");

describe("the recovery key", () => {
  it("is shown once by init and kept nowhere", () => {
    const rig = makeRig();
    const { recovery } = rig.ok(["init", "--recovery"]);
    expect(recovery).toMatch(HEX);
    for (const folder of [rig.root, rig.config])
      expect(filesIn(folder).includes(recovery), `${folder} holds the recovery key`).toBe(false);
    expect(rig.ok(["init", "--recovery"]).recovery).toBeNull();
    expect(rig.ok(["people"]).people).toMatchObject([{ name: "human:ada" }, { name: "human:recovery" }]);
    rig.ok(["verify"]);
  });

  it("lets you in again with a new secret after yours was lost", () => {
    const rig = makePlan();
    const { recovery } = rig.ok(["people", "recovery"]);
    const fresh = "f2e5".padEnd(64, "1");
    const lost: RunOptions = { env: { PLANWRIGHT_SECRET: fresh } };
    expect(rig.fails(["approve", "T-1", "--yes"], lost).reason).toBe("needs-person");
    rig.ok(["people", "add", signerFrom(fresh).key], { env: { PLANWRIGHT_SECRET: recovery } });
    rig.ok(["approve", "T-1", "--yes"], lost);
    rig.ok(["people", "remove", signerFrom(recovery).id], lost);
    expect(rig.fails(["unapprove", "T-1"], { env: { PLANWRIGHT_SECRET: recovery } }).reason).toBe("needs-person");
    expect(rig.ok(["start", "T-1"]).task.id).toBe("T-1");
    rig.ok(["verify"]);
  });

  it("is never shown to an agent, which makes none", () => {
    const rig = makeRig();
    mkdirSync(rig.config, { recursive: true });
    writeFileSync(join(rig.config, "secret"), `${"5ec2e7".padEnd(64, "0")}\n`, { mode: 0o600 });
    const agent: RunOptions = { env: { PLANWRIGHT_SECRET: "", CLAUDECODE: "1" } };
    expect(rig.ok(["init", "--recovery"], agent).recovery).toBeNull();
    expect(rig.fails(["people", "recovery"], agent).reason).toBe("needs-person");
    expect(rig.ok(["people"]).people).toHaveLength(1);
  });

  it("is not printed where there is no terminal, unless you ask for it", () => {
    const { stdout, stderr } = makeRig().run(["init"]);
    expect(`${stdout}${stderr}`).not.toMatch(HEX);
  });

  it("is made by init at a terminal, but not for an agent that has one", needsTerminals, async () => {
    const rig = makeRig();
    const [code, said] = await talk(rig, ["init", "--mission", "Pay"], []);
    expect([code, said]).toEqual([0, expect.stringMatching(HEX)]);
    expect(said).toContain("Your recovery key is shown only now");
    rmSync(join(rig.root, ".planwright"), { recursive: true });
    const [, again] = await talk(rig, ["init", "--mission", "Pay"], [], { CLAUDECODE: "1" });
    expect(again).not.toMatch(HEX);
  });
});
