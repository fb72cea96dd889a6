// A plan as programs with schema 7 left it: operations are signed with a secret, and the plan knows nobody.

import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { connect } from "../src/store/dialects/sqlite/driver.js";
import { openSqlite } from "../src/store/dialects/sqlite/sqlite.js";
import { readLog } from "../src/store/read/log-query.js";
import { type ChainEnd, NO_OPERATION } from "../src/store/rows/log-rows.js";
import { oldSignature } from "../src/store/signer.js";
import { App } from "../src/verbs/app.js";
import { must } from "./plan.js";
import { SECRET } from "./secret.js";

/** `tasks`: which secret approved each of them; null if the operation was not signed. Returns the folder. */
export async function makeOldPlan(folder: string, tasks: Readonly<Record<string, string | null>>): Promise<string> {
  mkdirSync(folder);
  const env = { PATH: process.env["PATH"] ?? "", USER: "ada", PLANWRIGHT_SECRET: SECRET };
  const app = new App({ folder, actor: "human:ada", env });
  must(await app.call("init", {}));
  const secretOf = new Map<number, string | null>();
  for (const [id, secret] of Object.entries(tasks)) {
    must(await app.call("add", { title: id, id, parent: "BUGS", checks: ["true"] }));
    const { op } = must(await app.call("approve", { references: [id], yes: true })) as { op: number };
    secretOf.set(op, secret);
  }
  await app.close();
  const path = join(folder, ".planwright/plan.db");
  makeOld(path);
  await signOld(path, secretOf);
  return folder;
}

/** Takes back what the eighth migration and programs after it wrote. */
function makeOld(path: string): void {
  const database = connect(path, "auto");
  database.exec(`
    alter table node drop column approved_seal;
    delete from item where entity = 'person';
    delete from change where entity = 'person';
    update change set after = json_remove(after, '$.approval.seal') where after like '%"seal":%';
    update meta set value = 7 where name in ('schema', 'breaking')`);
  database.close();
}

async function signOld(path: string, secretOf: ReadonlyMap<number, string | null>): Promise<void> {
  const db = await openSqlite({ path, durability: "normal", engine: "auto" });
  let end: ChainEnd = NO_OPERATION;
  for await (const { operation, hash } of readLog(db)) {
    const op = operation["op"] as number;
    const link = await hash(end);
    const secret = secretOf.get(op) ?? null;
    const signature = secret === null ? null : oldSignature(secret, link);
    await db.run("update operation set link = ?, signature = ? where op = ?", link, signature, op);
    end = { op, link, signature };
  }
  await db.close();
}
