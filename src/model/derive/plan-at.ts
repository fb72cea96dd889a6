// A plan at an earlier operation: a plan with changes taken back, one operation after the other, in memory. Only rows that those
// operations touched, and what is asked about, are ever read, so looking back costs as much as happened.

import type { Digest } from "../node/content-hash.js";
import type { Node, Nr } from "../node/node.js";
import { type Change, invert, type NodeChange } from "../operation/change.js";
import { deriveColumns } from "./derive-columns.js";
import { changesOnlyItself, PendingRows, type PlanRows } from "./pending-rows.js";

/** Everything else follows from these. */
type Neighbours = Pick<PlanRows, "node" | "children" | "dependents">;

export class PlanAt implements PlanRows {
  readonly #later: Neighbours;
  readonly #digest: Digest;
  /** As they were; null where there was none. */
  readonly #rows = new Map<Nr, Node | null>();
  /** Known rows by what they were in, and by what they depended on: what is stored no longer tells. */
  readonly #in = new Map<Nr, Set<Nr>>();
  readonly #on = new Map<Nr, Set<Nr>>();

  /** `later`: the plan from which operations are taken back. */
  constructor(later: Neighbours, digest: Digest) {
    this.#later = later;
    this.#digest = digest;
  }

  async node(nr: Nr): Promise<Node | undefined> {
    const known = this.#rows.get(nr);
    return known === undefined ? this.#later.node(nr) : (known ?? undefined);
  }

  async children(nr: Nr): Promise<Nr[]> {
    return this.#those(await this.#later.children(nr), this.#in.get(nr), ({ parent }) => parent === nr);
  }

  async lands(feature: Nr): Promise<Nr[]> {
    return this.#filter(await this.children(feature), ({ kind }) => kind === "land");
  }

  async dependents(nr: Nr): Promise<Nr[]> {
    const dependsOn = (row: Node): boolean => row.dependsOn.some(({ on }) => on === nr);
    return this.#those(await this.#later.dependents(nr), this.#on.get(nr), dependsOn);
  }

  async dependentsBeyond(nr: Nr, feature: Nr | null): Promise<Nr[]> {
    return this.#filter(await this.dependents(nr), (row) => row.feature !== feature);
  }

  async dependentsOutside(feature: Nr): Promise<Nr[]> {
    const found = new Set<Nr>();
    for (const inside of await this.below(feature)) {
      for (const nr of await this.dependentsBeyond(inside, feature)) found.add(nr);
    }
    return [...found];
  }

  async below(nr: Nr): Promise<Nr[]> {
    const found = await this.children(nr);
    // It grows while it is walked through.
    for (const child of found) found.push(...(await this.children(child)));
    return found;
  }

  /** Takes one operation back: afterwards everything is as it was before it. */
  async back(changes: readonly Change[]): Promise<void> {
    const turned = invert(changes).filter((change): change is NodeChange => change.entity === "node");
    const rows = new PendingRows(this);
    for (const change of turned) await rows.take(change, 0);
    if (!rows.changed.every(changesOnlyItself)) {
      for (const row of rows.changed) await rows.loadAroundRow(row);
      await deriveColumns(rows, this.#digest);
    }
    for (const { node, removed } of rows.all()) {
      this.#rows.set(node.nr, removed ? null : node);
      if (node.parent !== null) enter(this.#in, node.parent, node.nr);
      for (const { on } of node.dependsOn) enter(this.#on, on, node.nr);
    }
  }

  /** Those that are so in the later plan, unless they are known to have been otherwise; and the known ones that were so. */
  #those(later: readonly Nr[], known: Iterable<Nr> = [], wasSo: (row: Node) => boolean): Nr[] {
    const found = new Set(later);
    for (const nr of [...later, ...known]) {
      const row = this.#rows.get(nr);
      if (row && wasSo(row)) found.add(nr);
      else if (row !== undefined) found.delete(nr);
    }
    return [...found];
  }

  async #filter(numbers: readonly Nr[], isSo: (node: Node) => boolean): Promise<Nr[]> {
    const found: Nr[] = [];
    for (const nr of numbers) {
      const node = await this.node(nr);
      if (node && isSo(node)) found.push(nr);
    }
    return found;
  }
}

function enter(index: Map<Nr, Set<Nr>>, key: Nr, nr: Nr): void {
  const known = index.get(key);
  if (known) known.add(nr);
  else index.set(key, new Set([nr]));
}
