// Whatever is changed behind the program's back, `verify` says so.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { claimFacts, doneFacts, StorePlan } from "../../../test/store-plan.js";
import { BLANK } from "../../model/node/node.js";
import type { Database, Value } from "../database.js";
import { openSqlite } from "../dialects/sqlite/sqlite.js";
import { migrate } from "../migrations/migrate.js";
import { createStore } from "../open/create.js";
import { columnOf, DERIVED_FIELDS, toColumns } from "../rows/node-rows.js";
import type { Store } from "../store.js";
import type { Verification } from "../verification.js";

interface Tampering {
  readonly plan: StorePlan;
  /** Changes the file as another program would: no guard, no constraints. */
  readonly tamper: (sql: string, ...params: Value[]) => Promise<string[]>;
}

async function makeTampering(): Promise<Tampering> {
  const folder = mkdtempSync(join(tmpdir(), "planwright-verify-"));
  const options = { path: join(folder, "plan.db"), durability: "normal", engine: "auto" } as const;
  const { store } = await createStore(options);
  const file = await openSqlite(options);
  onTestFinished(async () => {
    await store.close();
    await file.close();
    rmSync(folder, { recursive: true, force: true });
  });
  await file.run("pragma foreign_keys = off");
  await file.run("pragma ignore_check_constraints = on");
  const plan = new StorePlan(store);
  await build(plan);
  return { plan, tamper: (sql, ...params) => differencesAfter(file, store, sql, params) };
}

async function build(plan: StorePlan): Promise<void> {
  await plan.add(
    { id: "M", tier: "mission" },
    { id: "F", tier: "feature", parent: "M" },
    { id: "S", tier: "story", parent: "F" },
    { id: "T-1", parent: "S", priority: 1, estimateHours: 2, title: "Emoji 🚀 and שלום" },
    { id: "T-2", parent: "S", dependsOn: ["T-1"] },
    { id: "T-3", parent: "S", estimateHours: 1.5, files: ["a.ts"] },
    { id: "T-4", parent: "S" },
  );
  await plan.approve("M");
  await plan.set("T-1", (node) => claimFacts(node));
  await plan.set("T-3", (_, op) => doneFacts(op));
  await plan.focus("human:ada", "T-2");
}

const said = ({ differences }: Verification): string[] => differences.map(({ row, field }) => `${row} ${field}`);

async function differencesAfter(file: Database, store: Store, sql: string, params: Value[]): Promise<string[]> {
  const changed = await file.count(sql, ...params);
  expect(changed).toBeGreaterThan(0);
  return said(await store.verify());
}

const update = (assignment: string, id = "T-1"): string => `update node set ${assignment} where id = '${id}'`;

