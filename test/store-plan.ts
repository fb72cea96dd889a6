// A plan for tests of the store: every verb is one operation made of graph functions, nothing of SQL.

import { contentHash } from "../src/model/node/content-hash.js";
import type { Birth, Edge, EdgeOrigin, Kind, Node, NodeFields, Nr, OutcomeKind, Tier } from "../src/model/node/node.js";
import { uuid7 } from "../src/model/node/uuid7.js";
import { type Change, changeFocus, changeNode, createNode, invert } from "../src/model/operation/change.js";
import { ok, type Result } from "../src/model/result.js";
import { type DerivedStatus, deriveStatus } from "../src/model/status/status.js";
import { sha256 } from "../src/store/sha256.js";
import type { Committed, Intent, Reader, Store, Writer } from "../src/store/store.js";

/** A node as a test writes it: names instead of numbers; a task of kind `work` unless it says otherwise. */
export interface Spec extends Partial<Omit<NodeFields, "parent" | "dependsOn" | "tier" | "kind">> {
  readonly id: string;
  readonly tier?: Tier;
  readonly kind?: Kind;
  readonly parent?: string;
  readonly dependsOn?: readonly string[];
}

export type Patch = Partial<NodeFields> | ((node: Node, op: number) => Partial<NodeFields>);
type Decide = (writer: Writer) => Promise<readonly Change[]>;

export const START = Date.UTC(2026, 0, 1);

/** Facts as verbs would write them. */
export const outcome = (kind: OutcomeKind, op: number, reason: string | null = null): Partial<NodeFields> => ({
  outcome: { kind, by: "human:ada", at: START, reason, op },
});

export const doneFacts = (op: number): Partial<NodeFields> => ({
  ...outcome("done", op),
  acceptance: { state: "accepted", by: "checks", at: START, reason: null },
  claim: null,
});

export const freezeFacts = (from: Nr, reason = "wait"): Partial<NodeFields> => ({
  freeze: { reason, by: "human:ada", at: START, from, commit: null },
});

export const claimFacts = (node: Node, by = "agent:bot"): Partial<NodeFields> => ({
  claim: { by, token: `token-${node.nr}`, epoch: node.epoch + 1, at: START, until: START + 60_000 },
  epoch: node.epoch + 1,
  attempts: node.attempts + 1,
});

export const edges = (on: readonly Nr[], origin: EdgeOrigin = "stated"): Edge[] => on.map((nr) => ({ on: nr, origin }));

export class StorePlan {
  readonly store: Store;
  readonly #writer: number;
  #time = START;
  #uuids = 0;

  /** Several processes that write to one plan have numbered names, so that they do not give one UUID twice. */
  constructor(store: Store, writer = "") {
    this.store = store;
    this.#writer = Number(/\d+$/.exec(writer)?.[0] ?? 0);
  }

