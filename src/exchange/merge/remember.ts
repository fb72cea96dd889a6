// What a source said is kept in the plan, for the next import.

import { changeItem, createItem, type Item } from "../../model/item/item.js";
import type { KnownItem } from "../../model/item/source.js";
import { uuidOf } from "../source/identity.js";
import type { ImportEntry, ImportRun } from "./run.js";
import { type SourceContent, sourceBase } from "./three-way.js";

export type KnownItems = ReadonlyMap<string, KnownItem>;

export interface Remembered {
  readonly item: Item<"source"> | undefined;
  readonly known: KnownItems;
}

/** What the last import of this tool kept. */
export async function recall({ writer, importing: { tool } }: ImportRun): Promise<Remembered> {
  const item = await writer.item("source", tool);
  const text = item && (await writer.document(item.fields.known));
  const list = text === undefined ? [] : (JSON.parse(text) as KnownItem[]);
  return { item, known: new Map(list.map((each) => [each.key, each])) };
}

export function rememberItem(run: ImportRun, { placed }: ImportEntry, content: SourceContent): void {
  const { item } = placed;
  const edges = (run.edges.get(item.key) ?? []).map(({ on }) => on);
  const base = sourceBase(placed, content, edges);
  run.remembered.set(item.key, { uuid: uuidOf(item), key: item.key, file: item.at.file, base });
}

/** One text for all of them; nothing if it is the one that is kept. */
export async function keepRemembered(run: ImportRun, { item, known }: Remembered): Promise<void> {
  if (run.remembered.size === 0) return;
  const { tool } = run.importing;
  const all = new Map([...known, ...run.remembered]);
  const fields = { state: tool, known: await run.writer.keep(JSON.stringify([...all.values()])) };
  run.changes.push(...(item ? changeItem(item, fields) : [createItem("source", tool, fields)]));
}
