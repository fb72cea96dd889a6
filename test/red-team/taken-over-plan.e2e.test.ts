// Threat: a program with a made-up secret becomes the person who started a plan: by a new plan in the place of yours, in a plan that
// knows nobody yet, or before this machine has noted who started it.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { signerFrom } from "../../src/store/signer.js";
import { makeRig, type Rig, type RunOptions } from "../rig.js";
import { SECRET } from "../secret.js";
import { needsTerminals, talk } from "../terminal.js";

const MADE_UP = "bad5ec2e".padEnd(64, "0");
const eve = (more: Readonly<Record<string, string>> = {}): RunOptions => ({
  env: { PLANWRIGHT_SECRET: MADE_UP, USER: "eve", ...more },
});
/** No secret in the environment. */
const FILE_ONLY: RunOptions = { env: { PLANWRIGHT_SECRET: "" } };
const AGENT: RunOptions = { env: { PLANWRIGHT_SECRET: "", CLAUDECODE: "1" } };

function makeRepository(): Rig {
  const rig = makeRig();
  rig.git("init", "--quiet", "--initial-branch", "main");
  rig.git("commit", "--quiet", "--allow-empty", "--message", "begin");
  return rig;
}

/** What runs leaves a file on the branch of its feature. */
function addTask(rig: Rig, options: RunOptions = {}): void {
  const node = {
    id: "T-1",
    title: "Evil",
    parent: "BUGS",
    body: "```sh run\necho evil > evil.txt\n```",
    checks: [{ run: "test -f evil.txt" }],
    files: ["evil.txt"],
  };
  rig.ok(["add", "--from", "-"], { ...options, input: JSON.stringify(node) });
}

const keepSecret = (rig: Rig, secret: string): void => {
  mkdirSync(rig.config, { recursive: true });
  writeFileSync(join(rig.config, "secret"), `${secret}\n`, { mode: 0o600 });
};

const keysIn = (rig: Rig, options: RunOptions = {}): string[] =>
  rig.ok(["people"], options).people.map(({ key }: { key: string }) => key);

describe("a new plan in the place of yours", () => {
  it("does not run, and a made-up secret cannot even start it", () => {
    const rig = makeRepository();
    rig.ok(["init"]);
    rmSync(join(rig.root, ".planwright"), { recursive: true });
    const refused = rig.fails(["init"], eve());
    expect(refused).toMatchObject({ code: 3, reason: "unknown-secret" });
    const [noted = ""] = readdirSync(join(rig.config, "plans"));
    expect(refused.message).toContain(join(rig.config, "plans", noted));
    expect(refused.message).not.toMatch(/\brm\b/);
    expect(existsSync(join(rig.root, ".planwright"))).toBe(false);
    // With settings of its own it sees no note of yours.
    const elsewhere = eve({ PLANWRIGHT_CONFIG: makeRig().config });
    rig.ok(["init"], elsewhere);
    addTask(rig, elsewhere);
    rig.ok(["approve", "T-1"], elsewhere);
    rig.run(["run", "--batch"]);
    expect(rig.ok(["show", "T-1"]).status).not.toBe("done");
    expect(rig.fails(["start", "T-1"])).toMatchObject({ code: 3, reason: "approval-unknown" });
    expect(rig.git("branch", "--list", "planwright/*")).toBe("");
  });

  it("is not started by an agent where your secret is not", () => {
    const rig = makeRig();
    rig.ok(["init"]);
    rmSync(join(rig.root, ".planwright"), { recursive: true });
    expect(rig.fails(["init"], AGENT)).toMatchObject({ code: 3, reason: "unknown-secret" });
  });

  it("is not a backup of a made-up secret either", () => {
    const [rig, other] = [makeRig(), makeRig()];
    rig.ok(["init"]);
    rmSync(join(rig.root, ".planwright"), { recursive: true });
    other.ok(["init"], eve());
    other.ok(["backup", "evil.db"], eve());
    const restore = ["backup", "restore", join(other.root, "evil.db"), "--yes"];
    expect(rig.fails(restore, eve())).toMatchObject({ code: 3, reason: "unknown-secret" });
    expect(existsSync(join(rig.root, ".planwright/plan.db"))).toBe(false);
  });

  it("is yours if you start it, from the environment or from your secret file, also through an agent", () => {
    const rig = makeRig();
    rig.ok(["init"]);
    const again = (options: RunOptions): void => {
      rmSync(join(rig.root, ".planwright"), { recursive: true });
      rig.ok(["init"], options);
      expect(keysIn(rig)).toEqual([signerFrom(SECRET).key]);
      rig.ok(["verify"]);
    };
    again({});
    keepSecret(rig, SECRET);
    again(FILE_ONLY);
    again(AGENT);
    again(eve());
    expect(rig.fails(["config", "set", "maxRetries", "3"], eve()).reason).toBe("needs-person");
  });

  it("is somebody else's after you removed the file that the refusal names", () => {
    const rig = makeRig();
    rig.ok(["init"]);
    rmSync(join(rig.root, ".planwright"), { recursive: true });
    const file = /(\S+plans\S+[^.\s])/.exec(rig.fails(["init"], eve()).message)?.[1] ?? "";
    rmSync(file);
    rig.ok(["init"], eve());
    expect(readFileSync(file, "utf8").split("\n")[0]).toBe(signerFrom(MADE_UP).id);
  });
});