  /** One operation, whatever becomes of it. */
  attempt(decide: Decide, actor = "human:ada", more: Partial<Intent> = {}): Promise<Result<Committed<null>>> {
    const intent = { actor, verb: "test", now: () => ++this.#time, commit: null, ...more };
    return this.store.commit(intent, async (writer) =>
      ok({ sentence: "a test did it", changes: await decide(writer), value: null }),
    );
  }

  /** One operation that has to succeed; its number. */
  async commit(decide: Decide, actor?: string): Promise<number> {
    const committed = await this.attempt(decide, actor);
    if (!committed.ok) throw new Error(`${committed.error.reason}: ${committed.error.message}`);
    return committed.value.op ?? 0;
  }

  add(...specs: Spec[]): Promise<number> {
    return this.commit((writer) => this.births(writer, specs));
  }

  tryAdd(...specs: Spec[]): Promise<Result<Committed<null>>> {
    return this.attempt((writer) => this.births(writer, specs));
  }

  async births(writer: Writer, specs: readonly Spec[]): Promise<Change[]> {
    const first = await writer.allocate(specs.length);
    const fresh = new Map(specs.map((spec, i) => [spec.id, first + i]));
    const number = async (id: string): Promise<Nr> => fresh.get(id) ?? (await find(writer, id)).nr;
    const changes: Change[] = [];
    for (const [i, spec] of specs.entries()) {
      const { parent, dependsOn, tier = "task", kind, ...rest } = spec;
      const on: Nr[] = [];
      for (const id of dependsOn ?? []) on.push(await number(id));
      const birth: Birth = {
        uuid: uuid7(START + ++this.#uuids + this.#writer * 1_000_000, new Uint8Array(10).fill(this.#uuids)),
        title: `The ${tier} ${spec.id}`,
        createdAt: this.#time,
        createdBy: "human:ada",
        ...rest,
        tier,
        kind: tier === "task" ? (kind ?? "work") : null,
        parent: parent === undefined ? null : await number(parent),
        dependsOn: edges(on),
      };
      changes.push(createNode(first + i, birth));
    }
    return changes;
  }

  set(ids: string | readonly string[], patch: Patch, actor?: string): Promise<number> {
    return this.commit((writer) => patched(writer, ids, patch), actor);
  }

  trySet(ids: string | readonly string[], patch: Patch, actor?: string): Promise<Result<Committed<null>>> {
    return this.attempt((writer) => patched(writer, ids, patch), actor);
  }

  done(...ids: string[]): Promise<number> {
    return this.set(ids, (_, op) => doneFacts(op));
  }

  waive(...ids: string[]): Promise<number> {
    return this.set(ids, (_, op) => outcome("waived", op));
  }

  drop(...ids: string[]): Promise<number> {
    return this.set(ids, (_, op) => ({ ...outcome("dropped", op), claim: null }));
  }

  freeze(...ids: string[]): Promise<number> {
    return this.set(ids, (node) => freezeFacts(node.nr));
  }

  claim(id: string, by?: string): Promise<number> {
    return this.set(id, (node) => claimFacts(node, by));
  }

  /** A node and everything below it. */
  approve(...ids: string[]): Promise<number> {
    return this.commit(async (writer) => {
      const changes: Change[] = [];
      for (const id of ids) {
        const root = await find(writer, id);
        for (const node of [root, ...(await writer.descendants(root.nr))]) {
          if (node.outcome === null) changes.push(...changeNode(node, await approval(writer, node)));
        }
      }
      return changes;
    });
  }

  async depend(id: string, on: readonly string[]): Promise<Result<Committed<null>>> {
    return this.attempt(async (writer) => {
      const targets: Nr[] = [];
      for (const target of on) targets.push((await find(writer, target)).nr);
      return changeNode(await find(writer, id), { dependsOn: edges(targets) });
    });
  }

  async move(id: string, parent: string): Promise<Result<Committed<null>>> {
    return this.attempt(async (writer) =>
      changeNode(await find(writer, id), { parent: (await find(writer, parent)).nr }),
    );
  }

  focus(actor: string, id: string): Promise<number> {
    return this.commit(async (writer) => changeFocus(actor, await writer.focus(actor), (await find(writer, id)).nr));
  }

  undo(op: number, actor?: string): Promise<Result<Committed<null>>> {
    return this.attempt(async (writer) => invert(await writer.changes(op)), actor, { undoes: op });
  }

  node(id: string): Promise<Node> {
    return this.store.read((reader) => find(reader, id));
  }

  nodes(): Promise<Node[]> {
    return this.store.read(everything);
  }

  status(id: string): Promise<DerivedStatus> {
    return this.store.read(async (reader) => {
      const node = await find(reader, id);
      return deriveStatus(node, await reader.surroundings(node));
    });
  }

  async pending(id: string): Promise<number> {
    return (await this.node(id)).pending;
  }

  async claimable(within?: string): Promise<string[]> {
    return this.store.read(async (reader) => {
      const scope = within === undefined ? {} : { within: await find(reader, within) };
      return (await reader.claimable({ ...scope, limit: 100 })).map((node) => node.id);
    });
  }
}

export async function find(reader: Reader, id: string): Promise<Node> {
  const node = await reader.byId(id);
  if (!node) throw new Error(`There is no ${id}.`);
  return node;
}

export async function everything(reader: Reader): Promise<Node[]> {
  const all: Node[] = [];
  for await (const node of reader.scan()) all.push(node);
  return all;
}

async function patched(writer: Writer, ids: string | readonly string[], patch: Patch): Promise<Change[]> {
  const changes: Change[] = [];
  for (const id of typeof ids === "string" ? [ids] : ids) {
    const node = await find(writer, id);
    changes.push(...changeNode(node, typeof patch === "function" ? patch(node, writer.op) : patch));
  }
  return changes;
}

export async function approval(reader: Reader, node: Node): Promise<Partial<NodeFields>> {
  const uuids = new Map<Nr, string>();
  for (const nr of [node.parent ?? 0, ...node.dependsOn.map((edge) => edge.on)]) {
    uuids.set(nr, (await reader.node(nr))?.uuid ?? "");
  }
  return { approval: { by: "human:ada", at: START, hash: contentHash(node, (nr) => uuids.get(nr) ?? "", sha256) } };
}
