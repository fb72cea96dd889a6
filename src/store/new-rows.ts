// Inserts new nodes, each with the columns that it fills and no others: most of the sixty stay as the table has them.
// Rows that fill the same columns share a statement, and it is told only once what most rows have in common.

import { type Derived, type Node, type NodeFields, newNode } from "../graph/node/node.js";
import { ColumnPath } from "./column-path.js";
import type { Database, Value } from "./database.js";
import { Inserter, Shape } from "./inserter.js";
import { eachColumn, eachDerived } from "./node-columns.js";

/** What the columns of a new row hold unless they are told otherwise. */
const UNDERIVED: Derived = newNode(0, { uuid: "", id: "", tier: "task", title: "", createdAt: 0, createdBy: "" }, 0);

/** A step on the path of a row's columns, where the row has the usual value. */
interface Usual {
  readonly value: Value;
  readonly step: string;
}

const MARK = "=";

export class NewRows {
  readonly #db: Database;
  readonly #first = new ColumnPath<Inserter>([]);
  readonly #inserters: Inserter[] = [];
  readonly #usual: ReadonlyMap<string, Usual>;
  #at = this.#first;
  #values: Value[] = [];

  /** With one of the rows: most are made when it is, and by the same. */
  constructor(db: Database, { updatedAt, createdBy }: Node) {
    this.#db = db;
    const usual = { revision: 1, updated_at: updatedAt, created_at: updatedAt, created_by: createdBy };
    const values: Record<string, Value> = { ...usual, tier: "task", kind: "work" };
    this.#usual = new Map(Object.entries(values).map(([column, value]) => [column, { value, step: MARK + column }]));
  }

  /** `said`: the fields of the node that are not blank. */
  add(node: Node, said: Partial<NodeFields>, ready: number | null): Promise<unknown> | undefined {
    this.#at = this.#first;
    this.#values = [];
    this.#fill("nr", node.nr);
    this.#fill("revision", node.revision);
    this.#fill("updated_at", node.updatedAt);
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
    const usual = this.#usual.get(column);
    if (usual?.value === value) this.#at = this.#at.to(usual.step);
    else {
      this.#at = this.#at.to(column);
      this.#values.push(value);
    }
  };

  #inserterOf({ columns: steps }: ColumnPath<Inserter>): Inserter {
    const own = steps.filter((step) => !step.startsWith(MARK));
    const shared = steps.filter((step) => step.startsWith(MARK)).map((step) => step.slice(MARK.length));
    const values = shared.map((column) => (this.#usual.get(column) as Usual).value);
    const inserter = new Inserter(this.#db, new Shape("node", own, shared), values);
    this.#inserters.push(inserter);
    return inserter;
  }
}
