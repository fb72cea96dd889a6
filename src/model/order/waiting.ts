// The plan as one graph of waiting: a node waits for what it and its containers depend on, a container for
// its children, a land task for the rest of its feature, and a dependency into another feature for that
// feature's landing. Every question about order (waves, critical path, cycles) is asked of this graph.

import { mayContain, type Node, type Nr } from "../node/node.js";
import { byTier, codeOps, isFinished, isMet, mustLandFor } from "../status/rollup.js";
import { addTo } from "./order.js";

export type Waiter = Pick<
  Node,
  | ("nr" | "tier" | "kind" | "parent" | "dependsOn" | "outcome" | "archive" | "awaitsPlan")
  | ("feature" | "live" | "finished" | "landedOp")
>;

/** Whatever could still be done. */
export const isOpen = (node: Waiter): boolean => node.outcome === null && node.archive === null && !isFinished(node);

export class Waiting<N extends Waiter> {
  readonly nodes = new Map<Nr, N>();
  readonly #children = new Map<Nr, N[]>();
  readonly #code: ReadonlyMap<Nr, number>;

  constructor(nodes: Iterable<N>) {
    for (const node of nodes) {
      this.nodes.set(node.nr, node);
      if (node.parent !== null) addTo(this.#children, node.parent, node);
    }
    this.#code = codeOps(byTier(this.nodes.values()));
  }

  children(nr: Nr): readonly N[] {
    return this.#children.get(nr) ?? [];
  }

  /** What it waits for or ever waited for: this must not go in circles. */
  everFor(nr: Nr): Nr[] {
    return this.#step(nr, () => true);
  }

  openFor(nr: Nr): Nr[] {
    const unmet = this.#step(nr, (node, target) => !this.#isMet(node, target));
    return unmet.filter((other) => isOpen(this.nodes.get(other) as N));
  }

  #step(nr: Nr, counts: (node: N, target: N) => boolean): Nr[] {
    const node = this.nodes.get(nr) as N;
    const found: Nr[] = [];
    // Its own dependencies, and those of everything that contains it.
    for (let at: N | undefined = node; at; at = this.#above(at)) {
      for (const { on } of at.dependsOn) {
        const target = this.nodes.get(on);
        if (!target || !counts(at, target)) continue;
        found.push(on);
        if (mustLandFor(at, target) && this.nodes.has(target.feature as Nr)) found.push(target.feature as Nr);
      }
    }
    for (const child of this.children(nr)) found.push(child.nr);
    if (node.kind === "land" && node.outcome === null && node.parent !== null) {
      for (const sibling of this.children(node.parent)) if (sibling.kind !== "land") found.push(sibling.nr);
    }
    return found;
  }

  /** Only of a higher tier: containment that goes in circles must not catch us. */
  #above(node: N): N | undefined {
    const parent = node.parent === null ? undefined : this.nodes.get(node.parent);
    return parent && mayContain(parent.tier, node.tier) ? parent : undefined;
  }

  #isMet(node: N, target: N): boolean {
    if (!isFinished(target)) return false;
    const feature = target.feature === null ? undefined : this.nodes.get(target.feature);
    const codeOp = this.#code.get(target.nr) as number;
    return isMet(node, { ...target, codeOp, landedOp: feature?.landedOp ?? null });
  }
}
