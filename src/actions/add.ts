// Adds nodes, one or a hundred thousand, as one operation. A line whose id is already in the plan
// changes that node's content and never its progress.

import type { Actor } from "../graph/actor.js";
import { type Change, changeNode, createNode } from "../graph/change.js";
import type { NodeInput } from "../graph/content.js";
import { displayId, idKey, numberOf, uuid7 } from "../graph/ids.js";
import {
  type Birth,
  type Edge,
  type Kind,
  type Node,
  type NodeFields,
  type Nr,
  TIERS,
  type Tier,
} from "../graph/node.js";
import { inferProfile } from "../graph/profile.js";
import { absent, type Failure, ok, type Result, refused, usage } from "../graph/result.js";
import type { Decision, Writer } from "../store/store.js";
import { act, type Context } from "./context.js";
import { profileFor } from "./footprint.js";
import { place } from "./place.js";
import { requireOpen, requireOpenParent } from "./require-open.js";
import { resolve } from "./resolve.js";

/** A node to add, and where it was written, for messages: `line 3`. */
export interface Addition {
  readonly input: NodeInput;
  readonly where: string;
  /** A planning-only inbox. */
  readonly inbox?: boolean;
}

export interface Added {
  readonly op: number | null;
  readonly added: readonly string[];
  readonly changed: readonly string[];
  /** Already in the plan just so, or finished and therefore left alone. */
  readonly unchanged: number;
}

export const INBOX = "INBOX";

export async function add(context: Context, additions: readonly Addition[]): Promise<Result<Added>> {
  if (additions.length === 0) {
    return absent("nothing-to-add", "There is nothing to add.", { hint: "`planwright add --help` shows how." });
  }
  const committed = await act(context, "add", (writer, at) => decideAdditions(writer, context.actor, at, additions));
  if (!committed.ok) return committed;
  return ok({ op: committed.value.op, ...committed.value.value });
}

/** For any operation that makes nodes. */
export async function decideAdditions(
  writer: Writer,
  actor: Actor,
  at: number,
  additions: readonly Addition[],
): Promise<Result<Decision<Omit<Added, "op">>>> {
  const batch = new Batch(writer, actor, at);
  const read = await batch.read(additions);
  return read.ok ? batch.decide() : read;
}

interface Item extends Addition {
  readonly tier: Tier;
  readonly existing: Node | undefined;
  nr: Nr;
  /** Null until it is found, and for a mission. */
  parent: Item | Node | null;
}

const nodeOf = (named: Item | Node): Node | undefined => ("input" in named ? named.existing : named);

class Batch {
  readonly #writer: Writer;
  readonly #actor: Actor;
  readonly #at: number;
  readonly #items: Item[] = [];
  readonly #byId = new Map<string, Item>();
  readonly #byUuid = new Map<string, Item>();
  readonly #resolved = new Map<string, Node>();

  constructor(writer: Writer, actor: Actor, at: number) {
    this.#writer = writer;
    this.#actor = actor;
    this.#at = at;
  }

  /** First all ids, so that lines may refer to each other in any order. */
  async read(additions: readonly Addition[]): Promise<Result<void>> {
    const ids = additions.flatMap(({ input }) => input.id ?? []);
    const named = new Map((await this.#writer.byIds(ids)).map((node) => [idKey(node.id), node]));
    for (const addition of additions) {
      const { input, where, inbox = false } = addition;
      const node = input.id === undefined ? undefined : named.get(idKey(input.id));
      const existing = input.uuid === undefined ? ok(node) : await this.#existing(addition, node);
      if (!existing.ok) return existing;
      const { tier = input.tier ?? "task", nr = 0 } = existing.value ?? {};
      const item: Item = { input, where, inbox, existing: existing.value, tier, nr, parent: null };
      const registered = this.#register(item);
      if (!registered.ok) return registered;
      this.#items.push(item);
    }
    const fresh = this.#items.filter((item) => !item.existing);
    let nr = fresh.length > 0 ? await this.#writer.allocate(fresh.length) : 0;
    for (const item of fresh) item.nr = nr++;
    return ok(undefined);
  }

  /** The node in the plan that a line is about. An id and a UUID that disagree are two nodes, not one. */
  async #existing({ input: { id, uuid = "" }, where }: Addition, named?: Node): Promise<Result<Node | undefined>> {
    if (named?.uuid === uuid) return ok(named);
    const known = await this.#writer.byUuid(uuid);
    const other = named ?? (id === undefined ? undefined : known);
    if (!other) return ok(known);
    return refused("id-taken", `${where}: ${other.id} in the plan is another node (UUID ${other.uuid}).`, {
      hint: "Give the new node another id, or leave out its UUID to change the one in the plan.",
    });
  }

  #register(item: Item): Result<void> {
    const { input, where, existing } = item;
    const twice = (what: string, twin: Item): Result<never> =>
      usage("duplicate-id", `${where}: the ${what} is already used in ${twin.where}.`, {
        hint: "Give each node an id of its own.",
      });
    const id = input.id ?? existing?.id;
    const uuid = input.uuid ?? existing?.uuid;
    const sameId = id === undefined ? undefined : this.#byId.get(idKey(id));
    if (sameId) return twice(`id ${id as string}`, sameId);
    const sameUuid = uuid === undefined ? undefined : this.#byUuid.get(uuid);
    if (sameUuid) return twice(`UUID ${uuid as string}`, sameUuid);
    if (id !== undefined) this.#byId.set(idKey(id), item);
    if (uuid !== undefined) this.#byUuid.set(uuid, item);
    return ok(undefined);
  }

