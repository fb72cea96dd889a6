// What running attempts are doing at this moment: their state, what they have used, and the last thing that was said.

import { closeSync, fstatSync, readSync } from "node:fs";
import { openWithoutWaiting } from "../../base/plain-file.js";
import { LIVE } from "../../model/item/item.js";
import type { Context } from "../../plan/base/context.js";

export type SignOfLife = Awaited<ReturnType<typeof signsOfLife>>[number];

/** `at`: when something was last written about it. `line`: null if nothing was said yet. */
export async function signsOfLife({ store }: Pick<Context, "store">) {
  const live = await store.read((reader) => reader.items("attempt", { state: LIVE }));
  return live.map(({ key, fields, updatedAt }) => {
    const tail = fields.transcript === null ? undefined : readTail(fields.transcript, TAIL_BYTES);
    const { taskId, state, usage } = fields;
    const at = Math.max(updatedAt, tail?.at ?? 0);
    return { id: key, task: taskId, state, at, usage, line: tail ? lastLine(tail.text) : null };
  });
}

/** The end is enough to see the last entry. */
const TAIL_BYTES = 16_384;
const MAX_LINE_CHARACTERS = 200;

/** At most so many bytes from the end of a file, and when it was written. */
export function readTail(file: string, most: number): { readonly text: string; readonly at: number } | undefined {
  try {
    const descriptor = openWithoutWaiting(file);
    try {
      const { size, mtimeMs } = fstatSync(descriptor);
      const bytes = Buffer.alloc(Math.min(size, most));
      const read = readSync(descriptor, bytes, 0, bytes.length, Math.max(0, size - most));
      return { text: bytes.toString("utf8", 0, read), at: Math.floor(mtimeMs) };
    } finally {
      closeSync(descriptor);
    }
  } catch {
    return undefined;
  }
}

/** A transcript of an agent has one JSON entry for each event. That of a shell worker is its output. */
function lastLine(text: string): string | null {
  for (const line of text.split("\n").reverse()) {
    const said = sayingOf(line.trim());
    if (said !== "") return said.slice(0, MAX_LINE_CHARACTERS);
  }
  return null;
}

function sayingOf(line: string): string {
  if (!line.startsWith("{")) return line;
  try {
    const { type, text, name, detail } = JSON.parse(line) as Readonly<Record<string, unknown>>;
    if (type === "tool") return `${String(name)} ${String(detail)}`.replace(/\s+/g, " ").trim();
    if (type === "text" || type === "notice") return String(text).trim().split("\n").at(-1) ?? "";
    return "";
  } catch {
    return "";
  }
}
