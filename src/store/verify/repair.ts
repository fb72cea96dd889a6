// Builds all rows again from the log, in one transaction, when something other than this program changed them.

import { placeOf } from "../../model/item/item.js";
import type { Nr } from "../../model/node/node.js";
import { ok, type Result, refused } from "../../model/result.js";
import type { Database } from "../database.js";
import { insertRow } from "../rows/values.js";
import type { Intent, Repaired } from "../store.js";
import type { VerifyOptions } from "../verification.js";
import { commitInside } from "../write/commit.js";
import { buildLookups } from "../write/lookups.js";
import { newRow } from "../write/writable-rows.js";
import { Differences, type ReplayedPlan, replay } from "./replay.js";
import { expectation, verifyStore } from "./verify.js";

export const repairStore = (db: Database, intent: Intent, options: VerifyOptions): Promise<Result<Repaired>> =>
  db.write(async () => {
    const value = await repair(db, intent, options);
    return { keep: value.ok && value.value.op !== null, value };
  });

async function repair(db: Database, intent: Intent, options: VerifyOptions): Promise<Result<Repaired>> {
  const found = await verifyStore(db, options);
  const { broken, signatures } = found.log;
  const bad = broken?.op ?? signatures.wrong[0];
  if (bad !== undefined) {
    const problem = broken?.problem ?? "its signature is false";
    const message = `The rows cannot be built again from a log that was changed itself, at operation ${bad}: ${problem}. Nothing was changed. Restore a backup from before that.`;
    return refused("log-changed", message, { details: { ...found.log } });
  }
  if (found.differences.length === 0) return ok({ repaired: [], op: null });
  await rebuild(db, await replay(db, new Differences()));
  const sentence = `built the rows again from the log of ${found.operations} operations`;
  const logged = await commitInside(db, { ...intent, always: true }, async () =>
    ok({ sentence, changes: [], value: undefined }),
  );
  return logged.ok ? ok({ repaired: found.differences, op: logged.value.op }) : logged;
}

export async function rebuild(db: Database, { nodes, focus, items }: ReplayedPlan): Promise<void> {
  for (const table of ["edge", "focus", "item", "node"]) await db.run(`delete from ${table}`);
  const expect = expectation(nodes);
  const edges: [Nr, Nr][] = [];
  for (const [nr, said] of nodes) {
    const node = expect(nr, said);
    await insertRow(db, "node", newRow({ node, patch: { ...said.fields } }));
    for (const { on } of node.dependsOn) edges.push([nr, on]);
  }
  for (const [node, target] of edges) await insertRow(db, "edge", { node, target });
  for (const [actor, node] of focus) await insertRow(db, "focus", { actor, node });
  for (const { entity, key, fields, op, revision, at } of items.values()) {
    const { owner, state } = placeOf(entity, fields as never);
    const row = { entity, key, owner, state, fields: JSON.stringify(fields), created_op: op, revision };
    await insertRow(db, "item", { ...row, updated_at: at });
  }
  await buildLookups(db);
  await raiseCounter(db, Math.max(0, ...nodes.keys()));
}

/** The next row must not take the number of one that was missing. */
const raiseCounter = (db: Database, least: number): void | Promise<void> =>
  db.run("update counter set value = ? where name = 'row' and value < ?", least, least);
