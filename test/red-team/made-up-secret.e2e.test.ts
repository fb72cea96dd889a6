// Threat: a program that has no secret of yours makes one up, says that it is a person, and approves what it wants to run.

import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { openSqlite } from "../../src/store/dialects/sqlite/sqlite.js";
import { signerFrom } from "../../src/store/signer.js";
import { makeRig, prepareRig, type Rig, type RunOptions } from "../rig.js";
import { SECRET } from "../secret.js";
import { needsTerminals, talk } from "../terminal.js";

const MADE_UP = "bad5ec2e".padEnd(64, "0");
const EVE: RunOptions = { env: { PLANWRIGHT_SECRET: MADE_UP, USER: "eve" } };

/** T-1 is approved by you, T-2 by nobody; what runs leaves a file behind. */
function makePlan(): Rig {
  const rig = makeRig();
  prepareRig(rig, "made-up-secret", fill);
  return rig;
}

function fill(rig: Rig): void {
  rig.git("init", "--quiet", "--initial-branch", "main");
  rig.git("commit", "--quiet", "--allow-empty", "--message", "begin");
  rig.ok(["init"]);
  rig.ok(["add", "A feature", "--tier", "feature", "--id", "FEAT-1"]);
  const task = (id: string): object => ({
    id,
    title: `Task ${id}`,
    parent: "FEAT-1",
    body: `\`\`\`sh run\necho ${id} > ${id}.txt\n\`\`\``,
    checks: [{ run: `test -f ${id}.txt` }],
    files: [`${id}.txt`],
  });
  const lines = [task("T-1"), task("T-2")].map((node) => JSON.stringify(node));
  rig.ok(["add", "--from", "-"], { input: lines.join("\n") });
  rig.ok(["approve", "T-1"]);
}

let rig: Rig;
beforeEach(() => {
  rig = makePlan();
});

async function tamper(...statements: readonly (string | readonly [string, ...(string | number)[]])[]): Promise<void> {
  const path = join(rig.root, ".planwright/plan.db");
  const db = await openSqlite({ path, durability: "normal", engine: "auto" });
  for (const each of statements) {
    const [sql, ...values] = typeof each === "string" ? [each] : each;
    await db.run(sql, ...values);
  }
  await db.close();
}

const statusOf = (id: string): string => rig.ok(["show", id]).status;

