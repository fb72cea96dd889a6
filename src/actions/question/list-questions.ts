// The questions that wait for a person, and those that did.

import { type Escalation, isExpired } from "../../graph/item/escalation.js";
import { ok, type Result } from "../../graph/result.js";
import type { Context } from "../context.js";
import { isoTime } from "../view.js";

export interface EscalationView
  extends Pick<Escalation, "kind" | "state" | "question" | "context" | "options" | "recommended" | "blocks" | "owner"> {
  readonly id: string;
  readonly expiresAt: string | null;
  /** Nobody answered in time. */
  readonly expired: boolean;
  readonly answer: {
    readonly option: string;
    readonly note: string;
    readonly by: string;
    readonly at: string;
  } | null;
  readonly createdAt: string;
  readonly createdBy: string;
}

export function toEscalationView({ key, fields }: { key: string; fields: Escalation }, now: number): EscalationView {
  const { answer } = fields;
  return {
    id: key,
    kind: fields.kind,
    state: fields.state,
    question: fields.question,
    context: fields.context,
    options: fields.options,
    recommended: fields.recommended,
    expiresAt: fields.expiresAt === null ? null : isoTime(fields.expiresAt),
    expired: fields.state === "open" && isExpired(fields, now),
    blocks: fields.blocks,
    owner: fields.owner,
    answer: answer && { option: answer.option, note: answer.note, by: answer.by, at: isoTime(answer.at) },
    createdAt: isoTime(fields.createdAt),
    createdBy: fields.createdBy,
  };
}

/** The oldest first: it has waited longest. */
export function listQuestions(context: Context, { all = false } = {}): Promise<Result<EscalationView[]>> {
  const now = context.now();
  return context.store.read(async (reader) => {
    const items = await reader.items("escalation", all ? {} : { state: "open" });
    return ok(items.map((item) => toEscalationView(item, now)));
  });
}
