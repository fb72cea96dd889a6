// Returns tasks to the queue whose lease has ended. Every `next` does this, so no daemon is needed.

import { type Change, changeNode } from "../../model/operation/change.js";
import { ok } from "../../model/result.js";
import { expirePatch } from "../../model/rules/claim.js";
import { act, type Context } from "../base/context.js";

/** The rest waits for the next look. */
export const EXPIRED_AT_ONCE = 100;

export async function expireLeases(context: Context): Promise<string[]> {
  const query = { expiredBy: context.now(), limit: EXPIRED_AT_ONCE };
  const waiting = await context.store.read((reader) => reader.claimed({ ...query, limit: 1 }));
  if (waiting.length === 0) return [];
  const committed = await act(context, "expire", async (writer, at) => {
    const expired = await writer.claimed(query);
    const changes: Change[] = expired.flatMap((node) =>
      changeNode(node, expirePatch(node, at, context.settings.maxRetries, context.actor)),
    );
    const ids = expired.map((node) => node.id);
    return ok({ sentence: `the lease ended on ${ids.join(", ")}`, changes, value: ids });
  });
  return committed.ok ? committed.value.value : [];
}
