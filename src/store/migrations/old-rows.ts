// Brings the rows of an older program up to date: tokens of claims, and the chain of the log.

import { changeItem, LIVE } from "../../model/item/item.js";
import { type Change, changeNode } from "../../model/operation/change.js";
import { ok } from "../../model/result.js";
import type { Database } from "../database.js";
import { readLog } from "../read/log-query.js";
import { type ChainEnd, NO_OPERATION } from "../rows/log-rows.js";
import { sha256 } from "../sha256.js";
import type { Writer } from "../store.js";
import { commitInside } from "../write/commit.js";

/** Inside one transaction of the caller. */
export async function hashTokens(db: Database): Promise<void> {
  const last = await db.get("select max(at) as at from operation");
  const intent = { actor: "agent:upgrade", verb: "upgrade", now: () => Number(last?.["at"] ?? 0), commit: null };
  const committed = await commitInside(db, intent, async (writer) =>
    ok({
      sentence: "replaced the tokens of claims by their hashes",
      changes: [...(await claims(writer)), ...(await attempts(writer))],
      value: undefined,
    }),
  );
  if (!committed.ok) throw new Error(committed.error.message);
}

async function claims(writer: Writer): Promise<Change[]> {
  const claimed = await writer.claimed({ limit: Number.MAX_SAFE_INTEGER });
  return claimed.flatMap((node) =>
    node.claim ? changeNode(node, { claim: { ...node.claim, token: sha256(node.claim.token) } }) : [],
  );
}

/** An attempt names the claim that it holds by the same value. */
async function attempts(writer: Writer): Promise<Change[]> {
  const live = await writer.items("attempt", { state: LIVE });
  return live.flatMap((item) => changeItem(item, { token: sha256(item.fields.token) }));
}

/** In `meta`: the first operation that was chained when it happened. */
export const CHAINED_FROM = "chained_from";

/** Inside one transaction of the caller. */
export async function chainLog(db: Database): Promise<void> {
  let end: ChainEnd = NO_OPERATION;
  for await (const { operation, hash } of readLog(db)) {
    const op = operation["op"] as number;
    const link = await hash(end);
    await db.run("update operation set link = ? where op = ?", link, op);
    end = { op, link, signature: null };
  }
  await db.run("insert into meta (name, value) values (?, ?)", CHAINED_FROM, end.op + 1);
}