describe("a secret that this plan does not know", () => {
  it.each([
    ["approve", ["approve", "T-2", "--yes"]],
    ["withdraw an approval", ["unapprove", "T-1"]],
    ["waive", ["waive", "T-1", "--reason", "because"]],
    ["accept", ["accept", "T-1", "--reason", "because"]],
    ["raise the level", ["level", "auto", "--unsandboxed"]],
    ["change settings", ["config", "set", "execution.sandbox", "off"]],
    ["trust settings", ["config", "trust", "--yes"]],
    ["confirm what others approved", ["people", "confirm", "--yes"]],
    ["remove you", ["people", "remove", signerFrom(SECRET).id]],
    ["land", ["land", "FEAT-1", "--yes"]],
    ["undo what you did", ["undo", "4"]],
    ["repair the plan", ["verify", "--repair"]],
    ["say that it is you", ["add", "x", "--parent", "FEAT-1", "--as", "human:ada"]],
  ])("cannot %s", (_, args) => {
    const before = rig.ok(["verify"]).log.head;
    expect(rig.fails(args, EVE)).toMatchObject({ code: 3, reason: "needs-person" });
    expect(rig.ok(["verify"]).log.head).toEqual(before);
  });

  it("cannot restore a backup in which it is known, in the place of a plan in which it is not", () => {
    const other = makeRig();
    other.ok(["init"], EVE);
    other.ok(["backup", "evil.db"], EVE);
    const file = join(other.root, "evil.db");
    expect(rig.fails(["backup", "restore", file, "--yes"], EVE)).toMatchObject({ code: 3, reason: "unknown-secret" });
    expect(rig.fails(["backup", "restore", file, "--yes"])).toMatchObject({ code: 3, reason: "unknown-secret" });
    expect(statusOf("T-1")).toBe("ready");
  });

  it("cannot add itself: only somebody whom the plan knows adds another person", () => {
    const { key } = rig.ok(["people"], EVE).own;
    expect(rig.fails(["people", "add", key], EVE).reason).toBe("needs-person");
    expect(rig.ok(["people"]).people).toHaveLength(1);
    expect(rig.fails(["people", "add", MADE_UP])).toMatchObject({ code: 5, reason: "is-secret" });
  });

  it("is told so in words, with the way out, and the way out works when typed", () => {
    const { message, next } = rig.fails(["approve", "T-2", "--yes"], EVE);
    expect(message).toContain("agent:unknown is not one: this plan does not know your secret. Use one that it knows:");
    expect(message).toContain(`the key of the secret that this command used, ${signerFrom(MADE_UP).key}`);
    expect(message).toContain("Add it only if this is your own machine");
    const [, ...typed] = String(next[0]?.command).split(" ");
    expect(rig.run(typed, { env: {} }).code).toBe(0);
    rig.ok(["approve", "T-2"], EVE);
    expect(rig.ok(["show", "T-2"]).approvalSignature).toBe("valid");
    rig.ok(["run", "--batch"]);
    expect([statusOf("T-1"), statusOf("T-2")]).toEqual(["done", "done"]);
    rig.ok(["verify"]);
    expect(rig.run(["people"]).stdout).toMatch(/human:ada .*started the plan\nhuman:ada .*added by human:ada\n/);
  });

  it("still works as an agent: it reads, adds ideas and claims what you approved", () => {
    rig.ok(["add", "An idea", "--parent", "FEAT-1"], EVE);
    expect(rig.ok(["next"], EVE).task.id).toBe("T-1");
    expect(rig.ok(["log"]).operations[0].actor).toBe("agent:unknown");
  });

  it("does not become known by a terminal", needsTerminals, async () => {
    const env = { PLANWRIGHT_SECRET: "", PLANWRIGHT_CONFIG: makeRig().config };
    const [code, said] = await talk(rig, ["approve", "T-2"], [], env);
    expect([code, said]).toEqual([3, expect.stringContaining("this plan does not know your secret")]);
  });
});

describe("the secret that the plan knows", () => {
  it("works from the environment and from a file", () => {
    const own = makeRig();
    const env = { PLANWRIGHT_SECRET: "", PLANWRIGHT_CONFIG: own.config };
    own.ok(["init"], { env });
    own.ok(["add", "x", "--parent", "BUGS", "--id", "T-1", "--check", "true"], { env });
    own.ok(["approve", "T-1"], { env });
    expect(own.ok(["verify"], { env: { PLANWRIGHT_SECRET: "" } }).log.signatures).toMatchObject({
      valid: 1,
      unsigned: [],
    });
    rmSync(join(own.config, "plans"), { recursive: true });
    rig.ok(["approve", "T-2"]);
    expect(rig.ok(["show", "T-2"]).approvalSignature).toBe("valid");
  });
});

/** As somebody with the database would write it: the approval of T-2, links and all. */
async function forge(seal: string | null): Promise<void> {
  const path = join(rig.root, ".planwright/plan.db");
  const db = await openSqlite({ path, durability: "normal", engine: "auto" });
  const node = await db.get("select nr, uuid from node where id = 'T-2'");
  await db.close();
  const { hashOf } = await import("../../src/plan/node/approve.js");
  const { openStore } = await import("../../src/store/open/open.js");
  const store = await openStore({ path, durability: "normal", engine: "auto" });
  const hash = await store.read(async (reader) => {
    const task = await reader.byId("T-2");
    return task ? hashOf(reader, task) : "";
  });
  await store.close();
  const sealed =
    seal ?? signerFrom(MADE_UP).sign(["planwright approval", node?.["uuid"], hash, "human:ada", 1].join("\n"));
  await tamper([
    "update node set approved_by = 'human:ada', approved_at = 1, approved_hash = ?, hash = ?, approved_seal = ?, ready = 5 where id = 'T-2'",
    hash,
    hash,
    sealed,
  ]);
}

