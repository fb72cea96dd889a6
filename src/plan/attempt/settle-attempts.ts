// What a decision about a task does to its attempts.

import type { Attempt, AttemptState } from "../../model/attempt/attempt.js";
import { changeItem, type Item } from "../../model/item/item.js";
import type { Nr } from "../../model/node/node.js";
import type { Change } from "../../model/operation/change.js";
import type { Reader } from "../../store/store.js";

export const latestAttempt = async (reader: Reader, task: Nr): Promise<Item<"attempt"> | undefined> =>
  (await reader.items("attempt", { owner: String(task), newest: true, limit: 1 }))[0];

function settled(item: Item<"attempt">, state: AttemptState, note: string, at: number): Change[] {
  const fields: Partial<Attempt> = { state, note, steps: [...item.fields.steps, { state, at }] };
  return changeItem(item, fields);
}

/** A person accepts what the latest attempt left behind. `attempt`: the one whose work waits to be integrated. */
export async function takeUp(reader: Reader, task: Nr, at: number) {
  const latest = await latestAttempt(reader, task);
  if (!latest || latest.fields.kept === null) return { changes: [], attempt: null };
  const { state } = latest.fields;
  if (state === "pending") return { changes: [], attempt: latest.key };
  if (state !== "rejected" && state !== "failed") return { changes: [], attempt: null };
  const note = "accepted by a person; its work is not on the feature's branch yet";
  return { changes: settled(latest, "pending", note, at), attempt: latest.key };
}

/** The task is done again, so what was handed in before must not be integrated when it is done. */
export async function layAside(reader: Reader, task: Nr, at: number): Promise<Change[]> {
  const handedIn = await reader.items("attempt", { owner: String(task), state: "pending" });
  return handedIn.flatMap((item) => settled(item, "rejected", "the task was reset; its work is kept", at));
}

/** A person has looked at the failure and wants another try: what failed before makes no storm any more. */
export async function liftStorm(reader: Reader, task: Nr, at: number): Promise<Change[]> {
  const latest = await latestAttempt(reader, task);
  const failure = latest?.fields.failure;
  return latest && failure ? changeItem(latest, { failure: { ...failure, resetAt: at } }) : [];
}
