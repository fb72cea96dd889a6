// The plan as views show it: what contains what, how far it is, and what waits for what.

import { append } from "../../base/append.js";
import type { Node, Nr } from "../../model/node/node.js";
import { isFinished } from "../../model/status/rollup.js";
import type { Reader } from "../../store/store.js";

/** A word for people. Who may begin what is the plan's to say. */
export type ShownStanding = "done" | "skipped" | "dropped" | "under way" | "stopped" | "rejected" | "open";

export interface TreeNode {
  readonly node: Node;
  readonly standing: ShownStanding;
  readonly children: readonly TreeNode[];
  /** Ids. */
  readonly waitsFor: readonly string[];
  readonly labels: readonly string[];
}

export interface PlanTree {
  readonly title: string;
  /** Of the mission, if this is the whole plan. */
  readonly uuid: string | null;
  readonly roots: readonly TreeNode[];
  /** Parents before children. */
  readonly all: readonly TreeNode[];
}

/** `within`: only this branch. Archived and dropped nodes are left out unless they are asked for. */
export async function readTree(
  reader: Reader,
  { within, all }: { within: Node | null; all: boolean },
): Promise<PlanTree> {
  const nodes = new Map<Nr, Node>();
  for await (const node of reader.scan()) nodes.set(node.nr, node);
  const labels = new Map((await reader.items("labels", {})).map(({ fields }) => [fields.node, fields.labels]));
  const children = new Map<Nr | null, Node[]>();
  for (const node of nodes.values()) append(children, node.parent, node);
  const isShown = (node: Node): boolean =>
    all || (node.archive === null && node.outcome?.kind !== "dropped" && node.kind !== "land");
  const flat: TreeNode[] = [];
  const build = (node: Node): TreeNode => {
    const below: TreeNode[] = [];
    const tree: TreeNode = {
      node,
      standing: standingOf(node),
      children: below,
      waitsFor: node.dependsOn.flatMap(({ on }) => nodes.get(on)?.id ?? []),
      labels: labels.get(node.nr) ?? [],
    };
    flat.push(tree);
    for (const child of children.get(node.nr) ?? []) if (isShown(child)) below.push(build(child));
    return tree;
  };
  const [mission] = children.get(null) ?? [];
  const roots = (within ? [within] : (children.get(mission?.nr ?? null) ?? []).filter(isShown)).map(build);
  return {
    title: within?.title ?? mission?.title ?? "Plan",
    uuid: within ? null : (mission?.uuid ?? null),
    roots,
    all: flat,
  };
}

function standingOf(node: Node): ShownStanding {
  if (node.outcome?.kind === "waived") return "skipped";
  if (node.outcome?.kind === "dropped") return "dropped";
  if (isFinished(node)) return "done";
  if (node.claim !== null) return "under way";
  if (node.freeze !== null) return "stopped";
  return node.acceptance?.state === "rejected" ? "rejected" : "open";
}

/** On one line, whatever it holds. */
export const lineOfText = (text: string): string => text.replace(/\s+/g, " ").trim();
