// Plans as older programs left them. Schema 7: operations are signed with a secret, and the plan knows nobody. Schema 9: each approval
// is signed by itself.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { type Person, personText } from "../src/model/item/person.js";
import { type Approval, approvalText } from "../src/model/node/node.js";
import { connect } from "../src/store/dialects/sqlite/driver.js";
import { openSqlite } from "../src/store/dialects/sqlite/sqlite.js";
import { readLog } from "../src/store/read/log-query.js";
import { type ChainEnd, NO_OPERATION } from "../src/store/rows/log-rows.js";
import { oldSignature, operationText, signerFrom } from "../src/store/signer.js";
import { App } from "../src/verbs/app.js";
import { must } from "./plan.js";
import { SECRET } from "./secret.js";

/** Takes back what schema 11 added. */
export const WITHOUT_LOOKUPS = `
  drop table node_text;
  drop table node_file;
  drop index node_sort;
  drop index node_container;
  drop index node_for_person;
  drop index node_unapproved;
  drop index node_dropped;
  drop index node_frame;`;

/** A plan of schema 7. `tasks`: which secret approved each of them; null if the operation was not signed. Returns the folder. */
export async function makeOldPlan(folder: string, tasks: Readonly<Record<string, string | null>>): Promise<string> {
  const { path, ops } = await approveTasks(folder, Object.keys(tasks));
  const secretOf = new Map(ops.map(([id, op]) => [op, tasks[id] ?? null]));
  change(
    path,
    `${WITHOUT_LOOKUPS}
    alter table operation drop column statement;
    alter table node drop column approved_seal;
    delete from item where entity = 'person';
    delete from change where entity = 'person';
    update change set after = json_remove(after, '$.approval.seal') where after like '%"seal":%';
    update meta set value = 7 where name in ('schema', 'breaking')`,
  );
  await linkAgain(path, (op, link) => {
    const secret = secretOf.get(op) ?? null;
    return secret === null ? null : oldSignature(secret, link);
  });
  return folder;
}

/** A plan of schema 9, in which these tasks are approved, and a colleague was added, removed and added again. Returns the folder. */
export async function makePlanOfSchema9(folder: string, tasks: readonly string[]): Promise<string> {
  const { path } = await approveTasks(folder, tasks);
  await addAndRemove(folder, signerFrom(COLLEAGUE).key);
  const signer = signerFrom(SECRET);
  const database = connect(path, "auto");
  const nodes = database.prepare(
    "select nr, uuid, approved_by as 'by', approved_at as at, approved_hash as hash from node where approved_seal is not null",
  );
  for (const { nr, uuid, ...approval } of nodes.all() as (Approval & { nr: number; uuid: string })[]) {
    const seal = signer.sign(approvalText(uuid, approval));
    database.prepare("update node set approved_seal = ? where nr = ?").run(seal, nr);
    database
      .prepare(
        "update change set after = json_set(after, '$.approval.seal', ?) where key = ? and after like '%\"seal\":%'",
      )
      .run(seal, String(nr));
  }
  const people = database.prepare("select key, fields from item where entity = 'person'").all();
  for (const { key, fields } of people as { key: string; fields: string }[]) {
    const seal = signer.sign(personText(JSON.parse(fields) as Person, null));
    database.prepare("update item set fields = json_set(fields, '$.seal', ?) where key = ?").run(seal, key);
    database
      .prepare("update change set after = json_set(after, '$.seal', ?) where key = ? and before is null")
      .run(seal, key);
  }
  const signed = new Set(
    database
      .prepare("select op from operation where signature is not null")
      .all()
      .map((row) => (row as { op: number }).op),
  );
  database.close();
  change(
    path,
    `${WITHOUT_LOOKUPS}
    alter table operation drop column statement;
    update item set fields = json_remove(fields, '$.lastChange') where entity = 'person';
    update change set before = json_remove(before, '$.lastChange'), after = json_remove(after, '$.lastChange') where entity = 'person';
    update meta set value = 9 where name in ('schema', 'breaking')`,
  );
  await linkAgain(path, (op, link) => (signed.has(op) ? signer.sign(operationText(link)) : null));
  return folder;
}

export const COLLEAGUE = "c011ea90e".padEnd(64, "0");

const ENV = { PATH: process.env["PATH"] ?? "", USER: "ada", PLANWRIGHT_SECRET: SECRET };

async function addAndRemove(folder: string, key: string): Promise<void> {
  const app = new App({ folder, actor: "human:ada", env: ENV });
  must(await app.call("people.add", { key, name: "eve" }));
  must(await app.call("people.remove", { key }));
  must(await app.call("people.add", { key }));
  await app.close();
}

async function approveTasks(folder: string, tasks: readonly string[]) {
  mkdirSync(folder);
  const app = new App({ folder, actor: "human:ada", env: ENV });
  must(await app.call("init", {}));
  const ops: [id: string, op: number][] = [];
  for (const id of tasks) {
    must(await app.call("add", { title: id, id, parent: "BUGS", checks: ["true"] }));
    const { op } = must(await app.call("approve", { references: [id], yes: true })) as { op: number };
    ops.push([id, op]);
  }
  await app.close();
  return { path: join(folder, ".planwright/plan.db"), ops };
}

/** Takes back what later programs wrote. */
function change(path: string, sql: string): void {
  const database = connect(path, "auto");
  database.exec(sql);
  database.close();
}

/** Computes every link of the log again, and signs them in another way. */
export async function linkAgain(path: string, sign: (op: number, link: string) => string | null): Promise<void> {
  const db = await openSqlite({ path, durability: "normal", engine: "auto" });
  let end: ChainEnd = NO_OPERATION;
  for await (const { operation, hash } of readLog(db)) {
    const op = operation["op"] as number;
    const link = await hash(end);
    const signature = sign(op, link);
    await db.run("update operation set link = ?, signature = ? where op = ?", link, signature, op);
    end = { op, link, signature };
  }
  await db.close();
}
