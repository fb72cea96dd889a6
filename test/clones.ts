// Clones in memory that tell each other what they did, for tests of the merge rules.

import { mergePlans } from "../src/model/merge/merge.js";
import {
  readyOperations,
  type SharedChange,
  type SharedOperation,
  timeAfter,
} from "../src/model/merge/shared-operation.js";
import type { NodeFields } from "../src/model/node/node.js";

export class Clone {
  readonly name: string;
  /** Its clock may be wrong. */
  clock: number;
  known: SharedOperation[] = [];
  #seq = 0;
  #time = 0;

  constructor(name: string, clock = 0) {
    this.name = name;
    this.clock = clock;
  }

  does(...changes: readonly SharedChange[]): this {
    const seen: Record<string, number> = {};
    for (const { clone, seq } of this.known) if (clone !== this.name) seen[clone] = Math.max(seq, seen[clone] ?? 0);
    this.#time = timeAfter(++this.clock, Math.max(this.#time, ...this.known.map(({ time }) => time)));
    const by = `human:${this.name}`;
    const op = { clone: this.name, seq: ++this.#seq, time: this.#time, seen, at: this.clock, by, verb: "edit" };
    this.known.push({ ...op, sentence: "", changes });
    return this;
  }

  hears(...others: readonly Clone[]): this {
    const own = new Set(this.known);
    for (const op of others.flatMap(({ known }) => known)) if (!own.has(op)) this.known.push(op);
    this.known = [...new Set(this.known)];
    return this;
  }

  get plan() {
    return mergePlans(readyOperations(this.known).ready);
  }

  /** The value of a field of a node. */
  at(id: string, name: keyof NodeFields): unknown {
    return this.plan.nodes.get(id)?.fields[name];
  }
}

type SharedFields = Readonly<Partial<Record<keyof NodeFields, unknown>>>;

export const born = (id: string, is: SharedFields = {}): SharedChange => ({
  entity: "node",
  id,
  was: null,
  is: { uuid: id, id, tier: "task", kind: "work", title: id, parent: "top", ...is },
});

/** Everything is in it that does not say where it is. */
export const TOP: SharedChange = {
  entity: "node",
  id: "top",
  was: null,
  is: { uuid: "top", id: "TOP", tier: "mission", kind: null, title: "top" },
};

export const edit = (id: string, is: SharedFields, was: SharedFields = {}): SharedChange => ({
  entity: "node",
  id,
  was,
  is,
});

export const gone = (id: string): SharedChange => ({ entity: "node", id, was: {}, is: null });

/** Both know the same, and then each does something that the other does not know. */
export function apart(begun: readonly SharedChange[], one: SharedChange, other: SharedChange): Clone {
  const ada = new Clone("ada").does(TOP, ...begun);
  const kim = new Clone("kim").hears(ada).does(other);
  return ada.does(one).hears(kim);
}
