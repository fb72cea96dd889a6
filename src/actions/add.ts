// Adds nodes, one or a hundred thousand, as one operation. A line whose id is already in the plan
// changes that node's content and never its progress.

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
import { absent, ok, type Result, usage } from "../graph/result.js";
import type { Writer } from "../store/store.js";
import { act, type Context } from "./context.js";
import { resolve } from "./resolve.js";

/** A node to add, and where it was written, for messages: `line 3`. */
export interface Addition {
  readonly input: NodeInput;
  readonly where: string;
}

export interface Added {
  readonly op: number | null;
  readonly added: readonly string[];
  readonly changed: readonly string[];
  /** Already in the plan just so, or finished and therefore left alone. */
  readonly unchanged: number;
}

export async function add(context: Context, additions: readonly Addition[]): Promise<Result<Added>> {
  if (additions.length === 0) {
    return absent("nothing-to-add", "There is nothing to add.", { hint: "`planwright add --help` shows how." });
  }
  const committed = await act(context, "add", async (writer, at) => {
    const batch = new Batch(writer, context.actor, at);
    const read = await batch.read(additions);
    return read.ok ? batch.decide() : read;
  });
  if (!committed.ok) return committed;
  return ok({ op: committed.value.op, ...committed.value.value });
}

interface Item extends Addition {
  readonly tier: Tier;
  readonly existing: Node | undefined;
  nr: Nr;
}

class Batch {
  readonly #writer: Writer;
  readonly #actor: string;
  readonly #at: number;
  readonly #items: Item[] = [];
  readonly #byId = new Map<string, Item>();
  readonly #resolved = new Map<string, Node>();

  constructor(writer: Writer, actor: string, at: number) {
    this.#writer = writer;
    this.#actor = actor;
    this.#at = at;
  }

  /** First all ids, so that lines may refer to each other in any order. */
  async read(additions: readonly Addition[]): Promise<Result<void>> {
    for (const { input, where } of additions) {
      const existing = input.id === undefined ? undefined : await this.#writer.byId(input.id);
      const item: Item = {
        input,
        where,
        existing,
        tier: existing?.tier ?? input.tier ?? "task",
        nr: existing?.nr ?? 0,
      };
      if (input.id !== undefined) {
        const twin = this.#byId.get(idKey(input.id));
        if (twin) {
          return usage("duplicate-id", `${where}: the id ${input.id} is already used in ${twin.where}.`, {
            hint: "Give each node an id of its own.",
          });
        }
        this.#byId.set(idKey(input.id), item);
      }
      this.#items.push(item);
    }
    const fresh = this.#items.filter((item) => !item.existing);
    let nr = fresh.length > 0 ? await this.#writer.allocate(fresh.length) : 0;
    for (const item of fresh) item.nr = nr++;
    return ok(undefined);
  }

  async decide() {
    const ids = await this.#mintIds();
    const random = Buffer.from(await this.#writer.random(10), "hex");
    const changes: Change[] = [];
    const added: string[] = [];
    const changed: string[] = [];
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

  async #mintIds(): Promise<Map<Item, string>> {
    const ids = new Map<Item, string>();
    for (const tier of TIERS) {
      const items = this.#items.filter((item) => item.tier === tier && !item.existing);
      if (items.length === 0) continue;
      const nameless = items.filter((item) => item.input.id === undefined);
      const highest = items.reduce((max, { input }) => Math.max(max, numberOf(tier, input.id ?? "") ?? 0), 0);
      let number = await this.#writer.mint(tier, nameless.length, highest);
      for (const item of nameless) ids.set(item, displayId(tier, number++));
    }
    return ids;
  }

  async #fields(item: Item, id: string, uuid: string): Promise<Result<Birth>> {
    const { input, tier, where } = item;
    const parent = await this.#parent(item);
    if (!parent.ok) return parent;
    const dependsOn = await this.#edges(input.dependsOn ?? [], where);
    if (!dependsOn.ok) return dependsOn;
    if (input.kind !== undefined && tier !== "task") {
      return usage("bad-value", `${where}: only a task has a kind, and this is a ${tier}.`);
    }
    const kind: Kind | null = tier === "task" ? (input.kind ?? "work") : null;
    const files = input.files ?? [];
    return ok({
      uuid,
      id,
      tier,
      kind,
      title: input.title,
      body: input.body ?? "",
      parent: parent.value?.nr ?? null,
      dependsOn: dependsOn.value,
      files,
      symbols: input.symbols ?? [],
      checks: input.checks ?? [],
      profile: input.profile ?? (tier === "task" ? inferProfile(files) : null),
      priority: input.priority ?? null,
      estimateHours: input.estimateHours ?? null,
      budgets: input.budgets ?? {},
      // What is added below a frozen node waits with it.
      freeze: parent.value?.freeze ?? null,
      createdAt: this.#at,
      createdBy: this.#actor,
    });
  }

  async #merge({ input, where, tier }: Item, node: Node): Promise<Result<Change[]>> {
    if (input.tier !== undefined && input.tier !== tier) {
      return usage("bad-value", `${where}: ${node.id} is a ${tier} in the plan and cannot become a ${input.tier}.`);
    }
    if (node.outcome?.kind === "done") return ok([]);
    const patch: { -readonly [K in keyof NodeFields]?: NodeFields[K] } = {};
    if (input.parent !== undefined) {
      const parent = await this.#named(input.parent, where);
      if (!parent.ok) return parent;
      patch.parent = parent.value.nr;
    }
    if (input.dependsOn !== undefined) {
      const edges = await this.#edges(input.dependsOn, where);
      if (!edges.ok) return edges;
      patch.dependsOn = [...edges.value, ...node.dependsOn.filter((edge) => edge.origin !== "stated")];
    }
    for (const field of MERGED) {
      if (input[field] !== undefined) Object.assign(patch, { [field]: input[field] });
    }
    return ok(changeNode(node, patch));
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

  async #parent({ input, tier, where }: Item): Promise<Result<{ nr: Nr; freeze?: Node["freeze"] } | null>> {
    if (tier === "mission") return ok(null);
    if (input.parent !== undefined) return this.#named(input.parent, where);
    if (tier === "task" || tier === "story") return this.#named("INBOX", where);
    const [mission] = await this.#writer.children(null);
    const first = mission ?? this.#items.find((item) => item.tier === "mission");
    if (first) return ok(first);
    return absent("not-found", `${where}: there is no mission to put the ${tier} below.`, {
      hint: "`planwright add --tier mission TITLE` makes one.",
    });
  }

  /** In the batch or in the plan. */
  async #named(reference: string, where: string): Promise<Result<{ nr: Nr; freeze?: Node["freeze"] }>> {
    const inBatch = this.#byId.get(idKey(reference));
    if (inBatch) return ok(inBatch.existing ?? inBatch);
    const known = this.#resolved.get(reference);
    if (known) return ok(known);
    const found = await resolve(this.#writer, reference, this.#actor);
    if (!found.ok) {
      return { ok: false, error: { ...found.error, message: `${where}: ${found.error.message}` } };
    }
    this.#resolved.set(reference, found.value);
    return found;
  }
}

const MERGED = [
  "title",
  "body",
  "kind",
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