describe("a plan that an agent started on a machine without a secret", () => {
  function makeNobodys(): Rig {
    const rig = makeRig();
    rig.ok(["init"], AGENT);
    addTask(rig, AGENT);
    expect(keysIn(rig, AGENT)).toEqual([]);
    return rig;
  }

  it.each([
    ["in an agent", eve({ CLAUDECODE: "1" }), ["--as", "human:eve"]],
    ["outside of one", eve(), []],
  ])("does not take a made-up secret for its first person %s", (_, options, said) => {
    const rig = makeNobodys();
    expect(rig.fails(["approve", "T-1", "--yes", ...said], options)).toMatchObject({ code: 3, reason: "needs-person" });
    rig.run(["init", ...said], options);
    rig.run(["add", "x", "--parent", "BUGS", ...said], options);
    expect(rig.fails(["approve", "T-1", "--yes", ...said], options)).toMatchObject({ code: 3, reason: "needs-person" });
    expect(keysIn(rig)).toEqual([]);
  });

  it.each([
    ["in an agent", { CLAUDECODE: "1", PLANWRIGHT_ACTOR: "human:eve" }],
    ["outside of one", {}],
  ])("is not replaced by a backup that knows a made-up secret %s", (_, more) => {
    const [rig, other] = [makeNobodys(), makeRig()];
    other.ok(["init"], eve());
    other.ok(["backup", "evil.db"], eve());
    const restore = ["backup", "restore", join(other.root, "evil.db"), "--yes"];
    expect(rig.fails(restore, eve(more))).toMatchObject({ code: 3, reason: "unknown-secret" });
    expect(rig.ok(["show", "T-1"]).id).toBe("T-1");
  });

  it("says in words who can be its first person", () => {
    const { message, next } = makeNobodys().fails(["approve", "T-1", "--yes"], eve());
    expect(message).toContain("this plan knows nobody yet");
    expect(message).toContain("secret file");
    expect(next.map(({ operation }) => operation)).not.toContain("people.add");
  });

  it("has the person of your secret file as its first", () => {
    const rig = makeNobodys();
    keepSecret(rig, SECRET);
    expect(rig.fails(["approve", "T-1", "--yes"], eve()).reason).toBe("needs-person");
    rig.ok(["approve", "T-1"], FILE_ONLY);
    expect(keysIn(rig)).toEqual([signerFrom(SECRET).key]);
    rig.ok(["verify"]);
  });

  it("has the person at a terminal as its first", needsTerminals, async () => {
    const rig = makeNobodys();
    const [code] = await talk(rig, ["approve", "T-1"], [["Approve T-1?", "y"]], { PLANWRIGHT_SECRET: "" });
    expect(code).toBe(0);
    expect(keysIn(rig, FILE_ONLY)).toHaveLength(1);
  });
});

describe("a plan that is started with a made-up secret", () => {
  it("does not begin with it inside of an agent", () => {
    const rig = makeRig();
    expect(rig.fails(["init", "--as", "human:eve"], eve({ CLAUDECODE: "1" })).reason).toBe("needs-person");
    expect(existsSync(join(rig.root, ".planwright"))).toBe(false);
    rig.ok(["init"], eve({ CLAUDECODE: "1" }));
    expect(keysIn(rig, AGENT)).toEqual([]);
  });

  it("does not begin with it where your secret file is", () => {
    const rig = makeRig();
    keepSecret(rig, SECRET);
    rig.ok(["init"], eve());
    expect(keysIn(rig)).toEqual([signerFrom(SECRET).key]);
    addTask(rig, eve());
    expect(rig.fails(["approve", "T-1", "--yes"], eve()).reason).toBe("needs-person");
    rig.ok(["approve", "T-1"], FILE_ONLY);
  });
});

describe("a plan that was lost", () => {
  it("is not replaced by a backup of a made-up secret in an agent", () => {
    const [rig, other] = [makeRig(), makeRig()];
    other.ok(["init"], eve());
    other.ok(["backup", "evil.db"], eve());
    const restore = ["backup", "restore", join(other.root, "evil.db"), "--yes", "--as", "human:eve"];
    expect(rig.fails(restore, eve({ CLAUDECODE: "1" }))).toMatchObject({ code: 3, reason: "unknown-secret" });
    expect(existsSync(join(rig.root, ".planwright"))).toBe(false);
  });
});

describe("this machine", () => {
  it("notes with init who started the plan, before anybody can write another one into the file", () => {
    const rig = makeRig();
    rig.ok(["init"]);
    const [noted = ""] = readdirSync(join(rig.config, "plans"));
    expect(readFileSync(join(rig.config, "plans", noted), "utf8").split("\n")[0]).toBe(signerFrom(SECRET).id);
  });
});