describe("verify", () => {
  it("finds nothing in a plan that only this program has touched", async () => {
    const { plan } = await makeTampering();
    expect(await plan.store.verify()).toEqual({
      operations: 5,
      rows: 9,
      differences: [],
      log: {
        head: { op: 5, link: expect.stringMatching(/^[0-9a-f]{64}$/) as string },
        knownTo: 5,
        broken: null,
        chainedFrom: 1,
        hasPeople: false,
        signatures: { valid: 0, unknownKey: [], wrong: [], unsigned: [2], unsignedEarlier: 0 },
      },
    });
  });

  it.each([
    ["title", update("title = 'Another'"), "T-1 title"],
    ["body", update("body = body || '!'"), "T-1 body"],
    ["id", update("id = 'T-9'"), "T-9 id"],
    ["priority", update("priority = null"), "T-1 priority"],
    ["estimate", update("estimate_hours = 3"), "T-1 estimateHours"],
    ["checks", update(`checks = '[{"run":"true"}]'`), "T-1 checks"],
    ["claim", update("claim_by = 'agent:thief'"), "T-1 claim"],
    ["token", update("claim_token = 'stolen'"), "T-1 claim"],
    ["lease", update("lease_until = lease_until + 1"), "T-1 claim"],
    ["approval", update("approved_by = 'human:eve'"), "T-1 approval"],
    ["outcome", update("outcome = 'waived'", "T-3"), "T-3 outcome"],
    ["acceptance", update("acceptance_reason = 'because'", "T-3"), "T-3 acceptance"],
    ["ready", update("ready = 0", "T-4"), "T-4 ready"],
    ["not ready", update("ready = null", "T-4"), "T-4 ready"],
    ["pending", update("pending = 0", "T-2"), "T-2 pending"],
    ["live", update("live = 9", "S"), "S live"],
    ["finished", update("finished = 0", "S"), "S finished"],
    ["tasks", update("tasks_live = 1, tasks_finished = 1", "F"), "F tasksLive"],
    ["landing", update("landed_op = 1", "F"), "F landedOp"],
    ["awaited", update("awaited = 1", "F"), "F awaited"],
    ["held", update("held = 1"), "T-1 held"],
    ["shelved", update("shelved = 1"), "T-1 shelved"],
    ["feature", update("feature = null"), "T-1 feature"],
    ["hash", update("hash = 'x'"), "T-1 hash"],
    ["revision", update("revision = revision + 1"), "T-1 revision"],
    ["time", update("updated_at = 1"), "T-1 updatedAt"],
    ["a separator in a text", update("title = title || char(31) || '='"), "T-1 title"],
    ["an edge taken away", "delete from edge", "T-2 edges"],
    [
      "an edge added",
      "insert into edge select t.nr, s.nr from node t, node s where t.id = 'T-4' and s.id = 'T-1'",
      "T-4 edges",
    ],
    ["an edge of nobody", "insert into edge values (999, 1)", "row 999 edges"],
    ["the focus", "update focus set node = 1", "focus of human:ada node"],
    ["a focus taken away", "delete from focus", "focus of human:ada node"],
    ["a focus added", "insert into focus values ('agent:bot', 1)", "focus of agent:bot node"],
    ["a row taken away", "delete from node where id = 'T-4'", "T-4 row"],
    [
      "a row added",
      "insert into node (nr, uuid, id, tier, kind, title, parent, created_at, created_by, updated_at, revision) values (99, 'u', 'T-X', 'task', 'work', 'X', 3, 1, 'human:eve', 1, 1)",
      "T-X row",
    ],
    [
      "what the log says came of it",
      `update change set after = replace(after, 'The task T-2', 'Another')`,
      "T-2 title",
    ],
    [
      "what the log says it was",
      `update change set before = '{"approval":1}' where before is not null and entity = 'node' and op = 2`,
      "operation 2 before: approval",
    ],
    [
      "the focus that the log says was",
      `update change set before = '{"node":1}' where entity = 'focus'`,
      "operation 5 before: focus of human:ada",
    ],
    [
      "that the log says it was new",
      `update change set before = null where op = 3 and entity = 'node'`,
      "operation 3 before: row 4",
    ],
    ["a change of the log taken away", `delete from change where op = 3 and entity = 'node'`, "T-1 claim"],
    ["when it happened", "update operation set at = at + 1", "T-1 updatedAt"],
  ])("finds a tampered %s", async (_, sql, difference) => {
    const { tamper } = await makeTampering();
    expect(await tamper(sql)).toContain(difference);
  });

  it.each([
    ["a sentence", "update operation set sentence = 'Nothing happened.' where op = 3", 3],
    ["an actor", "update operation set actor = 'human:eve' where op = 2", 2],
    ["a link", "update operation set link = 'x' where op = 4", 4],
    ["a signature", "update operation set signature = 'x' where op = 4", 5],
    ["a change", "update change set after = replace(after, 'The task T-2', 'Another')", 1],
    ["a change removed", "delete from change where op = 5", 5],
    [
      "a change added",
      "insert into change select max(nr) + 1, 3, 'focus', 'human:eve', null, '{}' from change where op = 3",
      3,
    ],
    ["a change of no operation", "insert into change values (999999999999, 9, 'node', '1', null, '{}')", 6],
    ["an operation removed", "delete from operation where op = 2", 2],
    [
      "an operation added",
      "insert into operation (op, at, actor, verb, sentence) values (6, 1, 'human:eve', 'approve', 'Approved.')",
      6,
    ],
  ])("names the first broken link after tampering with %s", async (_, sql, op) => {
    const { plan, tamper } = await makeTampering();
    await tamper(sql);
    expect((await plan.store.verify()).log.broken).toMatchObject({ op });
  });

  it("knows a log that was rewritten or cut, links and all, from what was noted elsewhere", async () => {
    const { plan, tamper } = await makeTampering();
    const { head } = (await plan.store.verify()).log;
    const expected = { ...head, source: "git" };
    expect((await plan.store.verify({ witnesses: [expected] })).log.broken).toBeNull();
    const problem = "the log was rewritten: git knows another one";
    const rewritten = await plan.store.verify({ witnesses: [{ ...expected, op: 4 }] });
    expect(rewritten.log.broken).toEqual({ op: 4, problem });
    await tamper("delete from change where op = 5");
    await tamper("delete from operation where op = 5");
    const note = "it is missing: the note in plan.db-end knows operation 5";
    expect((await plan.store.verify()).log.broken).toEqual({ op: 5, problem: note });
    const cut = await plan.store.verify({ witnesses: [expected] });
    expect(cut.log.broken).toEqual({ op: 5, problem: "it is missing: git knows operation 5" });
    expect(said(cut)).toContain("operation 5 link");
  });

  it("holds the derived values against the log, so a changed place shows as nothing but that", async () => {
    const { tamper } = await makeTampering();
    expect(await tamper("update node set parent = 2 where id = 'T-4'")).toEqual(["T-4 parent"]);
  });

  it("never shows a token", async () => {
    const { plan, tamper } = await makeTampering();
    await tamper(update("claim_token = 'stolen-token-of-somebody'"));
    const text = JSON.stringify(await plan.store.verify());
    expect(text).toContain("stol…");
    expect(text).not.toContain("stolen-token");
    expect(text).not.toContain("token-4");
  });

  it("lists a hundred differences and no more", async () => {
    const { plan, tamper } = await makeTampering();
    await plan.add(...Array.from({ length: 120 }, (_, i) => ({ id: `X-${i}`, parent: "S" })));
    expect(await tamper("update node set title = 'x' where id like 'X-%'")).toHaveLength(100);
  });

  it("looks at every column that a node has", async () => {
    const db = await openSqlite({ path: ":memory:", durability: "normal", engine: "auto" });
    await migrate(db, 0);
    const columns = (await db.all("select name from pragma_table_info('node')")).map((row) => row["name"] as string);
    const named = { uuid: "", id: "", tier: "task", title: "", createdAt: 0, createdBy: "" } as const;
    const compared = [...Object.keys(toColumns({ ...named, ...BLANK })), ...DERIVED_FIELDS.map(columnOf)];
    expect(["nr", "revision", "updated_at", "ready", ...compared].sort()).toEqual(columns.sort());
    await db.close();
  });

  it("goes through a plan of several pages", async () => {
    const { plan } = await makeTampering();
    await plan.add(
      ...Array.from({ length: 6_000 }, (_, i) => ({
        id: `X-${i}`,
        parent: "S",
        ...(i > 0 ? { dependsOn: [`X-${i - 1}`] } : {}),
      })),
    );
    expect(await plan.store.verify()).toMatchObject({ operations: 6, rows: 6_009, differences: [] });
  });
});

describe("what finds nodes by their text and files", () => {
  it.each([
    [
      "a text that is not indexed",
      "delete from node_text where rowid = (select nr from node where id = 'T-4')",
      "T-4 characters of its text by which it is found",
    ],
    [
      "a text of another length",
      "insert or replace into node_text (rowid, words) values ((select nr from node where id = 'T-4'), 'abcd')",
      "T-4 characters of its text by which it is found",
    ],
    ["a file that is not there", "delete from node_file", "T-3 found by **/a.ts"],
    ["a file of no node", "insert into node_file values ('b.ts', 999)", "files places"],
  ])("is compared, and built again: %s", async (_, sql, problem) => {
    const { plan, tamper } = await makeTampering();
    expect(await tamper(sql)).toContain(problem);
    const intent = { actor: "human:ada", verb: "repair", now: () => 1, commit: null };
    expect(await plan.store.repair(intent)).toMatchObject({ ok: true });
    expect((await plan.store.verify()).differences).toEqual([]);
  });
});
