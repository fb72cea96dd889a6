// One node with everything that is known of it: also labels, comments, records that name it, and open questions that block it.

import { isoTime } from "../../model/iso-time.js";
import { answerStep } from "../../model/item/question.js";
import type { Node } from "../../model/node/node.js";
import { ok, type ValueOf } from "../../model/result.js";
import { replanBudget } from "../../model/rules/give-up.js";
import type { Context } from "../../plan/base/context.js";
import { resolve } from "../../plan/base/resolve.js";
import { toView } from "../../plan/node/view.js";
import type { Reader } from "../../store/store.js";

export type ShownNode = ValueOf<ReturnType<typeof show>>;

/** `replans`: how often it was replanned, and how often it may be; null for a mission or a task. */
export function show(context: Context, reference: string) {
  return context.store.read(async (reader) => {
    const node = await resolve(reader, reference, context);
    if (!node.ok) return node;
    // Onto the view that was just made, because a copy of its forty fields takes longer than everything else here.
    const replans = replanBudget(node.value, context.settings.replans) ?? null;
    return ok(Object.assign(await toView(reader, node.value, true), await besideNode(reader, node.value), { replans }));
  });
}

async function besideNode(reader: Reader, node: Node) {
  const active = await reader.items("record", { state: "active" });
  const records = active
    .filter(({ fields }) => fields.tasks.includes(node.nr))
    .map(({ key, fields }) => ({ id: key, kind: fields.kind, title: fields.title }));
  return {
    labels: (await reader.item("labels", node.uuid))?.fields.labels ?? [],
    comments: await commentsOn(reader, node),
    records,
    questions: await openQuestions(reader, node),
  };
}

async function commentsOn(reader: Reader, { nr }: Node) {
  const comments = await reader.items("comment", { owner: String(nr), state: "kept" });
  return comments.map(({ key, fields: { text, createdBy, createdAt } }) => ({
    id: key,
    text,
    by: createdBy,
    at: isoTime(createdAt),
  }));
}

/** Those that block the node itself, or something that it is in. */
export async function openQuestions(reader: Reader, node: Node) {
  const open = await reader.items("question", { state: "open" });
  if (open.length === 0) return [];
  const ids = new Set([node.id, ...(await reader.ancestors(node.nr)).map(({ id }) => id)]);
  return open
    .filter(({ fields }) => fields.blocks.some((id) => ids.has(id)))
    .map(({ key, fields: { question, recommended } }) => ({
      id: key,
      question,
      recommended,
      answer: answerStep(key, recommended),
    }));
}
