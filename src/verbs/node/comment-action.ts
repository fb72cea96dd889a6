// Adds a comment to a node, whatever became of the node.

import { createItem } from "../../model/item/item.js";
import { itemKey } from "../../model/item/item-key.js";
import { ok, type Result } from "../../model/result.js";
import { act, type Context } from "../../plan/context.js";
import { resolve } from "../../plan/resolve.js";

export interface CommentInput {
  readonly reference: string;
  readonly text: string;
}

export interface Commented {
  readonly op: number | null;
  /** The key of the comment. */
  readonly id: string;
  readonly node: string;
  readonly text: string;
}

export async function comment(context: Context, { reference, text }: CommentInput): Promise<Result<Commented>> {
  const committed = await act<Omit<Commented, "op">>(context, "comment", async (writer, at) => {
    const node = await resolve(writer, reference, context.actor);
    if (!node.ok) return node;
    const key = itemKey("COM", await writer.number("COM"), 5);
    const fields = { state: "kept", node: node.value.nr, text, createdAt: at, createdBy: context.actor } as const;
    const value = { id: key, node: node.value.id, text };
    const sentence = `${context.actor} commented on ${node.value.id}: ${text}`;
    return ok({ sentence, changes: [createItem("comment", key, fields)], value });
  });
  return committed.ok ? ok({ op: committed.value.op, ...committed.value.value }) : committed;
}
