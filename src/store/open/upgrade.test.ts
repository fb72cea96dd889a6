import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { COLLEAGUE, makePlanOfSchema9, WITHOUT_LOOKUPS } from "../../../test/old-plan.js";
import { must, mustFail } from "../../../test/plan.js";
import { createItem, type Entity } from "../../model/item/item.js";
import type { Lesson } from "../../model/item/lesson.js";
import type { Question } from "../../model/item/question.js";
import type { NodeInput } from "../../model/node/content.js";
import type { Node } from "../../model/node/node.js";
import { changeNode } from "../../model/operation/change.js";
import { ok } from "../../model/result.js";
import type { Context } from "../../plan/base/context.js";
import { start } from "../../plan/claim/start.js";
import { renewClaim } from "../../plan/claim/token.js";
import { add } from "../../plan/node/add.js";
import { approve } from "../../plan/node/approve.js";
import { waive } from "../../verbs/branch/waive.js";
import { connect } from "../dialects/sqlite/driver.js";
import type { SqliteOptions } from "../dialects/sqlite/sqlite.js";
import { StoreFault } from "../fault.js";
import type { Migration } from "../migrations/migrate.js";
import { MIGRATIONS } from "../migrations/migrate.js";
import { judgeSchema } from "../migrations/schema.js";
import { sha256 } from "../sha256.js";
import { idOfSecret } from "../signer.js";
import type { ListQuery, Store } from "../store.js";
import { createStore, upgradeStore } from "./create.js";
import { openStore } from "./open.js";

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);

const labels = (breaking: boolean): Migration[] => [
  ...MIGRATIONS,
  { sql: "create table label (name text primary key);\ninsert into label values ('new');\n", breaking },
];

const QUESTION: Question = {
  kind: "question",
  state: "open",
  question: "Which way?",
  context: "",
  options: [],
  recommended: null,
  expiresAt: null,
  owner: "MISSION",
  blocks: [],
  answer: null,
  createdAt: NOW,
  createdBy: "human:ada",
};
const LESSON: Lesson = {
  state: "kept",
  text: "Quote names.",
  keywords: [],
  scope: null,
  source: "person",
  createdAt: NOW,
  createdBy: "human:ada",
};

/** Takes back what later migrations added. */
const AS_SCHEMA_2 = `${WITHOUT_LOOKUPS}
  alter table operation drop column link;
  alter table operation drop column signature;
  alter table operation drop column statement;
  drop index node_unplanned;
  alter table node drop column awaits_plan;
  alter table node drop column approved_seal;
  update meta set value = 2`;

