// Adds nodes, one or a hundred thousand, as one operation. A node whose id is already in the plan changes that node's
// content and never its progress.

import type { Actor } from "../../model/actor.js";
import { step } from "../../model/next-step.js";
import { type NodeInput, RESTATED } from "../../model/node/content.js";
import { displayId, idKey, numberedAs } from "../../model/node/ids.js";
import {
  type Birth,
  type Edge,
  type Kind,
  type Node,
  type NodeFields,
  type Nr,
  TIERS,
  type Tier,
} from "../../model/node/node.js";
import { inferProfile, profileFor } from "../../model/node/profile.js";
import { uuid7s } from "../../model/node/uuid7.js";
import { type Change, changeNode, createNode } from "../../model/operation/change.js";
import { absent, type Failure, ok, type Result, refused, usage } from "../../model/result.js";
import { isBugs } from "../../model/status/rollup.js";
import { withArticle } from "../../model/words.js";
import type { Writer } from "../../store/store.js";
import { actWithNumber, type Context } from "../base/context.js";
import type { FocusOwner } from "../base/focus.js";
import { requireOpen, requireOpenParent } from "../base/require-open.js";
import { resolve } from "../base/resolve.js";
import { retitleLand } from "./approve.js";
import { type Bug, homeOfBugs, isBug, needsOwnFeature } from "./bugs.js";
import { place } from "./move-branch.js";

/** A node to add, and where it was written, for messages: `nodes[2]`; empty where there is only one. */
export interface Addition {
  readonly input: NodeInput;
  readonly where: string;
  /** It must not be in the plan yet. */
  readonly isNew?: boolean;
  /** A planning-only inbox. */
  readonly inbox?: boolean;
}

export const INBOX = "INBOX";

export async function add(context: Context, additions: readonly Addition[]) {
  if (additions.length === 0) return absent("nothing-to-add", "There is nothing to add.");
  return actWithNumber(context, "add", (writer, at) => decideAdditions(writer, context, at, additions));
}

/** For any operation that makes nodes. */
export async function decideAdditions(writer: Writer, asker: FocusOwner, at: number, additions: readonly Addition[]) {
  const batch = new Batch(writer, asker, at);
  const read = await batch.read(additions);
  return read.ok ? batch.decide() : read;
}

interface Item extends Addition {
  readonly tier: Tier;
  readonly existing: Node | undefined;
  nr: Nr;
  /** Null until it is found, and for a mission. */
  parent: Item | Node | null;
  /** What it refers to, found or not: where it goes, and what it depends on. */
  home: Result<Item | Node> | null;
  targets: readonly Result<Item | Node>[];
}

const NONE: readonly never[] = [];

const nodeOf = (named: Item | Node): Node | undefined => ("input" in named ? named.existing : named);

const idIn = (named: Item | Node): string => ("input" in named ? (named.input.id ?? "") : named.id);

class Batch {
  readonly #writer: Writer;
  readonly #asker: FocusOwner;
  readonly #actor: Actor;
  readonly #at: number;
  readonly #items: Item[] = [];
  readonly #byId = new Map<string, Item>();
  readonly #byUuid = new Map<string, Item>();
  /** What nodes refer to outside the batch, found or not. */
  readonly #outside = new Map<string, Result<Node>>();
  readonly #homes = new Map<Tier, Result<Item | Node>>();
  /** The features that are made around bugs. */
  readonly #around = new Map<Item, Item>();

  constructor(writer: Writer, asker: FocusOwner, at: number) {
    this.#writer = writer;
    this.#asker = asker;
    this.#actor = asker.actor;
    this.#at = at;
  }

