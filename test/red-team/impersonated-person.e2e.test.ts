// Threat: an agent that nobody recognises approves its own work, or says that it is you.

import { chmodSync, existsSync, mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openSqlite } from "../../src/store/dialects/sqlite/sqlite.js";
import { makeRig, type Rig, type RunOptions } from "../rig.js";
import { needsTerminals, talk } from "../terminal.js";

/** Neither a secret nor a terminal, and nothing that tells an agent. */
const NOBODY: RunOptions = { env: { PLANWRIGHT_SECRET: "" } };

function makePlan(options: RunOptions = {}): Rig {
  const rig = makeRig();
  rig.ok(["init"], options);
  rig.ok(["add", "Pay by card", "--parent", "BUGS", "--id", "T-1", "--check", "true"], options);
  return rig;
}

describe("without a terminal and without the secret", () => {
  it.each([
    ["approve", ["approve", "T-1"]],
    ["waive", ["waive", "T-1", "--reason", "because"]],
    ["accept", ["accept", "T-1", "--reason", "because"]],
    ["answer", ["question", "answer", "ESC-001", "yes"]],
    ["raise the level", ["level", "auto"]],
    ["change settings", ["config", "set", "execution.sandbox", "off"]],
    ["say who asks", ["show", "T-1", "--as", "human:ada"]],
    ["approve as somebody", ["approve", "T-1", "--as", "human:ada"]],
  ])("nobody can %s", (_, args) => {
    const rig = makePlan();
    const before = rig.ok(["verify"]).log.head;
    const { code, reason } = rig.fails(args, NOBODY);
    expect({ code, reason }).toEqual({ code: 3, reason: "needs-person" });
    expect(rig.ok(["verify"]).log.head).toEqual(before);
  });

  it("says why, and how you prove who you are", () => {
    const { message } = makePlan().fails(["approve", "T-1"], NOBODY);
    expect(message).toContain(
      "agent:unknown is not one: there is no terminal and no secret. Use a terminal of your own.",
    );
  });

  it("work goes on as an unknown agent", () => {
    const rig = makePlan();
    rig.ok(["add", "An idea", "--parent", "BUGS"], NOBODY);
    expect(rig.run(["log", "--limit", "1"]).stdout).toContain("agent:unknown");
  });

  it("a name does not help inside an agent, even beside the secret's file", () => {
    const env = { PLANWRIGHT_SECRET: "", PLANWRIGHT_CONFIG: makeConfig() };
    const rig = makePlan({ env });
    rig.ok(["approve", "T-1"], { env });
    for (const marker of ["CLAUDECODE", "CODEX_SANDBOX", "GEMINI_CLI", "PLANWRIGHT_ATTEMPT", "PLANWRIGHT_CHILD"]) {
      const inside = { env: { ...env, [marker]: "1" } };
      expect(rig.fails(["unapprove", "T-1"], inside).reason).toBe("needs-person");
      expect(rig.fails(["unapprove", "T-1", "--as", "human:ada"], inside).reason).toBe("needs-person");
      const named = { env: { ...inside.env, PLANWRIGHT_ACTOR: "human:ada" } };
      expect(rig.fails(["unapprove", "T-1"], named).reason).toBe("needs-person");
    }
  });

  it("a key cannot ask as somebody else, and its owner is the one who signed", () => {
    const rig = makePlan();
    const owner = String(rig.ok(["people"]).people[0].name);
    const ways: [string[], Record<string, string>][] = [
      [["--as", "human:bob"], {}],
      [[], { PLANWRIGHT_ACTOR: "human:bob" }],
    ];
    for (const [words, env] of ways) {
      const { reason, message } = rig.fails(["approve", "T-1", ...words], { env });
      expect([reason, message]).toEqual(["other-person", expect.stringContaining(`your key is the one of ${owner}`)]);
      expect(message).toContain("To let human:bob approve, add the key");
    }
    rig.ok(["approve", "T-1"], { env: { USER: "bob" } });
    expect(rig.ok(["show", "T-1"]).approval.by).toBe(owner);
  });

  it("an agent that starts a plan makes no secret", () => {
    const config = makeConfig();
    const rig = makeRig();
    rig.ok(["init"], { env: { PLANWRIGHT_SECRET: "", PLANWRIGHT_CONFIG: config, CLAUDECODE: "1" } });
    expect(existsSync(join(config, "secret"))).toBe(false);
  });
});

/** Beside the workspaces, as a home folder is. */
function makeConfig(): string {
  const folder = makeRig().root;
  mkdirSync(join(folder, "config"));
  return join(folder, "config");
}

