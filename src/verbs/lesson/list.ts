import { isPerson } from "../../model/actor.js";
import { changeItem, createItem, type Item } from "../../model/item/item.js";
import { itemKey } from "../../model/item/item-key.js";
import { type Memory, rankMemories } from "../../model/item/memory.js";
import { step } from "../../model/next-step.js";
import { absent, ok, type Result } from "../../model/result.js";
import { keywordsOf } from "../../model/words.js";
import { act, type Context } from "../../plan/base/context.js";
import { findItems } from "../../plan/item/find-item.js";
import { isoTime } from "../../plan/node/view.js";
import { featureOf } from "../../plan/record/add-record.js";
import { nameOfNode } from "../../plan/record/record-view.js";
import type { Reader } from "../../store/store.js";
import { fields } from "../kit/schema.js";
import type { Style } from "../kit/style.js";
import { planVerb } from "../kit/verb.js";
import { head, type Line, rows } from "../text/item-lines.js";

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

export interface FoundMemory extends MemoryView {
  /** The greater, the more it is about what was asked. */
  readonly score: number;
}

/** More lessons than fit on a screen. */
const FOUND = 20;
const KEYWORDS = 12;

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

export interface Remembered {
  readonly op: number | null;
  /** False when the same lesson was kept already. */
  readonly isNew: boolean;
  readonly memory: MemoryView;
}

interface MemoryInput {
  readonly text: string;
  /** Taken from the text, unless given. */
  readonly keywords?: readonly string[];
  readonly in?: string;
}

export async function remember(context: Context, input: MemoryInput): Promise<Result<Remembered>> {
  const { text } = input;
  const committed = await act<Omit<Remembered, "op">>(context, "memory", async (writer, at) => {
    const scope = input.in === undefined ? ok(null) : await featureOf(writer, context, input.in);
    if (!scope.ok) return scope;
    const owner = scope.value === null ? "" : String(scope.value);
    const known = await listed(writer, owner);
    const twin = known.find(({ fields }) => fields.text === text);
    if (twin)
      return ok({ sentence: "", changes: [], value: { isNew: false, memory: await toMemoryView(writer, twin) } });
    const key = itemKey("MEM", await writer.number("MEM"));
    const keywords = input.keywords?.length ? input.keywords : keywordsOf(text, KEYWORDS);
    const fields: Memory = {
      state: isPerson(context.actor) ? "kept" : "proposed",
      text,
      keywords,
      scope: scope.value,
      source: isPerson(context.actor) ? "person" : "agent",
      createdAt: at,
      createdBy: context.actor,
    };
    const value = { isNew: true, memory: await toMemoryView(writer, { key, fields }) };
    const sentence = `${context.actor} noted ${key}: ${text}`;
    return ok({ sentence, changes: [createItem("memory", key, fields)], value });
  });
  return committed.ok ? ok({ op: committed.value.op, ...committed.value.value }) : committed;
}

export function memories(context: Context): Promise<Result<MemoryView[]>> {
  return context.store.read(async (reader) => {
    const views: MemoryView[] = [];
    for (const item of await listed(reader)) views.push(await toMemoryView(reader, item));
    return ok(views);
  });
}

/** Those that are kept, and then those that wait for a person. */
async function listed(reader: Reader, owner?: string): Promise<Item<"memory">[]> {
  const within = owner === undefined ? {} : { owner };
  const kept = await reader.items("memory", { ...within, state: "kept" });
  return [...kept, ...(await reader.items("memory", { ...within, state: "proposed" }))];
}

export interface ApprovedLessons {
  readonly op: number | null;
  readonly approved: readonly string[];
}

/** From now on they go into prompts and bundles. */
export async function approveLessons(
  context: Context,
  { ids }: { readonly ids: readonly string[] },
): Promise<Result<ApprovedLessons>> {
  const committed = await act(context, "memory", async (writer) => {
    const items = await findItems(writer, "memory", ids);
    if (!items.ok) return items;
    const gone = items.value.find(({ fields }) => fields.state === "forgotten");
    if (gone) return absent("forgotten", `${gone.key} was forgotten.`, { next: [step("lesson.list")] });
    const proposed = items.value.filter(({ fields }) => fields.state === "proposed");
    const changes = proposed.flatMap((item) => changeItem(item, { state: "kept", approvedBy: context.actor }));
    const keys = proposed.map(({ key }) => key);
    return ok({ sentence: `${context.actor} approved ${keys.join(", ")}`, changes, value: keys });
  });
  return committed.ok ? ok({ op: committed.value.op, approved: committed.value.value }) : committed;
}

/** The most relevant first. */
export function searchMemories(context: Context, { text }: { readonly text: string }): Promise<Result<FoundMemory[]>> {
  return context.store.read(async (reader) => {
    const hits = rankMemories({ text, scope: null }, await reader.items("memory", { state: "kept" }));
    const found: FoundMemory[] = [];
    for (const { key, memory, score } of hits.slice(0, FOUND)) {
      const view = await toMemoryView(reader, { key, fields: memory });
      found.push({ ...view, score: Math.round(score * 1000) / 1000 });
    }
    return ok(found);
  });
}

export interface Forgotten {
  readonly op: number | null;
  readonly forgotten: readonly string[];
}

export async function forgetLesson(
  context: Context,
  { ids }: { readonly ids: readonly string[] },
): Promise<Result<Forgotten>> {
  const committed = await act(context, "memory", async (writer) => {
    const items = await findItems(writer, "memory", ids);
    if (!items.ok) return items;
    const gone = items.value.find(({ fields }) => fields.state === "forgotten");
    if (gone) return absent("forgotten", `${gone.key} is forgotten already.`, { next: [step("lesson.list")] });
    const keys = items.value.map(({ key }) => key);
    const changes = items.value.flatMap((item) => changeItem(item, { state: "forgotten" }));
    return ok({ sentence: `${context.actor} forgot ${keys.join(", ")}`, changes, value: keys });
  });
  return committed.ok ? ok({ op: committed.value.op, forgotten: committed.value.value }) : committed;
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
