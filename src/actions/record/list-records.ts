// The records of a plan: which there are, which hold, and which takes another's place.

import { changeItem, type Item, type ItemChange } from "../../graph/item/item.js";
import type { RecordKind } from "../../graph/item/record.js";
import { approveRecord, mayReplace, maySupersede, reword } from "../../graph/item/record-change.js";
import { parseWords } from "../../graph/node/content.js";
import { ok, type Result, usage } from "../../graph/result.js";
import type { Reader, Writer } from "../../store/store.js";
import { summary } from "../branch/branch.js";
import { act, type Context } from "../context.js";
import { findItem, findItems } from "../item/find-item.js";
import { requirePerson } from "../require-person.js";
import { featureOf } from "./add-record.js";
import { type RecordView, toRecordView } from "./record-view.js";
import { keepRecord } from "./save-record.js";

export interface RecordsInput {
  /** Only what holds for this feature, or for the feature around this node. */
  readonly for?: string;
  readonly kind?: RecordKind;
  /** Also those that no longer hold. */
  readonly all?: boolean;
}

export function records(context: Context, input: RecordsInput = {}): Promise<Result<RecordView[]>> {
  return context.store.read(async (reader) => {
    const scope = input.for === undefined ? ok(undefined) : await featureOf(reader, context, input.for);
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
  /** These held already. */
  readonly held: readonly string[];
}

export async function approveRecords(context: Context, ids: readonly string[]): Promise<Result<RecordsApproved>> {
  const may = requirePerson(context.actor, "approve a record");
  if (!may.ok) return may;
  const committed = await act<Omit<RecordsApproved, "op">>(context, "records", async (writer, at) => {
    const items = await findItems(writer, "record", ids);
    if (!items.ok) return items;
    const changes: ItemChange[] = [];
    const [approved, held]: [string[], string[]] = [[], []];
    for (const item of items.value) {
      const patch = approveRecord(item, context.actor, at);
      if (!patch.ok) return patch;
      (patch.value === null ? held : approved).push(item.key);
      if (patch.value !== null) changes.push(...changeItem(item, patch.value));
    }
    return ok({ sentence: `${context.actor} approved ${summary(approved)}`, changes, value: { approved, held } });
  });
  return committed.ok ? ok({ op: committed.value.op, ...committed.value.value }) : committed;
}

export interface SupersedeInput {
  readonly id: string;
  /** The record that takes its place, or the words of a new one. */
  readonly by?: string;
  readonly with?: string;
}

export interface Superseded {
  readonly op: number | null;
  readonly superseded: string;
  readonly by: RecordView;
}

export async function supersedeRecord(context: Context, input: SupersedeInput): Promise<Result<Superseded>> {
  if ((input.by === undefined) === (input.with === undefined)) {
    return usage("usage", "Say what takes its place: either a record or the words of a new one.", {
      hint: `\`planwright records supersede ${input.id} --by ID\` or \`--with TEXT\``,
    });
  }
  const committed = await act<Omit<Superseded, "op">>(context, "records", async (writer, at) => {
    const old = await findItem(writer, "record", input.id);
    if (!old.ok) return old;
    const may = maySupersede(old.value, context.actor);
    if (!may.ok) return may;
    const heir = await heirOf(writer, context, old.value, input, at);
    if (!heir.ok) return heir;
    const { key, changes: born } = heir.value;
    const changes = [...born, ...changeItem(old.value, { state: "superseded", supersededBy: key })];
    const value = { superseded: old.value.key, by: await toRecordView(writer, heir.value) };
    return ok({ sentence: `${context.actor} put ${key} in the place of ${old.value.key}`, changes, value });
  });
  return committed.ok ? ok({ op: committed.value.op, ...committed.value.value }) : committed;
}

async function heirOf(
  writer: Writer,
  { actor }: Context,
  old: Item<"record">,
  { by, with: words }: SupersedeInput,
  at: number,
): Promise<Result<Pick<Item<"record">, "key" | "fields"> & { changes: readonly ItemChange[] }>> {
  if (by === undefined) {
    const text = parseWords(words ?? "", "text");
    return text.ok ? ok(await keepRecord(writer, reword(old.fields, text.value, actor, at))) : text;
  }
  const found = await findItem(writer, "record", by);
  if (!found.ok) return found;
  const may = mayReplace(old, found.value);
  return may.ok ? ok({ ...found.value, changes: [] }) : may;
}
