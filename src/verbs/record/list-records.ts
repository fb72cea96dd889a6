// The records of a plan: lists them, puts them in force, and replaces one by another.

import type { Contradiction } from "../../model/item/contradictions.js";
import { changeItem, type Item, type ItemChange } from "../../model/item/item.js";
import type { KeyedRecord, RecordKind } from "../../model/item/record.js";
import { approveRecord, mayReplace, maySupersede, reword } from "../../model/item/record.js";
import { ok, type Result } from "../../model/result.js";
import {
  type ApprovalPreview,
  type PreviewSettings,
  previewOf,
  requireAsSeen,
  type SeenPreview,
} from "../../plan/branch/approval-preview.js";
import { summary } from "../../plan/branch/branch.js";
import { act, type Context } from "../../plan/context.js";
import { findItem, findItems } from "../../plan/item/find-item.js";
import { featureOf } from "../../plan/record/add-record.js";
import { type RecordView, toRecordView } from "../../plan/record/record-view.js";
import { keepRecord } from "../../plan/record/save-record.js";
import type { Reader, Writer } from "../../store/store.js";
import { contradictingTasks } from "./contradicting-tasks.js";

export interface RecordsInput {
  /** Only what is for this feature, or for the feature around this node. */
  readonly in?: string;
  readonly kind?: RecordKind;
  /** Also those that another record replaced. */
  readonly all?: boolean;
}

export function listRecords(context: Context, input: RecordsInput = {}): Promise<Result<RecordView[]>> {
  return context.store.read(async (reader) => {
    const scope = input.in === undefined ? ok(undefined) : await featureOf(reader, context, input.in);
    if (!scope.ok) return scope;
    const views: RecordView[] = [];
    for (const item of await listed(reader, scope.value)) {
      const { kind, state } = item.fields;
      if ((input.kind ?? kind) !== kind || (state === "superseded" && !input.all)) continue;
      views.push(await toRecordView(reader, item));
    }
    return ok(views);
  });
}

async function listed(reader: Reader, feature: number | undefined): Promise<Item<"record">[]> {
  if (feature === undefined) return reader.items("record", {});
  return [
    ...(await reader.items("record", { owner: "" })),
    ...(await reader.items("record", { owner: String(feature) })),
  ];
}

export interface RecordsApproved {
  readonly op: number | null;
  readonly approved: readonly string[];
  /** These were in force already. */
  readonly held: readonly string[];
  /** Approved work that contradicts what is in force now. */
  readonly contradictions: readonly Contradiction[];
}

interface RecordsDraft {
  readonly changes: readonly ItemChange[];
  readonly value: Omit<RecordsApproved, "op">;
}

async function draftApproval(
  reader: Reader,
  { actor }: Context,
  ids: readonly string[],
  at: number,
): Promise<Result<RecordsDraft>> {
  const items = await findItems(reader, "record", ids);
  if (!items.ok) return items;
  const changes: ItemChange[] = [];
  const [approved, held]: [string[], string[]] = [[], []];
  const records: KeyedRecord[] = [];
  for (const item of items.value) {
    const patch = approveRecord(item, actor, at);
    if (!patch.ok) return patch;
    (patch.value === null ? held : approved).push(item.key);
    if (patch.value === null) continue;
    changes.push(...changeItem(item, patch.value));
    records.push({ key: item.key, fields: { ...item.fields, ...patch.value } });
  }
  return ok({ changes, value: { approved, held, contradictions: await contradictingTasks(reader, records) } });
}

interface RecordIds {
  readonly ids: readonly string[];
}

/** Every word that would come into force, and the commands that measure it. */
export function previewRecords(
  context: Context,
  { ids }: RecordIds,
  settings: PreviewSettings,
): Promise<Result<ApprovalPreview>> {
  return context.store.read(async (reader) => {
    const drafted = await draftApproval(reader, context, ids, context.now());
    return drafted.ok ? ok(await previewOf(reader, drafted.value.changes, settings)) : drafted;
  });
}

export async function approveRecords(
  context: Context,
  { ids }: RecordIds,
  seen?: SeenPreview,
): Promise<Result<RecordsApproved>> {
  const committed = await act<Omit<RecordsApproved, "op">>(context, "records", async (writer, at) => {
    const drafted = await draftApproval(writer, context, ids, at);
    if (!drafted.ok) return drafted;
    const { changes, value } = drafted.value;
    const asSeen = await requireAsSeen(writer, changes, seen);
    if (!asSeen.ok) return asSeen;
    return ok({ sentence: `${context.actor} approved ${summary(value.approved)}`, changes, value });
  });
  return committed.ok ? ok({ op: committed.value.op, ...committed.value.value }) : committed;
}

export interface SupersedeInput {
  readonly id: string;
  /** Exactly one of these: the record that replaces it, or the words of a new one. */
  readonly by?: string;
  readonly with?: string;
}

export interface Superseded {
  readonly op: number | null;
  readonly superseded: string;
  readonly by: RecordView;
}

export async function supersedeRecord(context: Context, input: SupersedeInput): Promise<Result<Superseded>> {
  const committed = await act<Omit<Superseded, "op">>(context, "records", async (writer, at) => {
    const old = await findItem(writer, "record", input.id);
    if (!old.ok) return old;
    const may = maySupersede(old.value, context.actor);
    if (!may.ok) return may;
    const successor = await successorOf(writer, context, old.value, input, at);
    if (!successor.ok) return successor;
    const { key, changes: created } = successor.value;
    const changes = [...created, ...changeItem(old.value, { state: "superseded", supersededBy: key })];
    const value = { superseded: old.value.key, by: await toRecordView(writer, successor.value) };
    return ok({ sentence: `${context.actor} replaced ${old.value.key} by ${key}`, changes, value });
  });
  return committed.ok ? ok({ op: committed.value.op, ...committed.value.value }) : committed;
}

async function successorOf(
  writer: Writer,
  { actor }: Context,
  old: Item<"record">,
  { by, with: words }: SupersedeInput,
  at: number,
): Promise<Result<Pick<Item<"record">, "key" | "fields"> & { changes: readonly ItemChange[] }>> {
  if (by === undefined) return ok(await keepRecord(writer, reword(old.fields, words ?? "", actor, at)));
  const found = await findItem(writer, "record", by);
  if (!found.ok) return found;
  const may = mayReplace(old, found.value);
  return may.ok ? ok({ ...found.value, changes: [] }) : may;
}