  async decide(): Promise<Result<Decision<Omit<Added, "op">>>> {
    const ids = await this.#mintIds();
    const random = Buffer.from(await this.#writer.random(10), "hex");
    const changes: Change[] = [];
    const added: string[] = [];
    const changed: string[] = [];
    for (const item of this.#items) {
      const placed = await this.#place(item);
      if (!placed.ok) return placed;
    }
    let index = 0;
    for (const item of this.#items) {
      if (item.existing) {
        const merged = await this.#merge(item, item.existing);
        if (!merged.ok) return merged;
        changes.push(...merged.value);
        if (merged.value.length > 0) changed.push(item.existing.id);
        continue;
      }
      const id = item.input.id ?? ids.get(item) ?? "";
      const fields = await this.#fields(item, id, item.input.uuid ?? uuid7(this.#at, sequential(random, index++)));
      if (!fields.ok) return fields;
      changes.push(createNode(item.nr, fields.value));
      added.push(id);
    }
    const unchanged = this.#items.length - added.length - changed.length;
    return ok({ sentence: sentenceFor(added, changed), changes, value: { added, changed, unchanged } });
  }

  /** Above every number of that form that was chosen, whatever tier it was chosen for. */
  async #mintIds(): Promise<Map<Item, string>> {
    const ids = new Map<Item, string>();
    const fresh = this.#items.filter((item) => !item.existing);
    for (const tier of TIERS) {
      const nameless = fresh.filter((item) => item.tier === tier && item.input.id === undefined);
      const highest = fresh.reduce((max, { input }) => Math.max(max, numberOf(tier, input.id ?? "") ?? 0), 0);
      if (nameless.length === 0 && highest === 0) continue;
      let number = await this.#writer.mint(tier, nameless.length, highest);
      for (const item of nameless) ids.set(item, displayId(tier, number++));
    }
    return ids;
  }

