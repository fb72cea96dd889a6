// Inserts new nodes, each with the columns that it fills and no others: most of the sixty stay as the table has them.
// Rows that fill the same columns share a statement.

import { type Derived, type Node, type NodeFields, newNode } from "../graph/node.js";
import { ColumnPath } from "./column-path.js";
import type { Database, Value } from "./database.js";
import { Inserter, Shape } from "./inserter.js";
import { eachColumn, eachDerived } from "./node-columns.js";

/** What the columns of a new row hold unless they are told otherwise. */
const UNDERIVED: Derived = newNode(0, { uuid: "", id: "", tier: "task", title: "", createdAt: 0, createdBy: "" }, 0);

const FIRST = ["nr", "revision", "updated_at"];

export class NewRows {
  readonly #db: Database;
  readonly #first = new ColumnPath<Inserter>(FIRST);
  readonly #inserters: Inserter[] = [];
  #at = this.#first;
  #values: Value[] = [];

  constructor(db: Database) {
    this.#db = db;
  }

  /** `said`: the fields of the node that are not blank. */
  add(node: Node, said: Partial<NodeFields>, ready: number | null): Promise<unknown> | undefined {
    this.#at = this.#first;
    this.#values = [node.nr, node.revision, node.updatedAt];
    eachColumn(said, this.#fill);
    eachDerived(node, UNDERIVED, this.#fill);
    if (ready !== null) this.#fill("ready", ready);
    this.#at.made ??= this.#inserterOf(this.#at);
    return this.#at.made.add(this.#values);
  }

  async end(): Promise<void> {
    for (const inserter of this.#inserters) await inserter.end();
  }

  readonly #fill = (column: string, value: Value): void => {
    this.#at = this.#at.to(column);
    this.#values.push(value);
  };

  #inserterOf({ columns }: ColumnPath<Inserter>): Inserter {
    const inserter = new Inserter(this.#db, new Shape("node", columns));
    this.#inserters.push(inserter);
    return inserter;
  }
}
