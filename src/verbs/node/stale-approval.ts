// What a change of content does to an approval that it had.

import { type NextStep, step } from "../../model/next-step.js";
import type { Node, NodeFields } from "../../model/node/node.js";
import { isApproved } from "../../model/status/status.js";
import { hashOf } from "../../plan/node/approve.js";
import type { Reader } from "../../store/store.js";

/** It was approved as it is, and would not be any more with this change. */
export const goesStale = async (reader: Reader, node: Node, patch: Partial<NodeFields>): Promise<boolean> =>
  isApproved(node) && (await hashOf(reader, { ...node, ...patch })) !== node.approval?.hash;

export const staleNote = (isStale: boolean): string =>
  isStale ? "The approval no longer fits the content. Approve it again before it runs:" : "";

export const approveAgain = (references: readonly string[]): NextStep[] =>
  references.length === 0 ? [] : [step("approve", { references })];
