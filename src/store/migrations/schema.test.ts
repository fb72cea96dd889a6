// What the database itself refuses, whoever writes to it; and the whole schema, so that it never changes unnoticed.

import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Database, Row } from "../database.js";
import { openSqlite } from "../dialects/sqlite/sqlite.js";
import { sha256 } from "../sha256.js";
import { MIGRATIONS, migrate } from "./migrate.js";

let db: Database;

beforeEach(async () => {
  db = await openSqlite({ path: ":memory:", durability: "normal", engine: "auto" });
  await migrate(db, 0);
  await insert("node", { ...ROW, nr: 1, uuid: "u1", id: "M", tier: "mission", kind: null, parent: null });
  await insert("node", { ...ROW, nr: 2, uuid: "u2", id: "F", tier: "feature", kind: null, parent: 1 });
  await insert("node", { ...ROW, nr: 3, uuid: "u3", id: "T", parent: 2 });
});
afterEach(() => db.close());

const ROW: Row = {
  nr: 9,
  uuid: "u9",
  id: "X",
  tier: "task",
  kind: "work",
  title: "T",
  parent: 2,
  created_at: 1,
  created_by: "human:ada",
  updated_at: 1,
  revision: 1,
};

/** Foreign keys are looked at when the transaction ends, so each statement is one. */
async function insert(table: string, row: Row): Promise<void> {
  const names = Object.keys(row);
  await db.write(async () => {
    await db.run(
      `insert into ${table} (${names.join(", ")}) values (${names.map(() => "?").join(", ")})`,
      ...Object.values(row),
    );
    return { keep: true, value: undefined };
  });
}

const change = (sql: string): Promise<void> =>
  db.write(async () => {
    await db.run(sql);
    return { keep: true, value: undefined };
  });

const CLAIM: Row = { claim_by: "agent:b", claim_token: "t", claim_epoch: 1, claim_at: 1, lease_until: 2 };
const APPROVED: Row = { approved_by: "human:ada", approved_at: 1, approved_hash: "h" };
const FROZEN: Row = { freeze_reason: "x", freeze_by: "human:ada", freeze_at: 1, freeze_from: 1 };
const ACCEPTED: Row = { acceptance: "accepted", acceptance_by: "checks", acceptance_at: 1 };
const outcome = (kind: string): Row => ({ outcome: kind, outcome_by: "human:ada", outcome_at: 1, settled_op: 1 });

describe("the table of nodes takes", () => {
  it.each<[string, Row]>([
    ["a plain task", {}],
    ["a claimed task", CLAIM],
    ["an approved task that is ready", { ...APPROVED, ready: 5 }],
    ["a frozen task", FROZEN],
    ["a task that is done", { ...outcome("done"), ...ACCEPTED }],
    ["a waived story", { tier: "story", kind: null, ...outcome("waived") }],
    ["an inbox", { tier: "feature", kind: null, parent: 1, inbox: 1 }],
    ["a land task", { kind: "land" }],
  ])("%s", async (_, over) => {
    await insert("node", { ...ROW, ...over });
    expect(await db.get("select count(*) as nodes from node")).toEqual({ nodes: 4 });
  });
});

