// Pages of a large tree. All children of a node make one list; those that are not loaded yet are blanks, which keep their place. Pure.

import type { Output, StatusTree } from "../api/types.js";

export const PAGE = 100;

export interface PageOf {
  readonly reference: string;
  readonly from: number;
}

type ServedRow = Output<"children">["children"][number];

export const toTree = (row: ServedRow): StatusTree => ({
  ...row,
  engineHolds: [],
  children: [],
});

const BLANK = "…";

/** It stands for a node that is not loaded yet. */
export const isBlank = ({ id }: Pick<StatusTree, "id">): boolean => id.includes(BLANK);

const blank = (reference: string, index: number): StatusTree => ({
  id: `${reference}${BLANK}${index}`,
  title: "",
  tier: "task",
  kind: "work",
  status: "planned",
  reason: "container",
  because: [],
  engineHolds: [],
  progress: null,
  priority: null,
  checks: [],
  landed: null,
  readyToLand: false,
  children: [],
});

/** Of each branch how long it is, its blanks, and the rows that were loaded last. The same row stays the same object. */
export class Branches {
  readonly #branches = new Map<string, StatusTree[]>();
  readonly #loaded = new Map<ServedRow, StatusTree>();
  readonly #places = new WeakMap<StatusTree, PageOf>();

  /** Where a row was loaded from, or would be. */
  placeOf(node: StatusTree): PageOf | undefined {
    return this.#places.get(node);
  }

  knows(reference: string): boolean {
    return this.#branches.has(reference);
  }

  /** All children, with blanks for those that are in none of these pages. */
  list(reference: string, total: number, pages: readonly Pages[]): readonly StatusTree[] {
    let all = this.#branches.get(reference);
    if (!all || all.length !== total) {
      const before = all ?? [];
      all = Array.from({ length: total }, (_, index) => before[index] ?? this.#blank(reference, index));
    }
    const next = all.slice();
    for (const { from, rows } of pages) {
      for (const [index, row] of rows.entries()) if (from + index < total) next[from + index] = row;
      for (const row of rows) this.#places.set(row, { reference, from });
    }
    this.#branches.set(reference, next);
    return next;
  }

  /** The same object for the same answer of the server. */
  rowOf(row: ServedRow): StatusTree {
    let known = this.#loaded.get(row);
    if (!known) {
      known = toTree(row);
      if (this.#loaded.size > MOST_LOADED) this.#loaded.clear();
      this.#loaded.set(row, known);
    }
    return known;
  }

  #blank(reference: string, index: number): StatusTree {
    const made = blank(reference, index);
    this.#places.set(made, { reference, from: Math.floor(index / PAGE) * PAGE });
    return made;
  }
}

const MOST_LOADED = 2_000;

export interface Pages {
  readonly from: number;
  readonly rows: readonly StatusTree[];
}

/** Rows that know their parents, as a tree. */
export function nested(rows: readonly (ServedRow & { readonly parent: string | null })[]): StatusTree[] {
  const byId = new Map<string, StatusTree & { readonly children: StatusTree[] }>();
  const top: StatusTree[] = [];
  for (const row of rows) {
    const node = { ...toTree(row), children: [] };
    byId.set(row.id, node);
    const above = row.parent === null ? undefined : byId.get(row.parent);
    if (above) above.children.push(node);
    else top.push(node);
  }
  return top;
}
