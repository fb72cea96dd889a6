// From the merged plan to rows of this store. What is the same already is left alone, so merging twice changes nothing.

import { changeItem, createItem, type Item, type ItemChange, same } from "../../model/item/item.js";
import { type ItemPrefix, itemKey } from "../../model/item-key.js";
import type { MergedItem, MergedPlan } from "../../model/merge/merge.js";
import type { MergedNode } from "../../model/merge/merged-node.js";
import type { Image, SharedOperation } from "../../model/merge/shared-operation.js";
import { numberedAs } from "../../model/node/ids.js";
import {
  type Approval,
  type Birth,
  type Node,
  type NodeFields,
  type Nr,
  TIERS,
  tierRank,
} from "../../model/node/node.js";
import { type Change, changeNode, createNode, type NodeChange, removeNode } from "../../model/operation/change.js";
import { endingClaim } from "../../model/operation/undo.js";
import { isVouched, readTravellingSeal } from "../../store/people/statement.js";
import { idOfSignature } from "../../store/signer.js";
import type { Writer } from "../../store/store.js";
import { Outward, PLACES } from "./outward.js";

export interface Trust {
  /** Of this clone. */
  readonly own: string;
  /** Whether a person or machine whom this plan knows stands for an operation. */
  readonly isSigned: (op: SharedOperation) => boolean;
  /** Whether a commit is in this repository. */
  readonly isHere: (commit: string) => boolean;
  /** What people signed, by its hash. */
  readonly statements: ReadonlyMap<string, string>;
}

/** An approval by a person whom this plan does not know. */
export interface UnknownApproval {
  readonly node: string;
  readonly by: string;
}

export class Inward {
  readonly #writer: Writer;
  readonly #plan: MergedPlan;
  readonly #trust: Trust;
  readonly #outward: Outward;
  readonly #nrs = new Map<string, Nr>();
  readonly unknown: UnknownApproval[] = [];

  constructor(writer: Writer, plan: MergedPlan, trust: Trust) {
    this.#writer = writer;
    this.#plan = plan;
    this.#trust = trust;
    this.#outward = new Outward(writer, trust.own);
  }

