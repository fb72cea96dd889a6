import { isPerson } from "../../model/actor.js";
import { createItem } from "../../model/item/item.js";
import { itemKey } from "../../model/item-key.js";
import type { Discovery, Node } from "../../model/node/node.js";
import { changeNode } from "../../model/operation/change.js";
import { absent, ok, type Result, refused } from "../../model/result.js";
import { discoveryText, lessonKey, lessonKeywords } from "../../model/rules/harvest.js";
import { actWithNumber, type Context } from "../../plan/base/context.js";
import { focusKey } from "../../plan/base/focus.js";
import type { Reader, Writer } from "../../store/store.js";
import { fields, filled, type Infer, node, optional, planVerb, resolve, spoken, step, undoStep } from "../kit/verb.js";
import { harmless } from "../kit/wording.js";

export const input = fields({
  note: filled("what was found out", "NOTE"),
  from: optional(node("the task where it was found")),
  to: optional(node("a node that contains the task")),
});

export const verb = planVerb({
  command: { words: "promote", group: "decide", positional: ["note"], flags: { from: "in" } },
  summary: "Add a discovery to a node above your task",
  description:
    "The discovery comes from the task in focus unless you name another. It is added two levels above the task unless you name a node. What an agent found out is for planning, and a proposed lesson: it reaches no worker until you approve the lesson.",
  effect: "writes",
  phrases: spoken(
    "promote, surface, bubble up, bubble … up, elevate, discovery, insight up, note for the feature, note for the story",
  ),
  tools: [{ tool: "edit", action: "promote", fields: ["note", "from", "to"] }],
  input,
  examples: [
    { input: { note: "the token expires after 5 minutes" }, does: "adds the discovery to the feature of your task" },
  ],
  run: promote,
  text: ({ note, from, to }, style) => `${style.green("↑")} ${style.bold(to)}  from ${from}: ${harmless(note)}`,
  next: ({ to, lesson, op }) => [
    ...(lesson === null ? [] : [step("lesson.approve", { ids: [lesson] })]),
    step("show", { reference: to }),
    ...undoStep(op),
  ],
});

export function promote(context: Context, wish: Infer<typeof input>) {
  const { actor } = context;
  const { note } = wish;
  return actWithNumber(context, "promote", async (writer, at) => {
    const source = await (wish.from === undefined ? focusedTask(writer, context) : resolve(writer, wish.from, context));
    if (!source.ok) return source;
    const asked = wish.to === undefined ? undefined : await resolve(writer, wish.to, context);
    if (asked && !asked.ok) return asked;
    const { id, nr } = source.value;
    const target = discoveryTarget(source.value, await writer.ancestors(nr), asked?.value);
    if (!target.ok) return target;
    const discovery: Discovery = { note, from: nr, by: actor, at };
    const changes = changeNode(target.value, { discoveries: [discovery, ...target.value.discoveries] });
    const lesson = isPerson(actor) ? null : await proposeLesson(writer, source.value, { note, by: actor, at });
    const value = { note, from: id, to: target.value.id, lesson: lesson?.key ?? null };
    const sentence = `${actor} promoted a discovery from ${id} to ${value.to}: ${note}`;
    return ok({ sentence, changes: [...changes, ...(lesson ? [lesson] : [])], value });
  });
}

/** Nobody but planners reads an agent's discovery until a person approves it, so it waits for one. */
async function proposeLesson(writer: Writer, source: Node, { note, by, at }: Omit<Discovery, "from">) {
  const feature = source.feature === null ? undefined : await writer.node(source.feature);
  const told = { text: discoveryText(note, source), scope: source.feature, source: source.id };
  const known = (await writer.items("lesson", {})).some(({ fields }) => lessonKey(fields) === lessonKey(told));
  if (known) return null;
  const fields = { ...told, keywords: lessonKeywords(source, feature), createdAt: at, createdBy: by };
  return createItem("lesson", itemKey("MEM", await writer.number("MEM")), { ...fields, state: "proposed" });
}

async function focusedTask(reader: Reader, context: Context): Promise<Result<Node>> {
  const nr = await reader.focus(focusKey(context));
  const node = nr === null ? undefined : await reader.node(nr);
  if (node?.tier === "task") return ok(node);
  const message = "No task is in focus. Say which task the discovery comes from.";
  return absent("no-focus", message, { next: [step("promote", {}, "note", "from"), step("focus", {}, "reference")] });
}

/** `above` is everything that contains the source, nearest first. */
export function discoveryTarget(source: Node, above: readonly Node[], asked: Node | undefined): Result<Node> {
  const names = above.map((node) => node.id);
  const where = names.length > 0 ? ` It can go to ${names.join(", ")}.` : "";
  const next = [step("status")];
  if (asked === undefined) {
    const [, grandparent] = above;
    if (grandparent) return ok(grandparent);
    return refused("no-grandparent", `There is nothing two steps above ${source.id}.${where}`, {
      next,
      details: { ancestors: names },
    });
  }
  if (above.some((node) => node.nr === asked.nr)) return ok(asked);
  const message = `${asked.id} does not contain ${source.id}, and a discovery only goes up.${where}`;
  return refused("not-an-ancestor", message, { next, details: { ancestors: names } });
}