  async #fields(item: Item, id: string, uuid: string): Promise<Result<Birth>> {
    const { input, tier, where } = item;
    const dependsOn = await this.#edges(input.dependsOn ?? [], where);
    if (!dependsOn.ok) return dependsOn;
    const kind = kindFor(item);
    if (!kind.ok) return kind;
    const files = input.files ?? [];
    return ok({
      uuid,
      id,
      tier,
      kind: kind.value,
      title: input.title,
      body: input.body ?? "",
      parent: item.parent?.nr ?? null,
      dependsOn: dependsOn.value,
      files,
      symbols: input.symbols ?? [],
      checks: input.checks ?? [],
      profile: input.profile ?? (tier === "task" ? inferProfile(files) : null),
      priority: input.priority ?? null,
      estimateHours: input.estimateHours ?? null,
      budgets: input.budgets ?? {},
      inbox: item.inbox ?? false,
      // What is added below a frozen node waits with it.
      freeze: nearestKnown(item.parent)?.freeze ?? null,
      createdAt: this.#at,
      createdBy: this.#actor,
    });
  }

  /** Content only: whatever became of the node in the meantime stays. */
  async #merge(item: Item, node: Node): Promise<Result<Change[]>> {
    const { input, where, tier } = item;
    if (input.tier !== undefined && input.tier !== tier) {
      return usage("bad-value", `${where}: ${node.id} is a ${tier} in the plan and cannot become a ${input.tier}.`);
    }
    if (!requireOpen(node).ok) return ok([]);
    const patch: { -readonly [K in keyof NodeFields]?: NodeFields[K] } = {};
    for (const field of MERGED) {
      if (input[field] !== undefined) Object.assign(patch, { [field]: input[field] });
    }
    if (input.files !== undefined && input.profile === undefined) patch.profile = profileFor(node, input.files);
    // A land task's place, kind and dependencies are the store's to keep.
    if (node.kind === "land") return ok(changeNode(node, patch));
    if (input.kind !== undefined) {
      const kind = kindFor(item);
      if (!kind.ok) return kind;
      patch.kind = kind.value;
    }
    if (input.dependsOn !== undefined) {
      const edges = await this.#edges(input.dependsOn, where);
      if (!edges.ok) return edges;
      patch.dependsOn = [...edges.value, ...node.dependsOn.filter((edge) => edge.origin !== "stated")];
    }
    const moved = item.parent ? await this.#moved(item.parent, node) : ok([]);
    return moved.ok ? ok([...changeNode(node, patch), ...moved.value]) : moved;
  }

  async #moved(parent: Item | Node, node: Node): Promise<Result<Change[]>> {
    const above = nearestKnown(parent);
    if (!above) return ok(changeNode(node, { parent: parent.nr }));
    const moved = await place(this.#writer, node, { ...above, nr: parent.nr });
    return moved.ok ? moved : inLine(node.id, moved.error);
  }

  async #edges(references: readonly string[], where: string): Promise<Result<Edge[]>> {
    const edges = new Map<Nr, Edge>();
    for (const reference of references) {
      const target = await this.#named(reference, where);
      if (!target.ok) return target;
      edges.set(target.value.nr, { on: target.value.nr, origin: "stated" });
    }
    return ok([...edges.values()]);
  }

  /** Finds the parent. A node in the plan stays where it is unless the line says otherwise. */
  async #place(item: Item): Promise<Result<void>> {
    const parent = await this.#parent(item);
    if (!parent.ok) return inLine(item.where, parent.error);
    item.parent = parent.value;
    const known = parent.value && !item.existing ? nodeOf(parent.value) : undefined;
    const open = known ? requireOpenParent(known) : ok(undefined);
    return open.ok ? ok(undefined) : inLine(item.where, open.error);
  }

  async #parent({ input, tier, existing, where }: Item): Promise<Result<Item | Node | null>> {
    if (input.parent !== undefined) return this.#named(input.parent, where);
    if (existing || tier === "mission") return ok(null);
    if (tier === "task" || tier === "story") return this.#inbox(tier);
    const [mission] = await this.#writer.children(null);
    const first = mission ?? this.#items.find((item) => item.tier === "mission");
    if (first) return ok(first);
    return absent("not-found", `There is no mission to put the ${tier} below.`, {
      hint: "`planwright init` makes one.",
    });
  }

  async #inbox(tier: Tier): Promise<Result<Item | Node>> {
    const inbox = this.#byId.get(idKey(INBOX)) ?? this.#resolved.get(INBOX) ?? (await this.#writer.byId(INBOX));
    if (inbox && nodeOf(inbox)) this.#resolved.set(INBOX, nodeOf(inbox) as Node);
    if (inbox) return ok(inbox);
    return absent("not-found", `The plan has no inbox for a ${tier} without a parent.`, {
      hint: "`planwright init` makes one; or say --parent REF.",
    });
  }

  /** In the batch or in the plan. */
  async #named(reference: string, where: string): Promise<Result<Item | Node>> {
    const inBatch = this.#byId.get(idKey(reference)) ?? this.#byUuid.get(reference.toLowerCase());
    if (inBatch) return ok(inBatch.existing ?? inBatch);
    const known = this.#resolved.get(reference);
    if (known) return ok(known);
    const found = await resolve(this.#writer, reference, this.#actor);
    if (!found.ok) return inLine(where, found.error);
    this.#resolved.set(reference, found.value);
    return found;
  }
}

/** The node itself or the nearest above it that is in the plan already, past whatever the batch puts between. */
function nearestKnown(named: Item | Node | null): Node | undefined {
  let at: Item | Node | null = named;
  for (let hops = 0; at && "input" in at && hops < TIERS.length; hops++) at = at.existing ?? at.parent;
  return at ? nodeOf(at) : undefined;
}

function kindFor({ input, tier, where }: Item): Result<Kind | null> {
  if (tier !== "task") {
    if (input.kind === undefined) return ok(null);
    return usage("bad-value", `${where}: only a task has a kind, and this is a ${tier}.`);
  }
  if (input.kind !== "land") return ok(input.kind ?? "work");
  return usage("bad-value", `${where}: a land task cannot be made by hand; every feature has its own.`, {
    hint: "Leave the line out: the land task comes with the feature.",
  });
}

const inLine = (where: string, error: Failure): Result<never> => {
  const message = error.message.startsWith(`${where}: `) ? error.message : `${where}: ${error.message}`;
  return { ok: false, error: { ...error, message } };
};

const MERGED = [
  "title",
  "body",
  "files",
  "symbols",
  "checks",
  "profile",
  "priority",
  "estimateHours",
  "budgets",
] as const;

/** A counter before the random bytes: a batch stays in order, and its index entries are appended. */
function sequential(random: Uint8Array, index: number): Uint8Array {
  random[0] = (index >> 22) & 0x0f;
  random[1] = (index >> 14) & 0xff;
  random[2] = (index >> 8) & 0x3f;
  random[3] = index & 0xff;
  return random;
}

function sentenceFor(added: readonly string[], changed: readonly string[]): string {
  const part = (verb: string, ids: readonly string[]): string[] =>
    ids.length === 0 ? [] : [`${verb} ${ids.length === 1 ? (ids[0] as string) : `${ids.length} nodes`}`];
  return [...part("added", added), ...part("changed", changed)].join(", ") || "nothing to add";
}