  /** First all ids, so that nodes may refer to each other in any order. */
  async read(additions: readonly Addition[]): Promise<Result<void>> {
    const ids = additions.flatMap(({ input }) => input.id ?? []);
    const named = new Map((await this.#writer.byIds(ids)).map((node) => [idKey(node.id), node]));
    for (const addition of additions) {
      const { input, where, inbox = false } = addition;
      const key = input.id === undefined ? undefined : idKey(input.id);
      const node = key === undefined ? undefined : named.get(key);
      const existing = input.uuid === undefined ? ok(node) : await this.#existing(addition, node);
      if (!existing.ok) return existing;
      if (addition.isNew && existing.value) return idTaken(where, existing.value);
      const { tier = input.tier ?? "task", nr = 0 } = existing.value ?? {};
      const open = { parent: null, home: null, targets: NONE };
      const item: Item = { input, where, inbox, existing: existing.value, tier, nr, ...open };
      const registered = this.#register(item, key ?? (existing.value && idKey(existing.value.id)));
      if (!registered.ok) return registered;
      this.#items.push(item);
    }
    const fresh = this.#items.filter((item) => !item.existing);
    let nr = fresh.length > 0 ? await this.#writer.allocate(fresh.length) : 0;
    for (const item of fresh) item.nr = nr++;
    await this.#lookAround();
    await this.#putBugsIntoFeatures();
    return ok(undefined);
  }

  /** A bug is a feature of its own, so that its fix lands although other bugs are open. */
  async #putBugsIntoFeatures(): Promise<void> {
    for (const item of this.#items) {
      const above = item.home?.ok ? item.home.value : undefined;
      if (!above || !isBug(item) || !isBugs({ id: idIn(above), tier: above.tier })) continue;
      const known = nodeOf(above);
      if (item.existing && known && !(await needsOwnFeature(this.#writer, item.existing, known))) {
        item.home = null;
        continue;
      }
      const home = known ? await homeOfBugs(this.#writer, known) : above;
      const { input, where } = item;
      const nr = await this.#writer.allocate(1);
      const rest = { existing: undefined, tier: "feature", nr, parent: null, home: ok(home), targets: NONE } as const;
      const feature: Item = { input: { tier: "feature", title: input.title }, where, ...rest };
      item.home = ok(feature);
      this.#items.push(feature);
      this.#around.set(item, feature);
    }
  }

  /** Everything is read before anything is decided, so that what runs a hundred thousand times awaits nothing. */
  async #lookAround(): Promise<void> {
    for (const item of this.#items) {
      const { parent, dependsOn = NONE } = item.input;
      if (parent !== undefined) item.home = this.#known(parent) ?? (await this.#look(parent));
      else if (!item.existing && item.tier !== "mission") item.home = await this.#homeOf(item.tier);
      if (dependsOn.length === 0) continue;
      const targets: Result<Item | Node>[] = [];
      for (const each of dependsOn) targets.push(this.#known(each) ?? (await this.#look(each)));
      item.targets = targets;
    }
  }

  /** Finds it in the batch, or among what was looked up before. */
  #known(reference: string): Result<Item | Node> | undefined {
    const key = idKey(reference);
    const inBatch = this.#byId.get(key) ?? this.#byUuid.get(key);
    return inBatch ? ok(inBatch.existing ?? inBatch) : this.#outside.get(reference);
  }

  async #look(reference: string): Promise<Result<Node>> {
    const found = await resolve(this.#writer, reference, this.#asker);
    this.#outside.set(reference, found);
    return found;
  }

  /** The node in the plan that this one is about. An id and a UUID that disagree are two nodes, not one. */
  async #existing({ input: { id, uuid = "" }, where }: Addition, named?: Node): Promise<Result<Node | undefined>> {
    if (named?.uuid === uuid) return ok(named);
    const known = await this.#writer.byUuid(uuid);
    const other = named ?? (id === undefined ? undefined : known);
    return other ? idTaken(where, other) : ok(known);
  }

  /** `key`: of its id, if it has one yet. */
  #register(item: Item, key: string | undefined): Result<void> {
    const { input, where, existing } = item;
    const twice = (what: string, twin: Item): Result<never> =>
      usage("duplicate-id", at(where, `The ${what} is already used in ${twin.where}.`));
    const uuid = input.uuid ?? existing?.uuid;
    const sameId = key === undefined ? undefined : this.#byId.get(key);
    if (sameId) return twice(`id ${input.id ?? existing?.id}`, sameId);
    const sameUuid = uuid === undefined ? undefined : this.#byUuid.get(uuid);
    if (sameUuid) return twice(`UUID ${uuid as string}`, sameUuid);
    if (key !== undefined) this.#byId.set(key, item);
    if (uuid !== undefined) this.#byUuid.set(uuid, item);
    return ok(undefined);
  }

  /**
   * `added`: what was asked for. `unchanged`: in the plan already with the same content, or finished. `inInbox`: of the added, where
   * nothing runs. `bugs`: which feature was made around which bug.
   */
  async decide() {
    const ids = await this.#mintIds();
    const uuidOf = uuid7s(this.#at, Buffer.from(await this.#writer.random(10), "hex"));
    const changes: Change[] = [];
    const added: string[] = [];
    const changed: string[] = [];
    const inInbox: string[] = [];
    const features = new Set(this.#around.values());
    for (const item of this.#items) {
      const placed = this.#place(item);
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
      const fields = this.#fields(item, id, item.input.uuid ?? uuidOf(index++));
      if (!fields.ok) return fields;
      changes.push(createNode(item.nr, fields.value));
      if (features.has(item)) continue;
      added.push(id);
      if (nearestKnown(item.parent)?.shelved) inInbox.push(id);
    }
    const unchanged = this.#items.length - features.size - added.length - changed.length;
    const bugs = [...this.#around].map(([item, feature]) => ({
      id: item.existing?.id ?? item.input.id ?? ids.get(item) ?? "",
      feature: ids.get(feature) ?? "",
    }));
    return ok({
      sentence: sentenceFor(added, changed, bugs),
      changes,
      value: { added, changed, unchanged, inInbox, ...(bugs.length > 0 && { bugs }) },
    });
  }

  /** New numbers are above every number of that form that was chosen, whatever tier it was chosen for. */
  async #mintIds(): Promise<Map<Item, string>> {
    const ids = new Map<Item, string>();
    const highest = new Map<Tier, number>();
    const unnamed: Item[] = [];
    for (const item of this.#items) {
      if (item.existing) continue;
      if (item.input.id === undefined) unnamed.push(item);
      const chosen = item.input.id === undefined ? undefined : numberedAs(item.input.id);
      if (chosen) highest.set(chosen.tier, Math.max(chosen.number, highest.get(chosen.tier) ?? 0));
    }
    for (const tier of TIERS) {
      const nameless = unnamed.filter((item) => item.tier === tier);
      const atLeast = highest.get(tier) ?? 0;
      if (nameless.length === 0 && atLeast === 0) continue;
      let number = await this.#writer.mint(tier, nameless.length, atLeast);
      for (const item of nameless) ids.set(item, displayId(tier, number++));
    }
    return ids;
  }

