// Makes a record inside an operation: people's verbs and planning runs call it alike.

import { type Actor, isPerson } from "../../model/actor.js";
import { createItem, type Item } from "../../model/item/item.js";
import { needsApproval, type PlanRecord, RECORD_PREFIXES } from "../../model/item/record.js";
import { itemKey } from "../../model/item-key.js";
import type { Nr } from "../../model/node/node.js";
import type { Reader, Writer } from "../../store/store.js";

export async function activeRecords(reader: Reader, feature: Nr | null): Promise<Item<"record">[]> {
  const shared = await reader.items("record", { owner: "", state: "active" });
  if (feature === null) return shared;
  return [...shared, ...(await reader.items("record", { owner: String(feature), state: "active" }))];
}

export interface Maker {
  readonly by: Actor;
  readonly at: number;
}

/** `proposed`: an agent wrote it, although a person started the program that keeps it. */
export type NewRecord = Pick<PlanRecord, "kind" | "title"> &
  Partial<Omit<PlanRecord, "state" | "supersededBy" | "createdAt" | "createdBy" | "approvedBy" | "approvedAt">> & {
    readonly proposed?: boolean;
  };

/** `isApproved`: the maker approves it in the same operation. */
export function saveRecord(writer: Writer, record: NewRecord, { by, at }: Maker, isApproved = false) {
  // Text of an agent reaches other agents only after a person approved it.
  const isHeld = needsApproval(record.kind) || !isPerson(by) || record.proposed === true;
  return keepRecord(writer, {
    kind: record.kind,
    state: isHeld && !isApproved ? "proposed" : "active",
    title: record.title,
    body: record.body ?? "",
    ...(record.because === undefined ? {} : { because: record.because }),
    alternatives: record.alternatives ?? [],
    scope: record.scope ?? null,
    tasks: record.tasks ?? [],
    measure: record.measure ?? null,
    forbids: record.forbids ?? null,
    ...(record.baseline === undefined ? {} : { baseline: record.baseline }),
    supersededBy: null,
    run: record.run ?? null,
    createdAt: at,
    createdBy: by,
    approvedBy: isHeld && isApproved ? by : null,
    approvedAt: isHeld && isApproved ? at : null,
  });
}

export async function keepRecord(writer: Writer, fields: PlanRecord) {
  const prefix = RECORD_PREFIXES[fields.kind];
  const key = itemKey(prefix, await writer.number(prefix));
  return { key, fields, changes: [createItem("record", key, fields)] };
}
