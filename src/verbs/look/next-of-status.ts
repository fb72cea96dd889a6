// What to do next, given the plan as `status` shows it.

import { type NextStep, step } from "../../model/next-step.js";
import type { StatusTree, StatusView } from "./read-status.js";

/** Null when everything is finished. */
export function nextOfStatus({ tree, counts }: Pick<StatusView, "tree" | "counts">): NextStep | null {
  const whyFirst = (wanted: (node: StatusTree) => boolean): NextStep => {
    const found = findLeaf(tree, wanted);
    return found ? step("why", { reference: found.id }) : step("why", {}, "reference");
  };
  if (counts.ready > 0) return step("next");
  if (counts.rejected > 0) return whyFirst(({ status }) => status === "rejected");
  if (counts.waitingForPerson > 0) return whyFirst(({ reason }) => reason === "human");
  if (counts.planned > 0) return toApprove(tree);
  if (counts.inProgress > 0) return step("claim.list");
  if (counts.blocked + counts.frozen > 0) return whyFirst(({ status }) => status === "blocked" || status === "frozen");
  return counts.finished > 0 ? null : step("add", {}, "title");
}

function toApprove(tree: readonly StatusTree[]): NextStep {
  const unapproved = findUnapproved(tree);
  if (unapproved) return step("approve", { references: [unapproved.id] });
  const kept = findLeaf(tree, (node) => node.reason === "inbox" && node.tier === "task");
  return kept ? step("approve", { references: [kept.id] }, "to") : step("status", { all: true });
}

/** Parents before children, without recursion: how deep a tree goes is not ours to decide. */
function* nodesOf(tree: readonly StatusTree[]): Iterable<StatusTree> {
  const stack = tree.toReversed();
  for (let node = stack.pop(); node; node = stack.pop()) {
    yield node;
    for (const child of node.children.toReversed()) stack.push(child);
  }
}

function findLeaf(tree: readonly StatusTree[], wanted: (node: StatusTree) => boolean): StatusTree | undefined {
  for (const node of nodesOf(tree)) if (node.children.length === 0 && wanted(node)) return node;
  return undefined;
}

const UNAPPROVED: ReadonlySet<string> = new Set(["unapproved", "approval-unknown", "approval-stale"]);

/** The first feature in which something waits for approval; of a task outside of features, the task. */
function findUnapproved(tree: readonly StatusTree[]): StatusTree | undefined {
  const stack = tree.map((node) => ({ node, feature: undefined as StatusTree | undefined })).reverse();
  for (let at = stack.pop(); at; at = stack.pop()) {
    const { node } = at;
    const feature = node.tier === "feature" ? node : at.feature;
    if (UNAPPROVED.has(node.reason) && (feature || node.kind !== "land")) return feature ?? node;
    if (node.tier === "feature" && isClosed(node) && node.status === "planned") return node;
    for (const child of node.children.toReversed()) stack.push({ node: child, feature });
  }
  return undefined;
}

/** It has tasks, and they are not shown. */
const isClosed = ({ children, progress, reason }: StatusTree): boolean =>
  reason === "container" && children.length === 0 && (progress?.total ?? 0) > 0;