  #fields(item: Item, id: string, uuid: string): Result<Birth> {
    const { input, tier } = item;
    const dependsOn = edgesOf(item);
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
      // What is added below a frozen node is frozen too.
      freeze: nearestKnown(item.parent)?.freeze ?? null,
      createdAt: this.#at,
      createdBy: this.#actor,
    });
  }

  /** Content only: approvals, claims and results stay. */
  async #merge(item: Item, node: Node): Promise<Result<Change[]>> {
    const { input, where, tier } = item;
    if (input.tier !== undefined && input.tier !== tier) {
      return usage(
        "bad-value",
        at(where, `${node.id} is ${withArticle(tier)} in the plan and cannot become a ${input.tier}.`),
      );
    }
    if (!requireOpen(node).ok) return ok([]);
    const patch: { -readonly [K in keyof NodeFields]?: NodeFields[K] } = {};
    for (const field of RESTATED) {
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
      const edges = edgesOf(item);
      if (!edges.ok) return edges;
      patch.dependsOn = [...edges.value, ...node.dependsOn.filter((edge) => edge.origin !== "stated")];
    }
    const moved = item.parent ? await this.#moved(item.parent, node) : ok([]);
    if (!moved.ok) return moved;
    const land = await retitleLand(this.#writer, this.#actor, node, patch.title);
    return ok([...changeNode(node, patch), ...moved.value, ...land]);
  }

  async #moved(parent: Item | Node, node: Node): Promise<Result<Change[]>> {
    const above = nearestKnown(parent);
    if (!above) return ok(changeNode(node, { parent: parent.nr }));
    const moved = await place(this.#writer, this.#actor, node, { ...above, nr: parent.nr });
    return moved.ok ? moved : inLine(node.id, moved.error);
  }

  /** Finds the parent. A node in the plan stays where it is unless it says otherwise. */
  #place(item: Item): Result<void> {
    if (item.home === null) return ok(undefined);
    if (!item.home.ok) return inLine(item.where, item.home.error);
    item.parent = item.home.value;
    const known = item.existing ? undefined : nodeOf(item.parent);
    const open = known ? requireOpenParent(known) : ok(undefined);
    return open.ok ? ok(undefined) : inLine(item.where, open.error);
  }

  /** Where a node goes that names no parent. */
  async #homeOf(tier: Tier): Promise<Result<Item | Node>> {
    const found = this.#homes.get(tier) ?? (await this.#findHome(tier));
    this.#homes.set(tier, found);
    return found;
  }

  /** A task or story without a parent goes to the inbox, everything else below the mission. */
  async #findHome(tier: Tier): Promise<Result<Item | Node>> {
    const next = [step("init")];
    if (tier === "task" || tier === "story") {
      const inbox = this.#byId.get(idKey(INBOX)) ?? (await this.#writer.byId(INBOX));
      return inbox ? ok(inbox) : absent("not-found", `The plan has no inbox for a ${tier} without a parent.`, { next });
    }
    const [mission = this.#items.find((item) => item.tier === "mission")] = await this.#writer.children(null);
    return mission ? ok(mission) : absent("not-found", `There is no mission to put the ${tier} below.`, { next });
  }
}

