// What is known about a node beside its own row: labels, comments, records that name it, and open questions that block it.
// Most plans have none of it, so this only asks an index.

import { answerStep } from "../../model/item/escalation.js";
import type { Item } from "../../model/item/item.js";
import type { NextStep } from "../../model/next-step.js";
import type { Node } from "../../model/node/node.js";
import { isoTime } from "../../plan/node/view.js";
import type { Reader } from "../../store/store.js";

export interface Beside {
  readonly labels: readonly string[];
  readonly comments: readonly CommentView[];
  readonly records: readonly { readonly id: string; readonly kind: string; readonly title: string }[];
  readonly escalations: readonly OpenQuestion[];
}

export interface CommentView {
  readonly id: string;
  readonly text: string;
  readonly by: string;
  readonly at: string;
}

export interface OpenQuestion {
  readonly id: string;
  readonly question: string;
  readonly recommended: string | null;
  readonly answer: NextStep;
}

export async function besideNode(reader: Reader, node: Node): Promise<Beside> {
  const active: Item<"record">[] = await reader.items("record", { state: "active" });
  const records = active
    .filter(({ fields }) => fields.tasks.includes(node.nr))
    .map(({ key, fields }) => ({ id: key, kind: fields.kind, title: fields.title }));
  return {
    labels: (await reader.item("labels", node.uuid))?.fields.labels ?? [],
    comments: await commentsOn(reader, node),
    records,
    escalations: await openQuestions(reader, node),
  };
}

async function commentsOn(reader: Reader, { nr }: Node): Promise<CommentView[]> {
  const comments = await reader.items("comment", { owner: String(nr), state: "kept" });
  return comments.map(({ key, fields: { text, createdBy, createdAt } }) => ({
    id: key,
    text,
    by: createdBy,
    at: isoTime(createdAt),
  }));
}

/** Those that block the node itself, or something that it is in. */
export async function openQuestions(reader: Reader, node: Node): Promise<OpenQuestion[]> {
  const open = await reader.items("escalation", { state: "open" });
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
