// Every node and item that operations are about, with all that was written to each of its fields.

import type { Entity } from "../item/item.js";
import type { Resolved, Write } from "./rules.js";
import { areConcurrent, type Image, type SharedChange, type SharedOperation, saw } from "./shared-operation.js";
import { isFinish, NO_RESULT, RESULT, ruleFor, SETTLED_BY_A_FINISH, startOf, travels } from "./table.js";

/** The field under which outcome, acceptance and report are kept together. */
const RESULT_CELL = "outcome";

export class Thing {
  readonly entity: "node" | Entity;
  readonly id: string;
  readonly cells = new Map<string, Write[]>();
  readonly births: SharedOperation[] = [];
  readonly #touched: SharedOperation[] = [];
  readonly #removed: SharedOperation[] = [];

  constructor({ entity, id }: SharedChange) {
    this.entity = entity;
    this.id = id;
  }

  /** Operations come in order. */
  take(op: SharedOperation, { was, is }: SharedChange): void {
    if (is === null) {
      this.#removed.push(op);
      return;
    }
    this.#touched.push(op);
    const isReborn = was === null && this.births.length > 0;
    if (was === null) this.births.push(op);
    const names = new Set([...Object.keys(is), ...(isReborn ? this.cells.keys() : [])]);
    for (const name of names) this.#write(name, op, was ?? {}, is);
  }

  #write(name: string, op: SharedOperation, was: Image, is: Image): void {
    const isResult = this.entity === "node" && RESULT.some((each) => each === name);
    const cell = isResult ? RESULT_CELL : name;
    if (!ruleFor(this.entity, cell)) return;
    const writes = this.cells.get(cell) ?? [];
    this.cells.set(cell, writes);
    if (!isResult) writes.push({ op, was: was[name], is: Object.hasOwn(is, name) ? is[name] : this.start(cell) });
    else if (writes.at(-1)?.op !== op) writes.push({ op, was: undefined, is: this.#resultOf(writes, op, is) });
  }

  /** What an operation did not write of a result was as it knew it. */
  #resultOf(writes: readonly Write[], op: SharedOperation, is: Image): unknown {
    const known = writes.filter((each) => saw(op, each.op));
    const before = known.length === 0 ? NO_RESULT : this.#resolve(RESULT_CELL, known).value;
    const written = RESULT.filter((name) => Object.hasOwn(is, name)).map((name) => [name, is[name]]);
    return { ...(before as Image), ...Object.fromEntries(written) };
  }

  start(cell: string): unknown {
    return this.entity === "node" && cell === RESULT_CELL ? NO_RESULT : startOf(this.entity, cell);
  }

  #resolve(cell: string, writes: readonly Write[]): Resolved {
    const rule = ruleFor(this.entity, cell);
    return rule && writes.length > 0 ? rule(writes, this.start(cell)) : { value: this.start(cell), differ: [] };
  }

  resolve(cell: string): Resolved {
    return this.#resolve(cell, this.#counting(cell));
  }

  /** Who removed it did not know everything that was done to it, or it was made again. */
  get isThere(): boolean {
    return this.#touched.some((touch) => !this.#removed.some((op) => op === touch || saw(op, touch)));
  }

  /** The operation that finished it last, among those that count. */
  get finish(): SharedOperation | undefined {
    const writes = this.cells.get(RESULT_CELL) ?? [];
    const { value } = this.#resolve(RESULT_CELL, writes);
    return isFinish(value) ? writes.find(({ is }) => is === value)?.op : undefined;
  }

  #counting(cell: string): readonly Write[] {
    const writes = this.cells.get(cell) as Write[];
    const finish = this.#isSettled(cell) ? this.finish : undefined;
    return finish ? writes.filter(({ op }) => !areConcurrent(op, finish)) : writes;
  }

  #isSettled(cell: string): boolean {
    return this.entity === "node" && SETTLED_BY_A_FINISH.has(cell);
  }

  /** What was written while a person finished it, and so does not count. */
  get late(): readonly { readonly cell: string; readonly write: Write }[] {
    return [...this.cells].flatMap(([cell, writes]) => {
      const counting = new Set(this.#counting(cell));
      return writes.filter((write) => !counting.has(write)).map((write) => ({ cell, write }));
    });
  }
}

/** By entity and id. */
export function thingsIn(operations: readonly SharedOperation[]): readonly Thing[] {
  const things = new Map<string, Thing>();
  for (const op of operations) {
    for (const change of op.changes) {
      if (!travels(change.entity)) continue;
      const key = `${change.entity} ${change.id}`;
      const thing = things.get(key) ?? new Thing(change);
      things.set(key, thing);
      thing.take(op, change);
    }
  }
  return [...things.values()];
}