async function makeStore(): Promise<SqliteOptions & { folder: string }> {
  const folder = mkdtempSync(join(tmpdir(), "planwright-upgrade-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const options = { path: join(folder, "plan.db"), durability: "normal", engine: "auto", folder } as const;
  const { store } = await createStore(options);
  const context = { store, actor: "human:ada", now: () => NOW, head: () => null } as unknown as Context;
  await add(context, [{ input: { id: "MISSION", tier: "mission", title: "Kept" }, where: "here" }]);
  await store.close();
  return options;
}

async function titleIn(options: SqliteOptions): Promise<string | undefined> {
  const store: Store = await openStore(options);
  try {
    return await store.read(async (reader) => (await reader.byId("MISSION"))?.title);
  } finally {
    await store.close();
  }
}

const tablesIn = (path: string): string[] => {
  const database = connect(path, "auto");
  const rows = database.prepare("select name from sqlite_master where type = 'table' order by name").all();
  database.close();
  return rows.map((row) => (row as { name: string }).name);
};

const faultOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => "no fault",
    (error: unknown) => (error instanceof StoreFault ? error.failure.reason : String(error)),
  );

describe("an upgrade", () => {
  it("makes a backup that can be used, then changes the schema", async () => {
    const options = await makeStore();
    const done = await upgradeStore(options, NOW, labels(false));
    expect(done).toEqual({
      from: MIGRATIONS.length,
      to: MIGRATIONS.length + 1,
      backup: join(options.folder, `backups/plan-schema-${MIGRATIONS.length}-2026-01-02T03-04-05-000Z.db`),
    });
    expect(tablesIn(options.path)).toContain("label");
    const backup = done.backup as string;
    expect(tablesIn(backup)).not.toContain("label");
    expect(await titleIn({ ...options, path: backup })).toBe("Kept");
  });

  it("finds questions and lessons that an older program called by other words, and the log still holds", async () => {
    const options = await makeStore();
    const { store } = await createStore(options);
    const made = [createItem("question", "ESC-001", QUESTION), createItem("lesson", "MEM-001", LESSON)];
    const intent = { actor: "human:ada", verb: "question.raise", now: () => NOW, commit: null };
    must(await store.commit(intent, async () => ok({ sentence: "asked", changes: made, value: undefined })));
    await store.close();
    const database = connect(options.path, "auto");
    for (const table of ["item", "change"]) {
      database.exec(`update ${table} set entity = 'escalation' where entity = 'question';
        update ${table} set entity = 'memory' where entity = 'lesson'`);
    }
    database.exec(`${WITHOUT_LOOKUPS} alter table operation drop column statement; update meta set value = 8`);
    database.close();
    await upgradeStore(options, NOW);
    const upgraded = await openStore(options);
    onTestFinished(() => upgraded.close());
    const keys = (entity: Entity) =>
      upgraded.read(async (reader) => (await reader.items(entity, {})).map(({ key }) => key));
    expect([await keys("question"), await keys("lesson")]).toEqual([["ESC-001"], ["MEM-001"]]);
    expect(await upgraded.verify()).toMatchObject({ differences: [] });
  });

  it("derives again what an older program counted otherwise: that a mission waits for its inbox, and what waits for it", async () => {
    const options = await makeStore();
    const { store } = await createStore(options);
    const context = { store, actor: "human:ada", now: () => NOW, head: () => null } as unknown as Context;
    const feature = (id: string): NodeInput => ({ id, tier: "feature", title: id, parent: "MISSION" });
    must(await add(context, [{ input: feature("INBOX"), where: "inbox", inbox: true }]));
    for (const input of [feature("BUGS"), feature("F-1")]) must(await add(context, [{ input, where: input.id ?? "" }]));
    must(await waive(context, { references: ["F-1"], reason: "not needed" }));
    const waiting: NodeInput[] = [
      { id: "NEXT", tier: "mission", title: "The next" },
      { id: "AFTER", tier: "feature", title: "After", parent: "NEXT", dependsOn: ["MISSION"] },
      { id: "T-1", title: "Then", parent: "AFTER", priority: 1 },
    ];
    must(
      await add(
        context,
        waiting.map((input) => ({ input, where: "here" })),
      ),
    );
    must(await approve(context, { references: ["NEXT"] }));
    const rowsOf = (from: Store): Promise<unknown> => from.read((reader) => reader.byIds(["MISSION", "AFTER", "T-1"]));
    const wanted = await rowsOf(store);
    const database = connect(options.path, "auto");
    database.exec(`update node set live = 3, finished = 1 where id = 'MISSION';
      update node set pending = 1 where id = 'AFTER';
      update node set held = 1, ready = null where id = 'T-1'`);
    expect((await store.verify()).differences).not.toEqual([]);
    database.exec(AS_SCHEMA_2);
    database.close();
    await store.close();
    await upgradeStore(options, NOW);
    const upgraded = await openStore(options);
    expect((await upgraded.verify()).differences).toEqual([]);
    expect(await rowsOf(upgraded)).toEqual(wanted);
    await upgraded.close();
  });

  it("finds the nodes of an older plan by their text and their files", async () => {
    const options = await makeStore();
    const { store } = await createStore(options);
    const context = { store, actor: "human:ada", now: () => NOW, head: () => null } as unknown as Context;
    const input = { id: "F-1", tier: "feature", title: "Log in", parent: "MISSION", files: ["src/login.ts"] } as const;
    must(await add(context, [{ input, where: "F-1" }]));
    await store.close();
    const database = connect(options.path, "auto");
    database.exec(`${WITHOUT_LOOKUPS} update meta set value = 10`);
    database.close();
    await upgradeStore(options, NOW);
    const upgraded = await openStore(options);
    onTestFinished(() => upgraded.close());
    const found = (query: ListQuery) =>
      upgraded.read(async (reader) => {
        const ids: string[] = [];
        for await (const page of reader.listings(query)) ids.push(...page.map(({ id }) => id));
        return ids;
      });
    expect(await found({ text: [["log"]] })).toEqual(["F-1", "F-1-LAND"]);
    expect(await found({ file: "src/login.ts" })).toEqual(["F-1"]);
    expect((await upgraded.verify()).differences).toEqual([]);
  });

  it("keeps who is known and what they approved, from programs that signed each approval by itself", async () => {
    const folder = mkdtempSync(join(tmpdir(), "planwright-upgrade-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    await makePlanOfSchema9(join(folder, "plan"), ["T-1", "T-2"]);
    const options = { path: join(folder, "plan/.planwright/plan.db"), durability: "normal", engine: "auto" } as const;
    expect(await upgradeStore(options, NOW)).toMatchObject({ from: 9 });
    const store = await openStore(options, {});
    onTestFinished(() => store.close());
    const doubt = () => store.read(async (reader) => reader.people.doubt((await reader.byId("T-1")) as Node));
    const colleague = () => store.read((reader) => reader.people.find(idOfSecret(COLLEAGUE)));
    expect([await doubt(), (await colleague())?.name]).toEqual([null, "human:eve"]);
    expect(await store.verify()).toMatchObject({
      differences: [],
      log: { broken: null, signatures: { unsigned: [] } },
    });
    const database = connect(options.path, "auto");
    onTestFinished(() => database.close());
    // As after an undo, which needed no signature.
    const isAgain = "op = (select max(op) from operation where verb = 'approve')";
    database.exec(`update operation set signature = null where ${isAgain}`);
    expect((await store.verify()).log.signatures.unsigned).toEqual([]);
    database.exec("update node set approved_at = approved_at + 1 where id = 'T-1'");
    expect(await doubt()).toBe("false");
    database.exec("update operation set signature = null where op = (select max(op) from operation)");
    const again = await openStore(options, {});
    onTestFinished(() => again.close());
    expect(await again.read((reader) => reader.people.find(idOfSecret(COLLEAGUE)))).toBeUndefined();
  });

  it("leaves no open bug in one feature with others, and moves nothing that was worked on", async () => {
    const options = await makeStore();
    const { store } = await createStore(options);
    const context = { store, actor: "human:ada", now: () => NOW, head: () => null } as unknown as Context;
    const nodes: NodeInput[] = [
      { id: "BUGS", tier: "feature", title: "Bugs", parent: "MISSION" },
      { id: "F-1", tier: "feature", title: "F", parent: "MISSION" },
      ...["OPEN", "GIVEN-UP", "TAKEN"].map((id) => ({ id, title: `Bug ${id}`, parent: "F-1" })),
      { id: "STORY", tier: "story", title: "Slow start", parent: "F-1" },
      { id: "IN-STORY", title: "Measure it", parent: "STORY" },
    ];
    must(
      await add(
        context,
        nodes.map((input) => ({ input, where: "here" })),
      ),
    );
    // As earlier programs put them there.
    const intent = { actor: "human:ada", verb: "move", now: () => NOW, commit: null };
    must(
      await store.commit(intent, async (writer) => {
        const bugs = (await writer.byId("BUGS")) as Node;
        const moved = await writer.byIds(["OPEN", "GIVEN-UP", "TAKEN", "STORY"]);
        const changes = moved.flatMap((node) => changeNode(node, { parent: bugs.nr }));
        return ok({ sentence: "reported bugs", changes, value: undefined });
      }),
    );
    must(await approve(context, { references: ["BUGS"] }));
    must(await waive(context, { references: ["GIVEN-UP"], reason: "nobody sees it" }));
    const work = { ...context, actor: "agent:one", settings: { leaseMinutes: 40 }, root: options.folder } as Context;
    must(await start(work, { reference: "TAKEN" }));
    await store.close();
    const database = connect(options.path, "auto");
    database.exec("update meta set value = 11 where name in ('schema', 'breaking')");
    database.close();
    await upgradeStore(options, NOW);
    const upgraded = await openStore(options);
    onTestFinished(() => upgraded.close());
    const parentOf = (id: string) =>
      upgraded.read(async (reader) => {
        const node = await reader.byId(id);
        const parent = await reader.node(node?.parent as number);
        return `${parent?.id}: ${parent?.title}`;
      });
    expect(await Promise.all(["OPEN", "GIVEN-UP", "TAKEN", "STORY", "IN-STORY", "FEAT-001"].map(parentOf))).toEqual([
      "FEAT-001: Bug OPEN",
      "BUGS: Bugs",
      "BUGS: Bugs",
      "FEAT-002: Slow start",
      "STORY: Slow start",
      "MISSION: Kept",
    ]);
    expect((await upgraded.read((reader) => reader.byId("FEAT-002-LAND")))?.kind).toBe("land");
    expect((await upgraded.verify()).differences).toEqual([]);
  });

  it("derives rows again however many there are", async () => {
    const options = await makeStore();
    const { store } = await createStore(options);
    const context = { store, actor: "human:ada", now: () => NOW, head: () => null } as unknown as Context;
    const tasks = Array.from({ length: 5_100 }, (_, i) => ({
      input: { id: `T-${i}`, title: `Task ${i}`, parent: "F-1" },
      where: "here",
    }));
    const feature: NodeInput = { id: "F-1", tier: "feature", title: "Many", parent: "MISSION" };
    must(await add(context, [{ input: feature, where: "here" }, ...tasks]));
    const database = connect(options.path, "auto");
    database.exec(`update node set pending = 1 where id = 'T-5099'; ${AS_SCHEMA_2}`);
    database.close();
    await store.close();
    await upgradeStore(options, NOW);
    const upgraded = await openStore(options);
    expect((await upgraded.verify()).differences).toEqual([]);
    await upgraded.close();
  });

  it("chains the old log from a marked beginning, and leaves approvals valid", async () => {
    const options = await makeStore();
    const old = await openStore(options);
    const context = { store: old, actor: "human:ada", now: () => NOW, head: () => null } as unknown as Context;
    must(await approve(context, { references: ["MISSION"] }));
    await old.close();
    const database = connect(options.path, "auto");
    database.exec(AS_SCHEMA_2);
    database.close();
    await upgradeStore(options, NOW);
    const store = await openStore(options);
    must(await waive({ ...context, store }, { references: ["MISSION"], reason: "not needed" }));
    expect(await store.verify()).toMatchObject({
      differences: [],
      log: { head: { op: 3 }, broken: null, chainedFrom: 3, signatures: { unsigned: [], unsignedEarlier: 1 } },
    });
    const tampering = connect(options.path, "auto");
    tampering.exec("update operation set actor = 'human:eve' where op = 2");
    tampering.close();
    expect((await store.verify()).log.broken).toEqual({ op: 2, problem: "it was changed after it was written" });
    await store.close();
  });

  it("replaces the tokens of open claims by hashes, and whoever has the token goes on", async () => {
    const options = await makeStore();
    const old = await openStore(options);
    const context = { store: old, actor: "human:ada", now: () => NOW, head: () => null } as unknown as Context;
    const work = { ...context, actor: "agent:one", settings: { leaseMinutes: 40 }, root: options.folder } as Context;
    const feature: NodeInput = { id: "F-1", tier: "feature", title: "F", parent: "MISSION" };
    const tasks = [feature, { id: "T-1", title: "Claimed", parent: "F-1" }].map((input) => ({ input, where: "here" }));
    must(await add(context, tasks));
    must(await approve(context, { references: ["MISSION"] }));
    const { token } = must(await start(work, { reference: "T-1" }));
    await old.close();
    const database = connect(options.path, "auto");
    // As older programs wrote it: the token itself.
    database.exec(`update node set claim_token = '${token}' where id = 'T-1';
      update change set after = replace(after, '${sha256(token)}', '${token}') where after is not null; ${AS_SCHEMA_2}`);
    database.close();
    await upgradeStore(options, NOW);
    const store = await openStore(options);
    onTestFinished(() => store.close());
    expect(await store.verify()).toMatchObject({ differences: [], log: { broken: null } });
    const claim = (await store.read((reader) => reader.byId("T-1")))?.claim;
    expect(claim?.token).toBe(sha256(token));
    expect(mustFail(await renewClaim({ ...work, store }, { reference: "T-1", token: claim?.token ?? "" })).reason).toBe(
      "lease-lost",
    );
    must(await renewClaim({ ...work, store }, { reference: "T-1", token }));
    expect((await store.verify()).differences).toEqual([]);
  });

  it("has nothing to do the second time", async () => {
    const options = await makeStore();
    await upgradeStore(options, NOW, labels(false));
    const { length: version } = labels(false);
    expect(await upgradeStore(options, NOW + 1, labels(false))).toEqual({ from: version, to: version, backup: null });
    expect(readdirSync(join(options.folder, "backups"))).toHaveLength(1);
  });

  it("leaves the old schema when it is interrupted", async () => {
    const options = await makeStore();
    const broken: Migration[] = [
      ...MIGRATIONS,
      { sql: "create table half (name text);\ninsert into nowhere values (1);\n", breaking: true },
    ];
    await expect(upgradeStore(options, NOW, broken)).rejects.toThrow(/nowhere/);
    expect(tablesIn(options.path)).not.toContain("half");
    expect(await titleIn(options)).toBe("Kept");
    expect(await upgradeStore(options, NOW + 1, labels(false))).toMatchObject({ to: MIGRATIONS.length + 1 });
  });

  it("does not happen when the backup cannot be made", async () => {
    const options = await makeStore();
    writeFileSync(join(options.folder, "backups"), "in the way");
    expect(await faultOf(upgradeStore(options, NOW, labels(false)))).toBe("no-backup");
    expect(tablesIn(options.path)).not.toContain("label");
  });

  it("lets an older program go on unless it is marked breaking", async () => {
    const gentle = await makeStore();
    await upgradeStore(gentle, NOW, labels(false));
    expect(await titleIn(gentle)).toBe("Kept");

    const harsh = await makeStore();
    await upgradeStore(harsh, NOW, labels(true));
    const before = readFileSync(harsh.path);
    expect(await faultOf(openStore(harsh))).toBe("newer-schema");
    expect(await faultOf(createStore(harsh))).toBe("newer-schema");
    expect(await faultOf(upgradeStore(harsh, NOW))).toBe("newer-schema");
    expect(readFileSync(harsh.path).equals(before)).toBe(true);
  });

  it("is asked for, never done, by a program that is newer than the plan", () => {
    const old = { version: MIGRATIONS.length, breaking: MIGRATIONS.length };
    expect(judgeSchema(old, MIGRATIONS.length + 1)).toMatchObject({
      ok: false,
      error: { reason: "needs-upgrade", next: [{ operation: "upgrade", input: {} }] },
    });
  });

  it("needs a plan", async () => {
    const { folder } = await makeStore();
    const options = { path: join(folder, "none.db"), durability: "normal", engine: "auto" } as const;
    expect(await faultOf(upgradeStore(options, NOW))).toBe("no-workspace");
    expect(existsSync(options.path)).toBe(false);
  });
});
