// Groups stuck nodes by what holds them: the server says what each one waits for, and this follows it to the first cause.

import type { StatusTree } from "../api/types.js";
import type { SignName } from "../parts/sign.js";
import { named, plural } from "../parts/words.js";

export interface Stuck {
  /** The node to do something about. */
  readonly cause: string;
  readonly held: readonly string[];
  readonly sign: SignName;
  readonly sentence: string;
}

type Brief = Pick<StatusTree, "id" | "status" | "reason" | "because" | "children">;

const flat = (tree: readonly Brief[]): Brief[] => tree.flatMap((node) => [node, ...flat(node.children)]);

const WAITS: ReadonlySet<string> = new Set(["dep-rejected", "dep-dropped", "deps-pending", "conflict"]);

/** Everything that waits for a node, also through others. */
function heldBy(cause: string, waiting: ReadonlyMap<string, readonly string[]>): string[] {
  const found = new Set<string>();
  const visit = (id: string): void => {
    for (const next of waiting.get(id) ?? []) {
      if (found.has(next)) continue;
      found.add(next);
      visit(next);
    }
  };
  visit(cause);
  return [...found];
}

function sentenceOf({ id, reason, because }: Brief, held: readonly string[]): string {
  const waits = held.length === 0 ? "" : `${named(held)} ${held.length === 1 ? "waits" : "wait"} for ${id}, which`;
  if (reason === "rejected") return held.length === 0 ? `${id} was rejected.` : `${waits} was rejected.`;
  if (reason === "budget") return `${waits || id} has no attempts left.`;
  return `${waits || id} is frozen: ${because.join(", ")}.`;
}

/** Frozen nodes under one frozen parent are one cause. */
function topFrozen(tree: readonly Brief[]): Brief[] {
  return tree.flatMap((node) =>
    node.reason === "frozen" || node.status === "frozen" ? [node] : topFrozen(node.children),
  );
}

export function stuckGroups(tree: readonly Brief[]): Stuck[] {
  const all = flat(tree);
  const waiting = new Map<string, string[]>();
  for (const { id, reason, because } of all) {
    if (!WAITS.has(reason)) continue;
    for (const cause of because) waiting.set(cause, [...(waiting.get(cause) ?? []), id]);
  }
  const causes = all.filter(({ reason }) => reason === "rejected" || reason === "budget");
  const frozen = topFrozen(tree);
  const groups = [...causes, ...frozen].map((node) => {
    const below = node.status === "frozen" ? flat(node.children).length : 0;
    const held = heldBy(node.id, waiting);
    const sentence = sentenceOf(node, held) + (below > 0 ? ` ${plural(below, "node")} below it wait.` : "");
    return { cause: node.id, held, sign: node.status, sentence };
  });
  return groups.sort((a, b) => b.held.length - a.held.length);
}
