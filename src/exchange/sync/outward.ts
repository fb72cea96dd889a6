// From rows of this store to what other clones understand: nodes by UUID instead of row numbers, and nothing that is only about this
// machine.

import type { ItemChange } from "../../model/item/item.js";
import type { Image, SharedChange } from "../../model/merge/shared-operation.js";
import { RESULT, ruleFor, travels } from "../../model/merge/table.js";
import type { Approval, Nr } from "../../model/node/node.js";
import type { Change, NodeChange } from "../../model/operation/change.js";
import { readSeal, travellingSeal } from "../../store/people/statement.js";
import type { Reader } from "../../store/store.js";

/** Answers to these questions travel: every clone that merges asks the same ones. */
export const DIFFER = "differ ";

export class Outward {
  readonly #reader: Reader;
  readonly #clone: string;
  readonly #uuids = new Map<Nr, string>();
  #statements = new Set<string>();

  constructor(reader: Reader, clone: string) {
    this.#reader = reader;
    this.#clone = clone;
  }

  /** Undefined if nothing of it leaves this clone. `result`: outcome, acceptance and report after it. */
  async change(change: Change, result: Image | undefined): Promise<SharedChange | undefined> {
    if (change.entity === "node") return this.#node(change, result);
    return change.entity !== "focus" && travels(change.entity) ? this.#item(change) : undefined;
  }

  /** What people signed in what was told since the last time. */
  async takeStatements(): Promise<readonly string[]> {
    const taken = [...this.#statements];
    this.#statements = new Set();
    return taken;
  }

  async #node({ key, before, after }: NodeChange, result: Image = {}): Promise<SharedChange | undefined> {
    const id = before?.uuid ?? after?.uuid ?? (await this.#uuidOf(key));
    this.#uuids.set(key, id);
    if (after === null) return { entity: "node", id, was: {}, is: null };
    const is = await this.#fields({ ...after, ...result });
    if (Object.keys(is).length === 0) return undefined;
    return { entity: "node", id, was: before === null ? null : await this.#fields(before), is };
  }

  async #fields(image: Image): Promise<Image> {
    const told: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(image)) {
      const isTold = RESULT.some((each) => each === name) || ruleFor("node", name) !== undefined;
      if (isTold) told[name] = await this.#value(name, value);
    }
    return told;
  }

  async #value(name: string, value: unknown): Promise<unknown> {
    if (value === null || value === undefined) return value;
    const place = PLACES[name];
    if (name === "parent") return this.#uuidOf(value as Nr);
    if (name === "approval") return this.approval(value as Approval);
    if (name === "outcome") return { ...(value as Image), op: 0 };
    if (place === undefined) return value;
    if (!Array.isArray(value)) return this.#named(value as Image, place);
    return Promise.all((value as Image[]).map((each) => this.#named(each, place)));
  }

  async #named(image: Image, place: string): Promise<Image> {
    return { ...image, [place]: await this.#uuidOf(image[place] as Nr) };
  }

  /** What a person signed travels with it. */
  async approval(approval: Approval): Promise<Approval> {
    const seal = readSeal(approval.seal ?? "");
    if (seal === undefined) return approval;
    const statement = await this.#reader.people.statement(seal.op);
    if (statement === undefined) return approval;
    this.#statements.add(statement);
    return { ...approval, seal: travellingSeal(approval.seal ?? "", statement) };
  }

  async #uuidOf(nr: Nr): Promise<string> {
    const known = this.#uuids.get(nr) ?? (await this.#reader.node(nr))?.uuid ?? (await this.#uuidInLog(nr));
    this.#uuids.set(nr, known);
    return known;
  }

  /** Of a node that is gone. */
  async #uuidInLog(nr: Nr): Promise<string> {
    const operations = await this.#reader.operations({ node: nr, limit: 1_000 });
    for (const { op } of operations) {
      const change = await this.#reader.nodeChange(op, nr);
      const uuid = change?.before?.uuid ?? change?.after?.uuid;
      if (uuid !== undefined) return uuid;
    }
    return "";
  }

  async #item(change: ItemChange): Promise<SharedChange | undefined> {
    const { entity, key, before, after } = change;
    const item = await this.#reader.item(entity, key);
    const fields: Image = { ...before, ...after, ...item?.fields };
    const origin = typeof fields["origin"] === "string" ? fields["origin"] : undefined;
    if (entity === "question" && !origin?.startsWith(DIFFER)) return undefined;
    // A merge asks it: only the answer is told.
    if (entity === "question" && (before === null || after === null)) return undefined;
    const nodeKey = entity === "labels" ? key : `${this.#clone}/${key}`;
    const told = async (image: Image | null): Promise<Image | null> => image && this.itemFields(image);
    return { entity, id: origin ?? nodeKey, was: await told(before), is: await told(after) };
  }

  async itemFields(image: Image): Promise<Image> {
    const told: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(image))
      if (name !== "origin") told[name] = await this.#itemValue(name, value);
    return told;
  }

  async #itemValue(name: string, value: unknown): Promise<unknown> {
    if ((name === "node" || name === "scope") && typeof value === "number") return this.#uuidOf(value);
    if (name === "tasks" && Array.isArray(value)) return Promise.all(value.map((nr: Nr) => this.#uuidOf(nr)));
    if (name !== "overrides" || !Array.isArray(value)) return value;
    return Promise.all((value as Image[]).map((each) => this.#named(each, "task")));
  }
}

/** Fields of nodes that name another node, and under what. */
export const PLACES: Readonly<Record<string, string>> = {
  dependsOn: "on",
  freeze: "from",
  archive: "root",
  discoveries: "from",
};
