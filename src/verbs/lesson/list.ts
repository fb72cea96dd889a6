import type { Item } from "../../model/item/item.js";
import type { Memory } from "../../model/item/memory.js";
import { step } from "../../model/next-step.js";
import { absent, ok, type Result } from "../../model/result.js";
import type { Context } from "../../plan/base/context.js";
import { findItems } from "../../plan/item/find-item.js";
import { isoTime } from "../../plan/node/view.js";
import { nameOfNode } from "../../plan/record/record-view.js";
import type { Reader } from "../../store/store.js";
import { allOf, fields, key } from "../kit/schema.js";
import type { Style } from "../kit/style.js";
import { planVerb } from "../kit/verb.js";
import { head, type Line, rows } from "../text/item-lines.js";

/** Of verbs that take lessons by their keys. */
export const lessonsInput = fields({ ids: allOf(key("memory", "a lesson, such as MEM-001", "ID")) });

export const input = fields({});

export const verb = planVerb({
  name: "lesson.list",
  command: { words: "lesson list", group: "record", aliases: [{ words: "memory list" }] },
  summary: "List the lessons that are kept",
  who: "both",
  effect: "reads",
  lists: "memory",
  input,
  examples: [{ input: {}, does: "lists every lesson" }],
  run: memories,
  text: (found, style) =>
    found.length === 0 ? style.dim("No lessons.") : found.map((lesson) => renderMemory(lesson, style)).join("\n"),
  next: (found) => {
    const proposed = found.filter(({ state }) => state === "proposed").map(({ id }) => id);
    if (proposed.length > 0) return [step("lesson.approve", { ids: proposed })];
    return found.length === 0 ? [step("lesson.add", {}, "text")] : [];
  },
});

export interface MemoryView {
  readonly id: string;
  readonly text: string;
  readonly keywords: readonly string[];
  /** The feature that it is about; null means the workspace. */
  readonly for: string | null;
  readonly source: string;
  readonly state: Memory["state"];
  readonly createdAt: string;
  readonly createdBy: string;
}

export const toMemoryView = async (
  reader: Reader,
  { key, fields }: Pick<Item<"memory">, "key" | "fields">,
): Promise<MemoryView> => ({
  id: key,
  text: fields.text,
  keywords: fields.keywords,
  for: fields.scope === null ? null : await nameOfNode(reader, fields.scope),
  source: fields.source,
  state: fields.state,
  createdAt: isoTime(fields.createdAt),
  createdBy: fields.createdBy,
});

export function memories(context: Context): Promise<Result<MemoryView[]>> {
  return context.store.read(async (reader) => {
    const views: MemoryView[] = [];
    for (const item of await listed(reader)) views.push(await toMemoryView(reader, item));
    return ok(views);
  });
}

/** Those that are kept, and then those that wait for a person. */
export async function listed(reader: Reader, owner?: string): Promise<Item<"memory">[]> {
  const within = owner === undefined ? {} : { owner };
  const kept = await reader.items("memory", { ...within, state: "kept" });
  return [...kept, ...(await reader.items("memory", { ...within, state: "proposed" }))];
}

export function renderMemory(memory: MemoryView, style: Style): string {
  const lines: Line[] = [
    ["for", memory.for],
    ["keywords", memory.keywords.join(", ")],
    ["from", memory.source === "person" ? memory.createdBy : memory.source],
    ["state", memory.state === "kept" ? null : memory.state],
  ];
  return [head(memory.id, memory.text, style), ...rows(lines, style)].join("\n");
}

/** The lessons with these keys, unless one of them was forgotten. */
export async function findKept(reader: Reader, keys: readonly string[]): Promise<Result<Item<"memory">[]>> {
  const items = await findItems(reader, "memory", keys);
  const gone = items.ok && items.value.find(({ fields: { state } }) => state === "forgotten");
  return gone ? absent("forgotten", `${gone.key} was forgotten.`, { next: [step("lesson.list")] }) : items;
}
