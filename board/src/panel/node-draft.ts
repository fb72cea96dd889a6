// What an edit changes. Only fields that you changed are sent, so that changes of others meanwhile stay. Pure.

import type { ShownNode } from "../api/types.js";

export type EditedNode = Pick<ShownNode, "title" | "body" | "checks">;

export interface NodeDraft {
  readonly title: string;
  readonly body: string;
  /** One command a line. */
  readonly checks: string;
}

export const draftOf = ({ title, body, checks }: EditedNode): NodeDraft => ({
  title,
  body,
  checks: checks.map(({ run }) => run).join("\n"),
});

const FIELDS = ["title", "body", "checks"] as const;

/** Fields in which the two differ. */
export const differing = (a: NodeDraft, b: NodeDraft): (keyof NodeDraft)[] =>
  FIELDS.filter((field) => a[field] !== b[field]);

/** Against the node as it was when you began. A check that stays keeps what it expects. */
export function changesOf(opened: EditedNode, draft: NodeDraft): Record<string, unknown> {
  const changed = new Set(differing(draftOf(opened), draft));
  const commands = draft.checks.split("\n").map((run) => run.trim());
  const checks = commands
    .filter((run) => run !== "")
    .map((run) => opened.checks.find((check) => check.run === run) ?? { run });
  return {
    ...(changed.has("title") && { title: draft.title }),
    ...(changed.has("body") && { body: draft.body }),
    ...(changed.has("checks") && { checks }),
  };
}
