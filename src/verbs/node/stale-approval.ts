import { type NextStep, step } from "../../model/next-step.js";
import type { Node, NodeFields } from "../../model/node/node.js";
import { isApproved } from "../../model/status/status.js";
import { hashOf } from "../../plan/node/approve.js";
import type { Reader } from "../../store/store.js";
import type { Style } from "../kit/style.js";
import type { View } from "../kit/view.js";
import { undoStep } from "../text/after-change.js";
import { harmless } from "../text/wording.js";
import type { Linked } from "./link.js";

/** It was approved as it is, and would not be any more with this change. */
export const goesStale = async (reader: Reader, node: Node, patch: Partial<NodeFields>): Promise<boolean> =>
  isApproved(node) && (await hashOf(reader, { ...node, ...patch })) !== node.approval?.hash;

const STALE = "The approval no longer fits the content. Approve it again before it runs:";

export const staleNote = (isStale: boolean): string => (isStale ? STALE : "");

export const approveAgain = (references: readonly string[]): NextStep[] =>
  references.length === 0 ? [] : [step("approve", { references })];

export function linkLines(linked: Linked, sign: "+" | "-", style: Style): string {
  if (linked.op === null) return style.dim(`${linked.id} is linked like that already; nothing was changed.`);
  const lines = [
    ...linked.on.map((id) => `depends on ${id}`),
    ...linked.files.map((file) => `touches ${file}`),
    ...linked.symbols.map((symbol) => `touches ${symbol}`),
  ];
  return [style.bold(linked.id), ...lines.map((line) => `  ${sign} ${harmless(line)}`)].join("\n");
}

export const afterLink: Pick<View<Linked>, "note" | "next"> = {
  note: ({ stale }) => staleNote(stale),
  next: ({ op, id, stale }) => [...approveAgain(stale ? [id] : []), ...undoStep(op)],
};