describe("the table of nodes refuses", () => {
  const cases: readonly [string, Row][] = [
    ["a number twice", { nr: 3 }],
    ["a UUID twice", { uuid: "u3" }],
    ["an id twice, in any case", { id: "t" }],
    ["no UUID", { uuid: null }],
    ["no id", { id: null }],
    ["an empty id", { id: "" }],
    ["a long id", { id: "x".repeat(65) }],
    ["an unknown tier", { tier: "epic" }],
    ["no tier", { tier: null }],
    ["an unknown kind", { kind: "bug" }],
    ["a task without a kind", { kind: null }],
    ["a story with a kind", { tier: "story" }],
    ["no title", { title: null }],
    ["an empty title", { title: "" }],
    ["a long title", { title: "x".repeat(501) }],
    ["no body", { body: null }],
    ["a task without a parent", { parent: null }],
    ["a mission with a parent", { tier: "mission", kind: null }],
    ["a parent that does not exist", { parent: 99 }],
    ["a priority below 0", { priority: -1 }],
    ["a priority above 4", { priority: 5 }],
    ["an estimate of nothing", { estimate_hours: 0 }],
    ["an inbox that is neither yes nor no", { tier: "feature", kind: null, parent: 1, inbox: 2 }],
    ["an inbox that is no feature", { inbox: 1 }],
    ["an approval by an agent", { ...APPROVED, approved_by: "agent:b" }],
    ["an approval by the daemon", { ...APPROVED, approved_by: "daemon:h" }],
    ["an approval without the content it binds", { ...APPROVED, approved_hash: null }],
    ["approved content without an approval", { approved_hash: "h" }],
    ["a freeze without a reason", { ...FROZEN, freeze_reason: null }],
    ["a freeze with an empty reason", { ...FROZEN, freeze_reason: "" }],
    ["a freeze without a time", { ...FROZEN, freeze_at: null }],
    ["a claim without a token", { ...CLAIM, claim_token: null }],
    ["a claim without an end", { ...CLAIM, lease_until: null }],
    ["a claim on a container", { ...CLAIM, tier: "story", kind: null }],
    ["a claim on what is settled", { ...CLAIM, ...outcome("dropped") }],
    ["a claim on what is frozen", { ...CLAIM, ...FROZEN }],
    ["an unknown outcome", outcome("skipped")],
    ["an outcome without its operation", { ...outcome("waived"), settled_op: null }],
    ["an operation without its outcome", { settled_op: 1 }],
    ["done without acceptance", outcome("done")],
    ["done and rejected", { ...outcome("done"), acceptance: "rejected" }],
    ["a container that is done", { tier: "story", kind: null, ...outcome("done"), ...ACCEPTED }],
    ["an unknown acceptance", { acceptance: "maybe" }],
    ["no revision", { revision: 0 }],
    ["no author", { created_by: null }],
    ["shelved that is neither yes nor no", { shelved: 2 }],
    ["fewer than no unmet dependencies", { pending: -1 }],
    ["fewer than no children", { live: -1, finished: -1 }],
    ["more finished children than there are", { live: 1, finished: 2 }],
    ["more finished tasks than there are", { tasks_live: 1, tasks_finished: 2 }],
    ["fewer than nobody who waits", { awaited: -1 }],
    ["a rank beyond the last", { ...APPROVED, ready: 6 }],
    ["ready without an approval", { ready: 1 }],
    ["ready and claimed", { ...APPROVED, ...CLAIM, ready: 1 }],
    ["ready and settled", { ...APPROVED, ...outcome("waived"), ready: 1 }],
    ["ready and a container", { ...APPROVED, tier: "story", kind: null, ready: 1 }],
  ];

  it.each(cases)("%s", async (_, over) => {
    await expect(insert("node", { ...ROW, ...over })).rejects.toThrow(/constraint failed/i);
    expect(await db.get("select count(*) as nodes from node")).toEqual({ nodes: 3 });
  });

  it("a second open land task in a feature, though any number that are settled", async () => {
    const land: Row = { ...ROW, kind: "land" };
    await insert("node", { ...land, ...outcome("done"), ...ACCEPTED });
    await insert("node", { ...land, nr: 10, uuid: "u10", id: "L2", ...outcome("dropped") });
    await insert("node", { ...land, nr: 11, uuid: "u11", id: "L3" });
    await expect(insert("node", { ...land, nr: 12, uuid: "u12", id: "L4" })).rejects.toThrow(/unique/i);
    await expect(change("update node set outcome = null, settled_op = null where nr = 10")).rejects.toThrow(/unique/i);
  });

  it("taking away a node that has children, dependents or a focus", async () => {
    await expect(change("delete from node where nr = 2")).rejects.toThrow(/foreign key/i);
    await insert("node", ROW);
    await insert("edge", { node: 9, target: 3 });
    await expect(change("delete from node where nr = 3")).rejects.toThrow(/foreign key/i);
    await expect(change("delete from node where nr = 9")).rejects.toThrow(/foreign key/i);
    await change("delete from edge");
    await insert("focus", { actor: "human:ada", node: 9 });
    await expect(change("delete from node where nr = 9")).rejects.toThrow(/foreign key/i);
  });
});

it("a task has room for one claim: a second one takes the place of the first only if it says so", async () => {
  await change("update node set claim_token = 'a', claim_epoch = 1, lease_until = 2 where nr = 3 and revision = 1");
  const second = await db.count("update node set claim_token = 'b' where nr = 3 and claim_token is null");
  expect(second).toBe(0);
  expect(await db.get("select claim_token from node where nr = 3")).toEqual({ claim_token: "a" });
});

describe("the other tables refuse", () => {
  const operation: Row = { op: 1, at: 1, actor: "human:ada", verb: "v", sentence: "s" };

  it.each<[string, string, Row]>([
    ["a dependency on itself", "edge", { node: 3, target: 3 }],
    ["a dependency on nothing", "edge", { node: 3, target: 99 }],
    ["a dependency of nothing", "edge", { node: 99, target: 3 }],
    ["a focus on nothing", "focus", { actor: "human:ada", node: 99 }],
    ["a focus of nobody", "focus", { actor: "human:ada", node: null }],
    ["an operation without an actor", "operation", { ...operation, actor: null }],
    ["an operation without a sentence", "operation", { ...operation, sentence: null }],
    ["an operation that undoes nothing", "operation", { ...operation, undoes: 99 }],
    ["an operation that redoes nothing", "operation", { ...operation, redoes: 99 }],
    ["a change of no operation", "change", { op: 99, nr: 99, entity: "node", key: "1" }],
    ["a counter without a value", "counter", { name: "x", value: null }],
  ])("%s", async (_, table, row) => {
    await expect(insert(table, row)).rejects.toThrow(/constraint failed/i);
  });

  it.each<[string, string, Row]>([
    ["a dependency", "edge", { node: 3, target: 1 }],
    ["an actor's focus", "focus", { actor: "human:ada", node: 3 }],
    ["an operation", "operation", operation],
    ["a counter", "counter", { name: "x", value: 1 }],
  ])("%s twice", async (_, table, row) => {
    await insert(table, row);
    await expect(insert(table, row)).rejects.toThrow(/unique constraint failed/i);
  });

  it("a change twice", async () => {
    await insert("operation", operation);
    const row: Row = { op: 1, nr: 1, entity: "node", key: "1" };
    await insert("change", row);
    await expect(insert("change", row)).rejects.toThrow(/unique constraint failed/i);
  });
});

it("the whole schema is what it was when its latest migration was released", async () => {
  const rows = await db.all("select sql from sqlite_master where sql is not null order by tbl_name, type desc, name");
  const dump = rows.map((row) => `${row["sql"] as string};\n`).join("\n");
  expect({ migrations: MIGRATIONS.length, schema: sha256(dump) }).toEqual({
    migrations: 12,
    schema: "0f0ee010d26368ce985304ba9e5363447e352d2d8715d24a9bcc95f44baa8ae8",
  });
});