describe("the secret", () => {
  it("is made by init in one step, for you alone, and signs what you approve", () => {
    const [rig, config] = [makeRig(), makeConfig()];
    const env = { PLANWRIGHT_SECRET: "", PLANWRIGHT_CONFIG: config };
    const { stderr } = rig.run(["init"], { env });
    expect(stderr).toContain(`Made ${join(config, "secret")}: it proves that you, and no agent, approve work.`);
    expect(statSync(join(config, "secret")).mode & 0o777).toBe(0o600);
    const before = readFileSync(join(config, "secret"), "utf8");
    rig.ok(["add", "Pay", "--parent", "BUGS", "--id", "T-1", "--check", "true"], { env });
    rig.ok(["approve", "T-1"], { env });
    expect(rig.run(["init"], { env }).stderr).not.toContain("secret");
    expect(readFileSync(join(config, "secret"), "utf8")).toBe(before);
    const { signatures } = rig.ok(["verify"], { env }).log;
    expect(signatures).toEqual({ valid: 1, wrong: [], unknownKey: [], unsigned: [], unsignedEarlier: 0 });
  });

  it("does not count if others can read it", () => {
    const [rig, config] = [makePlan(), makeConfig()];
    const env = { PLANWRIGHT_SECRET: "", PLANWRIGHT_CONFIG: config };
    rig.ok(["init"], { env });
    chmodSync(join(config, "secret"), 0o644);
    expect(rig.fails(["approve", "T-1"], { env }).message).toContain("may be read by others. Type: chmod 600");
  });

  it("is made at the first approval in a terminal, without a question", needsTerminals, async () => {
    const env = { PLANWRIGHT_SECRET: "", PLANWRIGHT_CONFIG: makeConfig() };
    const rig = makePlan({ env: { ...env, CLAUDECODE: "1" } });
    const [code] = await talk(rig, ["approve", "T-1"], [["Approve T-1?", "y"]], env);
    expect(code).toBe(0);
    expect(rig.ok(["verify"], { env }).log.signatures).toMatchObject({ valid: 1, unsigned: [] });
  });
});

describe("an approval written into the file, links and all", () => {
  async function forge(rig: Rig, signature: string | null): Promise<void> {
    const path = join(rig.root, ".planwright/plan.db");
    const db = await openSqlite({ path, durability: "normal", engine: "auto" });
    const { LinkHash, toChainEnd, CHAIN_END } = await import("../../src/store/rows/log-rows.js");
    const { changeNr } = await import("../../src/store/rows/log-rows.js");
    const end = toChainEnd(await db.get(CHAIN_END));
    const node = await db.get("select nr from node where id = 'T-1'");
    const key = String(node?.["nr"]);
    const after = JSON.stringify({ approval: { by: "human:ada", at: 1, hash: "x" } });
    const row = { op: end.op + 1, at: 1, actor: "human:ada", verb: "approve", sentence: "approved", git_commit: null };
    const hash = new LinkHash(end, row);
    hash.add("node", key, '{"approval":null}', after);
    await db.run(
      "insert into operation (op, at, actor, verb, sentence, link, signature) values (?, 1, 'human:ada', 'approve', 'approved', ?, ?)",
      row.op,
      hash.end(),
      signature,
    );
    await db.run(
      "insert into change (nr, op, entity, key, before, after) values (?, ?, 'node', ?, '{\"approval\":null}', ?)",
      changeNr(row.op, 0),
      row.op,
      key,
      after,
    );
    await db.close();
  }

  it.each([
    ["without a signature", null, "approved without a signature"],
    [
      "with a signature of another secret",
      `${"a".repeat(16)}:${"b".repeat(64)}`,
      "approved with a secret that this plan does not know",
    ],
  ])("is found %s", async (_, signature, problem) => {
    const rig = makePlan();
    await forge(rig, signature);
    expect(rig.fails(["verify"]).message).toContain(problem);
    expect(rig.run(["verify"]).stdout).toContain(problem);
  });

  it("is found with a signature of another operation", async () => {
    const rig = makePlan();
    rig.ok(["approve", "T-1"]);
    const path = join(rig.root, ".planwright/plan.db");
    const db = await openSqlite({ path, durability: "normal", engine: "auto" });
    const mine = (await db.get("select signature from operation where signature is not null"))?.["signature"];
    await db.close();
    await forge(rig, mine as string);
    expect(rig.fails(["verify"]).message).toContain("the signature is false");
  });
});