const runs = (): boolean => existsSync(join(rig.root, "T-2.txt")) || statusOf("T-2") === "done";

describe("an approval of a made-up secret that was written into the file", () => {
  const unknown = { code: 3, reason: "approval-unknown" };

  it.each([
    ["start", ["start", "T-2"]],
    ["work", ["work", "T-2"]],
    ["run", ["run", "T-2"]],
  ])("never begins: %s refuses it in words", async (_, args) => {
    await forge(null);
    const refused = rig.fails(args);
    expect(refused).toMatchObject(unknown);
    expect(refused.message).toContain("T-2 was approved with a secret that this plan does not know");
    expect(runs()).toBe(false);
  });

  it("is not handed out by next", async () => {
    await forge(null);
    rig.ok(["start", "T-1"]);
    expect(rig.fails(["next"], { env: { PLANWRIGHT_ACTOR: "agent:bot" } })).toMatchObject(unknown);
  });

  it("does not run with the rest of the plan", async () => {
    await forge(null);
    const { stderr } = rig.run(["run", "--batch"]);
    expect(stderr).toContain("T-2 was approved with a secret that this plan does not know");
    expect([statusOf("T-1"), runs()]).toEqual(["done", false]);
  });

  it("does not run in the daemon", async () => {
    await forge(null);
    rig.ok(["level", "on"]);
    rig.ok(["daemon", "start"]);
    onTestFinished(() => void rig.run(["daemon", "stop"]));
    await expect.poll(() => statusOf("T-1")).toBe("done");
    rig.ok(["daemon", "stop"]);
    expect(runs()).toBe(false);
  });

  it("does not land, even if the rows say that it is done", async () => {
    rig.ok(["run", "--batch"]);
    await forge(null);
    await tamper(
      "update node set ready = null, outcome = 'done', outcome_by = 'checks', outcome_at = 1, settled_op = 1, acceptance = 'accepted', acceptance_by = 'checks', acceptance_at = 1 where id = 'T-2'",
      "update node set finished = live, tasks_finished = tasks_live where id = 'FEAT-1'",
    );
    const refused = rig.fails(["land", "FEAT-1", "--yes"]);
    expect(refused).toMatchObject({ ...unknown, next: [{ operation: "people.confirm" }, { operation: "verify" }] });
  });

  it("is explained by why, show and verify", async () => {
    await forge(null);
    expect(rig.ok(["why", "T-2"])).toMatchObject({ reason: "approval-unknown" });
    expect(rig.run(["why", "T-2"]).stdout).toContain("T-2 was approved with a secret that this plan does not know");
    expect(rig.run(["show", "T-2"]).stdout).toContain("a secret that this plan does not know");
    expect(rig.fails(["verify"]).code).toBe(1);
  });

  it("runs after you have looked at it and approved it", async () => {
    await forge(null);
    const [first] = rig.fails(["start", "T-2"]).next;
    rig.ok(String(first?.command).split(" ").slice(1));
    expect(rig.ok(["start", "T-2"]).task.id).toBe("T-2");
  });

  it("does not run with a signature that you gave to something else", async () => {
    const path = join(rig.root, ".planwright/plan.db");
    const db = await openSqlite({ path, durability: "normal", engine: "auto" });
    const yours = (await db.get("select approved_seal from node where id = 'T-1'"))?.["approved_seal"];
    await db.close();
    await forge(String(yours));
    expect(rig.fails(["start", "T-2"])).toMatchObject({ code: 3, reason: "rewritten" });
  });
});

