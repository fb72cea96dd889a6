import { isoTime } from "../../model/iso-time.js";
import { actWithNumber, type Context } from "../../plan/base/context.js";
import { findItems } from "../../plan/item/find-item.js";
import { nameOfNode } from "../../plan/record/record-view.js";
import type { Decision, Reader } from "../../store/store.js";
import { absent, allOf, fields, type Item, key, ok, planVerb, type Result, type Style, step } from "../kit/verb.js";
import { head, type Line, linesOr, rows } from "../kit/wording.js";

export const lessonsInput = fields({ ids: allOf(key("lesson", "a lesson, such as MEM-001", "ID")) });

export const verb = planVerb({
  command: { words: "lesson", group: "record", aliases: ["lesson list", "memory list", "memory"] },
  summary: "List the lessons that are kept",
  effect: "reads",
  lists: "lesson",
  examples: [{ input: {}, does: "lists every lesson" }],
  run: listLessons,
  text: linesOr("No lessons.", renderLesson),
  next: (found) => {
    const proposed = found.filter(({ state }) => state === "proposed").map(({ id }) => id);
    if (proposed.length > 0) return [step("lesson.approve", { ids: proposed })];
    return found.length === 0 ? [step("lesson.add", {}, "text")] : [];
  },
});

export type LessonView = Awaited<ReturnType<typeof toLessonView>>;

export const toLessonView = async (reader: Reader, { key, fields }: Pick<Item<"lesson">, "key" | "fields">) => ({
  id: key,
  text: fields.text,
  keywords: fields.keywords,
  /** The feature that it is about; null means the workspace. */
  for: fields.scope === null ? null : await nameOfNode(reader, fields.scope),
  source: fields.source,
  state: fields.state,
  createdAt: isoTime(fields.createdAt),
  createdBy: fields.createdBy,
  approvedBy: fields.approvedBy ?? null,
});

export function listLessons(context: Context): Promise<Result<LessonView[]>> {
  return context.store.read(async (reader) => {
    const items = await listed(reader);
    return ok(await Promise.all(items.map((item) => toLessonView(reader, item))));
  });
}

/** Those that are kept, and then those that wait for a person. */
export async function listed(reader: Reader, owner?: string): Promise<Item<"lesson">[]> {
  const within = owner === undefined ? {} : { owner };
  const kept = await reader.items("lesson", { ...within, state: "kept" });
  return [...kept, ...(await reader.items("lesson", { ...within, state: "proposed" }))];
}

export function renderLesson(lesson: LessonView, style: Style): string {
  const lines: Line[] = [
    ["for", lesson.for],
    ["keywords", lesson.keywords.join(", ")],
    ["from", lesson.source === "person" ? null : lesson.source],
    ["written by", lesson.createdBy],
    ["approved by", lesson.approvedBy],
    ["state", lesson.state === "kept" ? null : lesson.state],
  ];
  return [head(lesson.id, lesson.text, style), ...rows(lines, style)].join("\n");
}

/** One operation about the lessons with these keys, unless one of them was forgotten. */
export function changeLessons<T extends object>(
  context: Context,
  ids: readonly string[],
  decide: (items: readonly Item<"lesson">[]) => Decision<T>,
) {
  return actWithNumber<T>(context, "lesson", async (writer) => {
    const items = await findItems(writer, "lesson", ids);
    if (!items.ok) return items;
    const gone = items.value.find(({ fields: { state } }) => state === "forgotten");
    return gone
      ? absent("forgotten", `${gone.key} was forgotten.`, { next: [step("lesson.list")] })
      : ok(decide(items.value));
  });
}