  /** In the order in which rows can be written: parents first, and what is removed from below. */
  async changes(): Promise<Change[]> {
    const local = new Map<string, Node>();
    for await (const node of this.#writer.scan()) {
      local.set(node.uuid, node);
      this.#nrs.set(node.uuid, node.nr);
    }
    const merged = [...this.#plan.nodes.values()].sort((a, b) => this.#rank(a) - this.#rank(b));
    const isShown = ({ birth, isThere }: MergedNode): boolean => birth !== null && isThere;
    const fresh = merged.filter((node) => isShown(node) && !local.has(node.uuid));
    let nr = fresh.length > 0 ? await this.#writer.allocate(fresh.length) : 0;
    for (const { uuid } of fresh) this.#nrs.set(uuid, nr++);
    const changes: Change[] = [];
    for (const node of merged) {
      const known = local.get(node.uuid);
      if (!isShown(node)) {
        if (known && node.birth !== null) changes.push(removeNode(known));
      } else if (known) changes.push(...(await this.#change(node, known)));
      else changes.push(createNode(this.nrOf(node.uuid) as Nr, (await this.#fields(node)) as unknown as Birth));
    }
    await this.#takeNumbers(merged);
    return [...changes, ...(await this.#itemChanges())];
  }

  #rank({ fields }: MergedNode): number {
    return tierRank(fields["tier"] as Node["tier"]);
  }

  nrOf(uuid: unknown): Nr | null {
    return this.#nrs.get(String(uuid)) ?? null;
  }

  /** So that no new node gets an id that came from elsewhere. */
  async #takeNumbers(merged: readonly MergedNode[]): Promise<void> {
    const numbered = merged.flatMap(({ fields }) => numberedAs(String(fields["id"])) ?? []);
    for (const tier of TIERS) {
      const numbers = numbered.filter((each) => each.tier === tier).map(({ number }) => number);
      const highest = numbers.reduce((one, other) => Math.max(one, other), 0);
      if (highest > 0) await this.#writer.mint(tier, 0, highest);
    }
  }

  async #change(node: MergedNode, known: Node): Promise<NodeChange[]> {
    const fields = await this.#fields(node, known);
    const changed = changeNode(known, fields);
    return changed.map((change) => (known.claim === null ? change : endingClaim(change)));
  }

  /** As rows of this store. Of a node that is known only what differs. */
  async #fields({ uuid, fields, finish }: MergedNode, known?: Node): Promise<Partial<NodeFields>> {
    const told: Record<string, unknown> = { uuid };
    for (const [name, value] of Object.entries(fields)) told[name] = this.#value(name, value, known);
    Object.assign(told, this.#result(fields, finish, known));
    if (Object.hasOwn(fields, "approval")) told["approval"] = await this.#approval(uuid, fields, known);
    return told;
  }

  #value(name: string, value: unknown, known: Node | undefined): unknown {
    if (name === "parent") return this.nrOf(value);
    const place = PLACES[name];
    if (place === undefined || value === null) return value;
    if (!Array.isArray(value)) return this.#named(value as Image, place);
    const named = (value as Image[]).map((each) => this.#named(each, place)).filter((each) => each[place] !== null);
    const before = known?.[name as "dependsOn"];
    return before && same(named, before) ? before : named;
  }

  #named(image: Image, place: string): Image {
    return { ...image, [place]: this.nrOf(image[place]) };
  }

  /** Done somewhere else counts once a person whom this plan knows stands for it, and its commit is here. */
  #result(fields: Image, finish: SharedOperation | null, known: Node | undefined): Partial<NodeFields> {
    const outcome = (fields["outcome"] ?? null) as NodeFields["outcome"];
    const report = (fields["report"] ?? null) as NodeFields["report"];
    if (!Object.hasOwn(fields, "outcome") || outcome === null || finish === null) return {};
    // Done here as well: that stays what counts here.
    if (
      known?.outcome &&
      known.outcome.kind === outcome.kind &&
      !same({ ...known.outcome, op: 0 }, { ...outcome, op: 0 })
    ) {
      return { outcome: known.outcome, acceptance: known.acceptance, report: known.report };
    }
    const missing = this.#missing(outcome.kind, report?.commit ?? null, finish);
    if (missing !== undefined) {
      const { by, at } = outcome;
      return { outcome: null, acceptance: { state: "pending", by, at, reason: missing }, report };
    }
    const before = known?.outcome;
    // The number of the operation is only known here.
    const isSame = before && same({ ...before, op: 0 }, { ...outcome, op: 0 });
    return { outcome: isSame ? before : { ...outcome, op: this.#writer.op } };
  }

  #missing(kind: string, commit: string | null, finish: SharedOperation): string | undefined {
    if (finish.clone === this.#trust.own || kind === "dropped") return undefined;
    if (!this.#trust.isSigned(finish))
      return `${finish.by} finished it in another clone, and nobody whom this plan knows signed that`;
    if (commit === null || kind === "waived" || this.#trust.isHere(commit)) return undefined;
    return `${finish.by} finished it in another clone, and the work is not here`;
  }

  /** Only an approval that a person whom this plan knows signed is one. */
  async #approval(uuid: string, fields: Image, known: Node | undefined): Promise<Approval | null> {
    const approval = fields["approval"] as Approval | null;
    if (approval === null) return null;
    const before = known?.approval ?? null;
    if (before !== null && same(await this.#outward.approval(before), approval)) return before;
    if (fields["kind"] === "land") return this.#landApproval(fields, approval);
    if (await this.#isKnown(uuid, approval)) return approval;
    this.unknown.push({ node: uuid, by: approval.by });
    return before;
  }

  async #isKnown(uuid: string, approval: Approval): Promise<boolean> {
    const travelled = readTravellingSeal(approval.seal ?? "");
    const person = await this.#writer.people.find(idOfSignature(approval.seal ?? ""));
    if (travelled === undefined || person === undefined) return false;
    return isVouched(uuid, approval, person.key, this.#trust.statements.get(travelled.statement));
  }

  /** A land task is approved with its feature. */
  async #landApproval(fields: Image, approval: Approval): Promise<Approval | null> {
    const feature = this.#plan.nodes.get(String(fields["parent"]));
    const above = (feature?.fields["approval"] ?? null) as Approval | null;
    const isApproved = feature && above && (await this.#isKnown(feature.uuid, above));
    return isApproved && above.seal !== undefined ? { ...approval, seal: above.seal } : null;
  }

  async #itemChanges(): Promise<ItemChange[]> {
    const changes: ItemChange[] = [];
    const known = new Map<string, Item<"comment">>();
    for (const entity of ITEMS) {
      for (const item of await this.#writer.items(entity, {})) {
        const origin = Reflect.get(item.fields, "origin") as unknown;
        const id =
          typeof origin === "string" ? origin : entity === "labels" ? item.key : `${this.#trust.own}/${item.key}`;
        known.set(`${entity} ${id}`, item as Item<"comment">);
      }
    }
    for (const item of this.#plan.items)
      changes.push(...(await this.#item(item, known.get(`${item.entity} ${item.id}`))));
    return changes;
  }

  async #item(item: MergedItem, known: Item<"comment"> | undefined): Promise<ItemChange[]> {
    if (!item.isBorn) return known && item.entity === "question" ? changeItem(known, item.fields as object) : [];
    if (!item.isThere)
      return known ? [{ entity: item.entity, key: known.key, before: { ...known.fields }, after: null }] : [];
    const fields = this.#itemFields(item);
    if (fields === undefined) return [];
    if (known) return changeItem(known, fields as object);
    const key = item.entity === "labels" ? item.id : await this.#freshKey(item);
    const origin = item.entity === "labels" ? {} : { origin: item.id };
    return [createItem(item.entity as "comment", key, { ...fields, ...origin } as never)];
  }

  async #freshKey({ id }: MergedItem): Promise<string> {
    const prefix = (/\/([A-Z]+)-\d+$/.exec(id)?.[1] ?? "COM") as ItemPrefix;
    return itemKey(prefix, await this.#writer.number(prefix));
  }

  /** Undefined of what is about a node that is not here. */
  #itemFields({ fields, stated, entity }: MergedItem): Image | undefined {
    const told: Record<string, unknown> = {};
    for (const [name, value] of Object.entries(fields)) {
      if (name === "node" || (name === "scope" && value !== null)) {
        told[name] = this.nrOf(value);
        if (told[name] === null) return undefined;
      } else if (name === "tasks") told[name] = ((value ?? []) as unknown[]).flatMap((each) => this.nrOf(each) ?? []);
      else if (name === "overrides") told[name] = ((value ?? []) as Image[]).map((each) => this.#named(each, "task"));
      else told[name] = value;
    }
    // What binds workers here has to come from a person whom this plan knows.
    const isSigned = stated === null || stated.clone === this.#trust.own || this.#trust.isSigned(stated);
    if (!isSigned && BINDING[entity] === fields["state"]) told["state"] = "proposed";
    return told;
  }
}

const ITEMS = ["comment", "labels", "lesson", "question", "record"] as const;

const BINDING: Readonly<Record<string, string>> = { record: "active", lesson: "kept" };
