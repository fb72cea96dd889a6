// Makes a record inside an operation: people's verbs and planning runs call it alike.

import { type Actor, isPerson } from "../../model/actor.js";
import { createItem, type Item, type ItemChange } from "../../model/item/item.js";
import { itemKey } from "../../model/item/item-key.js";
import { needsApproval, type PlanRecord, RECORD_PREFIXES } from "../../model/item/record.js";
import type { Nr } from "../../model/node/node.js";
import type { Reader, Writer } from "../../store/store.js";

export async function activeRecords(reader: Reader, feature: Nr | null): Promise<Item<"record">[]> {
  const shared = await reader.items("record", { owner: "", state: "active" });
  if (feature === null) return shared;
  return [...shared, ...(await reader.items("record", { owner: String(feature), state: "active" }))];
}

/** Who makes it, and when. */
export interface Maker {
  readonly by: Actor;
  readonly at: number;
}

export interface NewRecord extends Pick<PlanRecord, "kind" | "title"> {
  readonly body?: string;
  readonly because?: string;
  readonly alternatives?: readonly string[];
  /** A feature; left out, it is for the workspace. */
  readonly scope?: Nr | null;
  readonly tasks?: readonly Nr[];
  readonly measure?: PlanRecord["measure"];
  readonly forbids?: PlanRecord["forbids"];
  readonly baseline?: PlanRecord["baseline"];
  readonly run?: string | null;
  /** An agent wrote it, although a person started the program that keeps it. */
  readonly proposed?: boolean;
}

export interface SavedRecord {
  readonly key: string;
  readonly fields: PlanRecord;
  readonly changes: readonly ItemChange[];
}

/** `isApproved`: the maker approves it in the same operation. */
export function saveRecord(
  writer: Writer,
  record: NewRecord,
  { by, at }: Maker,
  isApproved = false,
): Promise<SavedRecord> {
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

export async function keepRecord(writer: Writer, fields: PlanRecord): Promise<SavedRecord> {
  const prefix = RECORD_PREFIXES[fields.kind];
  const key = itemKey(prefix, await writer.number(prefix));
  return { key, fields, changes: [createItem("record", key, fields)] };
}