function edgesOf({ targets, where }: Item): Result<Edge[]> {
  const edges: Edge[] = [];
  for (const target of targets) {
    if (!target.ok) return inLine(where, target.error);
    const on = target.value.nr;
    if (!edges.some((edge) => edge.on === on)) edges.push({ on, origin: "stated" });
  }
  return ok(edges);
}

/** The node itself or the nearest above it that is in the plan already, past whatever the batch puts between. */
function nearestKnown(named: Item | Node | null): Node | undefined {
  let at: Item | Node | null = named;
  for (let hops = 0; at && "input" in at && hops < TIERS.length; hops++) at = at.existing ?? at.parent;
  return at ? nodeOf(at) : undefined;
}

function kindFor({ input, tier, where }: Item): Result<Kind | null> {
  if (tier !== "task" && input.kind === undefined) return ok(null);
  if (tier !== "task")
    return usage("bad-value", at(where, `Only a task has a kind, and this is ${withArticle(tier)}.`));
  if (input.kind !== "land") return ok(input.kind ?? "work");
  return usage("bad-value", at(where, "A land task comes with its feature and cannot be added."));
}

const at = (where: string, message: string): string => (where === "" ? message : `${where}: ${message}`);

const inLine = (where: string, error: Failure): Result<never> => ({
  ok: false,
  error: { ...error, message: at(where, error.message) },
});

function idTaken(where: string, { id, uuid, title }: Node): Result<never> {
  const next = [step("show", { reference: id }), step("edit", { reference: id })];
  return refused("id-taken", at(where, `${id} is another node in the plan: ${title}`), { details: { id, uuid }, next });
}

function sentenceFor(added: readonly string[], changed: readonly string[], bugs: readonly Bug[]): string {
  const part = (verb: string, ids: readonly string[]): string[] =>
    ids.length === 0 ? [] : [`${verb} ${ids.length === 1 ? (ids[0] as string) : `${ids.length} nodes`}`];
  const around = bugs.length === 1 ? ` in ${bugs[0]?.feature}` : bugs.length > 1 ? " in features of their own" : "";
  return `${[...part("added", added), ...part("changed", changed)].join(", ") || "added nothing"}${around}`;
}
