// What the store keeps of this clone and of others: how far each is known, and its operations as texts, each of which names the one before.

import type { KnownClone } from "../../model/item/clone.js";
import { changeItem, createItem, type Item, type ItemChange } from "../../model/item/item.js";
import type { Reader, Writer } from "../../store/store.js";
import { textLines } from "./wire.js";

export type CloneItem = Item<"clone">;

export const NEW_CLONE: Omit<KnownClone, "state" | "name"> = {
  seq: 0,
  time: 0,
  seen: {},
  digest: "",
  latest: "",
  sealed: null,
};

export interface Clones {
  readonly own: CloneItem | undefined;
  readonly others: readonly CloneItem[];
}

export async function readClones(reader: Reader): Promise<Clones> {
  const all = await reader.items("clone", {});
  return {
    own: all.find(({ fields }) => fields.state === "own"),
    others: all.filter(({ fields }) => fields.state === "other"),
  };
}

/** The texts that were kept, the oldest first. */
export async function keptTexts(reader: Reader, latest: string): Promise<readonly string[]> {
  const texts: string[] = [];
  for (let hash = latest; hash !== ""; ) {
    const text = await reader.document(hash);
    if (text === undefined) throw new Error(`The text ${hash} of a clone is missing in the plan's file.`);
    const end = text.indexOf("\n");
    texts.unshift(text.slice(end + 1));
    hash = text.slice(0, end);
  }
  return texts;
}

export const keptLines = async (reader: Reader, { fields }: CloneItem): Promise<readonly string[]> =>
  (await keptTexts(reader, fields.latest)).flatMap(textLines);

/** No document gets much longer than this. */
const SEGMENT_LIMIT = 1_000_000;

/** Keeps these lines after those that are known already. */
export async function keepLines(writer: Writer, latest: string, lines: readonly string[]): Promise<string> {
  let hash = latest;
  for (const segment of segmentsOf(lines)) hash = await writer.keep(`${hash}\n${segment}`);
  return hash;
}

export function segmentsOf(lines: readonly string[]): readonly string[] {
  const segments: string[] = [];
  let size = Number.POSITIVE_INFINITY;
  for (const line of lines) {
    if (size + line.length > SEGMENT_LIMIT) {
      segments.push("");
      size = 0;
    }
    segments[segments.length - 1] += `${line}\n`;
    size += line.length + 1;
  }
  return segments;
}

export const noteClone = (id: string, known: CloneItem | undefined, fields: KnownClone): ItemChange[] =>
  known ? changeItem(known, fields) : [createItem("clone", id, fields)];