describe("a person who was written into the file", () => {
  const eve = signerFrom(MADE_UP);
  const person = (addedBy: string | null): string =>
    JSON.stringify({
      key: eve.key,
      name: "human:eve",
      addedBy,
      at: 1,
      seal: eve.sign(["planwright person", eve.key, "human:eve", 1].join("\n")),
      state: "known",
    });
  const INSERT =
    "insert into item (entity, key, owner, state, fields, created_op, revision, updated_at) values ('person', ?, ?, 'known', ?, 1, 1, 1)";

  // No copy: the machine knows a plan by its folder, and notes with init who started it.
  beforeEach(() => {
    rig = makeRig();
    fill(rig);
  });

  it.each<[string, string | null]>([
    ["as if you had added them", signerFrom(SECRET).id],
    ["as another one who started the plan", null],
  ])("is nobody: %s", async (_, addedBy) => {
    await tamper([INSERT, eve.id, addedBy ?? "", person(addedBy)]);
    expect(rig.fails(["approve", "T-2", "--yes"], EVE).reason).toBe("needs-person");
    await forge(null);
    expect(rig.fails(["start", "T-2"]).reason).toBe("approval-unknown");
    expect(rig.fails(["verify"]).code).toBe(1);
    rig.ok(["start", "T-1"]);
  });

  it("is nobody in your place either, where this machine has seen the plan before", async () => {
    await tamper("delete from item where entity = 'person'", [INSERT, eve.id, "", person(null)]);
    expect(rig.fails(["approve", "T-2", "--yes"], EVE).reason).toBe("needs-person");
    await forge(null);
    expect(rig.fails(["start", "T-2"]).reason).toBe("approval-unknown");
    expect(rig.fails(["verify"]).code).toBe(1);
    await tamper(
      "update node set approved_by = null, approved_hash = null, approved_seal = null, ready = null, hash = '' where id = 'T-2'",
    );
  });

  it("is nobody in your place with a key that begins like yours, even though the log says so from the beginning", async () => {
    const you = signerFrom(SECRET).id;
    const key = eve.key.replace(eve.id, you);
    const seal = eve.sign(["planwright person", key, "human:ada", 1, "plan "].join("\n")).replace(eve.id, you);
    const image = JSON.stringify({ key, name: "human:ada", addedBy: null, at: 1, seal, state: "known" });
    const before = rig.ok(["people"]).people;
    expect(before).toMatchObject([{ id: you, key: signerFrom(SECRET).key }]);
    await tamper(
      ["update item set fields = ? where entity = 'person'", image],
      ["update change set after = ? where entity = 'person'", image],
    );
    expect(rig.ok(["people"]).people).toEqual([]);
    expect(rig.fails(["start", "T-1"]).reason).toBe("approval-unknown");
  });

  it("does not become the first because you were removed from the file", async () => {
    await tamper("delete from item where entity = 'person'");
    expect(rig.fails(["approve", "T-2", "--yes"], EVE).reason).toBe("needs-person");
    expect(rig.ok(["people"]).people).toEqual([]);
  });

  it("is found by verify, however well the log was written", async () => {
    const path = join(rig.root, ".planwright/plan.db");
    const { LinkHash, toChainEnd, CHAIN_END } = await import("../../src/store/rows/log-rows.js");
    const { changeNr } = await import("../../src/store/rows/log-rows.js");
    const db = await openSqlite({ path, durability: "normal", engine: "auto" });
    const end = toChainEnd(await db.get(CHAIN_END));
    const row = { op: end.op + 1, at: 1, actor: "human:ada", verb: "people", sentence: "added", git_commit: null };
    const hash = new LinkHash(end, row);
    hash.add("person", eve.id, null, person(signerFrom(SECRET).id));
    const link = hash.end();
    await db.run(
      "insert into operation (op, at, actor, verb, sentence, link, signature) values (?, 1, 'human:ada', 'people', 'added', ?, ?)",
      row.op,
      link,
      eve.sign(`planwright operation ${link}`),
    );
    await db.run(
      "insert into change (nr, op, entity, key, before, after) values (?, ?, 'person', ?, null, ?)",
      changeNr(row.op, 0),
      row.op,
      eve.id,
      person(signerFrom(SECRET).id),
    );
    await db.close();
    await tamper([INSERT, eve.id, signerFrom(SECRET).id, person(signerFrom(SECRET).id)]);
    await tamper([`update item set created_op = ? where key = ?`, row.op, eve.id]);
    expect(rig.fails(["verify"]).message).toContain(
      `The first broken link is operation ${row.op}: it changes whom the plan knows, and nobody whom it knew signed it.`,
    );
  });
});
