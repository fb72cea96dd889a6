// Replaces the tokens of open claims by their hashes, as one operation of its own: the log before it stays as it was written.

import { changeItem, LIVE } from "../../model/item/item.js";
import { type Change, changeNode } from "../../model/operation/change.js";
import { ok } from "../../model/result.js";
import type { Database } from "../database.js";
import { sha256 } from "../sha256.js";
import type { Writer } from "../store.js";
import { commitInside } from "../write/commit.js";

/** Inside one transaction of the caller. */
export async function hashTokens(db: Database): Promise<void> {
  const last = await db.get("select max(at) as at from operation");
  const intent = { actor: "agent:upgrade", verb: "upgrade", at: Number(last?.["at"] ?? 0), commit: null };
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
