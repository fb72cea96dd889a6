// Ends conflicts: as a person chose, each choice in one operation, or by themselves when nothing is in the way any more.

import {
  type Clash,
  CONFLICT_CHOICES,
  type ConflictChoice,
  conflictBehind,
  freezeReason,
  withConflictEdge,
  withoutConflictEdge,
} from "../../model/conflict/conflict.js";
import { changeItem, type Item } from "../../model/item/item.js";
import { step } from "../../model/next-step.js";
import type { Node, NodeFields, Nr } from "../../model/node/node.js";
import { type Change, changeNode } from "../../model/operation/change.js";
import { absent, ok, type Result, refused } from "../../model/result.js";
import { mootness } from "../../model/rules/arbitrate.js";
import { freezePatch } from "../../model/rules/freeze.js";
import type { Reader, Writer } from "../../store/store.js";
import { act, actWithNumber, type Context } from "../base/context.js";
import { findItem } from "../item/find-item.js";
import { withdraw } from "../question/raise.js";
import type { Maker } from "../record/save-record.js";
import { askAbout, type Recorder } from "./record-conflict.js";

export const isConflictChoice = (word: string): word is ConflictChoice =>
  CONFLICT_CHOICES.some((choice) => choice === word);

export async function resolveConflict(
  context: Context,
  { id, choice }: { readonly id: string; readonly choice: ConflictChoice },
) {
  const { actor: by } = context;
  return actWithNumber(context, "conflict", async (writer, at) => {
    const found = await findItem(writer, "conflict", id);
    if (!found.ok) return found;
    const resolved = await resolution(writer, found.value, choice, { by, at, commit: context.head() });
    if (!resolved.ok) return resolved;
    const { changes, ...value } = resolved.value;
    return ok({ sentence: `${by} resolved ${value.id} by ${choice}: ${value.effect}`, changes, value });
  });
}

/** Also called when a person answers the question that was asked about it. */
export async function resolution(writer: Writer, item: Item<"conflict">, choice: ConflictChoice, maker: Recorder) {
  const { key, fields } = item;
  if (fields.state === "settled") {
    return refused("settled", `${key} is settled already: ${fields.resolution ?? "there is no conflict any more"}.`, {
      next: [step("conflicts.show", { id: key })],
    });
  }
  const [first, second] = [await writer.node(fields.first), await writer.node(fields.second)];
  if (!first || !second) {
    return absent("gone", `One of the two tasks of ${key} no longer exists.`, { next: [step("log")] });
  }
  const patches = new Patches(writer);
  const applied = await APPLY[choice]({ writer, item, first, second, patches, maker });
  if (!applied.ok) return applied;
  const { effect, stays, changes = [] } = applied.value;
  const steps = [...fields.steps, { at: maker.at, by: maker.by, what: `${choice}: ${effect}` }];
  const own = stays
    ? changeItem(item, { ...stays, steps })
    : [...settledWith(item, choice, maker), ...(await withdraw(writer, key))];
  const state = stays ? ("open" as const) : ("settled" as const);
  return ok({ id: key, choice, state, effect, changes: [...own, ...changes, ...patches.changes()] });
}

interface Case {
  readonly writer: Writer;
  readonly item: Item<"conflict">;
  readonly first: Node;
  readonly second: Node;
  readonly patches: Patches;
  readonly maker: Recorder;
}

interface AppliedChoice {
  /** What happened to the two tasks, in words. */
  readonly effect: string;
  /** It stays open, and this is what changes about it. */
  readonly stays?: Partial<Item<"conflict">["fields"]>;
  readonly changes?: readonly Change[];
}

const APPLY: Readonly<Record<ConflictChoice, (each: Case) => Promise<Result<AppliedChoice>>>> = {
  "accept-proposed": ({ first, second, ...rest }) => stands(second, first, rest),
  "accept-blocker": ({ first, second, ...rest }) => stands(first, second, rest),
  sequential,
  "freeze-both": freezeBoth,
  escalate,
};

/** One stays as it is planned. The other waits for it and needs a new approval. */
async function stands(winner: Node, other: Node, { item: { key }, patches }: Pick<Case, "item" | "patches">) {
  const may = mayWait(other);
  if (!may.ok) return may;
  if (winner.outcome === null) {
    await patches.put(winner.nr, (node) => ({
      ...thawed(node, key),
      dependsOn: withoutConflictEdge(node.dependsOn, other.nr),
    }));
  }
  await patches.put(other.nr, (node) => ({
    ...thawed(node, key),
    dependsOn: withConflictEdge(node.dependsOn, winner.nr),
    approval: null,
  }));
  return ok({ effect: `${other.id} waits for ${winner.id}, and has to be approved again` });
}

function mayWait(node: Node): Result<void> {
  if (node.outcome !== null) {
    return refused("settled", `${node.id} is ${node.outcome.kind} and stays as it is.`, {
      next: [step("why", { reference: node.id })],
    });
  }
  if (node.claim === null) return ok(undefined);
  const message = `${node.claim.by} is working on ${node.id}. Wait until it is done or released.`;
  return refused("in-flight", message, { details: { id: node.id, by: node.claim.by }, next: [step("claim.list")] });
}

async function sequential({ writer, item, first, second, patches }: Case): Promise<Result<AppliedChoice>> {
  const { key } = item;
  for (const { nr } of [first, second]) await patches.put(nr, (node) => thawed(node, key));
  // The blocker may have come to wait for the other by another way since.
  const reversed = (await writer.path([first.nr], [second.nr])) !== undefined;
  if (reversed) {
    await patches.put(second.nr, (node) => ({ dependsOn: withoutConflictEdge(node.dependsOn, first.nr) }));
    return ok({ effect: `${first.id} waits for ${second.id} already` });
  }
  if (second.outcome === null) {
    await patches.put(second.nr, (node) => ({ dependsOn: withConflictEdge(node.dependsOn, first.nr) }));
  }
  return ok({ effect: `${second.id} waits for ${first.id}` });
}

async function freezeBoth({ item: { key }, first, second, patches, maker }: Case): Promise<Result<AppliedChoice>> {
  const { by, at, commit } = maker;
  const frozen: string[] = [];
  for (const node of [first, second]) {
    if (node.outcome !== null || node.freeze !== null) continue;
    frozen.push(node.id);
    const other = node === first ? second : first;
    const reason = freezeReason(key, `it overlaps with ${other.id}, and ${by} stopped both`);
    await patches.put(node.nr, () => freezePatch(node.nr, { reason, by, at, commit }));
  }
  const effect =
    frozen.length === 0 ? "both are frozen already" : `${frozen.join(" and ")} are frozen until you decide`;
  return ok({ effect, stays: { arbitration: "freeze" } });
}

async function escalate({ writer, item, first, second, patches, maker }: Case): Promise<Result<AppliedChoice>> {
  const { key, fields } = item;
  const clash: Clash = { layer: fields.layer, files: fields.files, symbols: fields.symbols, first, second };
  const changes = await askAbout(writer, key, clash, `${maker.by} wants it decided`, maker);
  const effect = changes.length === 0 ? "the question is open already" : "a question is open";
  const stays = { arbitration: "escalate" } as const;
  if (second.outcome !== null || second.freeze !== null) return ok({ effect, stays, changes });
  // You said so, therefore it stops also what is worked on.
  const { by, at, commit } = maker;
  const reason = freezeReason(key, `it overlaps with ${first.id}, and a question is open`);
  await patches.put(second.nr, () => freezePatch(second.nr, { reason, by, at, commit }));
  return ok({ effect: `${effect}, and ${second.id} is stopped`, stays, changes });
}

/** Settles conflicts whose first task is done or will not be done. Answers with their keys. */
export async function settleConflicts(context: Context): Promise<string[]> {
  if ((await context.store.read(findMoot)).length === 0) return [];
  const committed = await act<string[]>(context, "conflict", async (writer, at) => {
    const moot = await findMoot(writer);
    const patches = new Patches(writer);
    const changes: Change[] = [];
    for (const { item, why } of moot) {
      changes.push(...settledWith(item, why, { by: context.actor, at }), ...(await withdraw(writer, item.key)));
      await patches.release(item);
    }
    const sentence = moot.map(({ item, why }) => `${item.key} is settled: ${why}`).join("; ");
    return ok({ sentence, changes: [...changes, ...patches.changes()], value: moot.map(({ item }) => item.key) });
  });
  return committed.ok ? committed.value.value : [];
}

export const settledWith = (item: Item<"conflict">, resolution: string, { by, at }: Maker): Change[] =>
  changeItem(item, {
    state: "settled",
    resolution,
    settledAt: at,
    settledBy: by,
    steps: [...item.fields.steps, { at, by, what: `settled: ${resolution}` }],
  });

async function findMoot(reader: Reader) {
  const found: { item: Item<"conflict">; why: string }[] = [];
  for (const item of await reader.items("conflict", { state: "open" })) {
    const { first, second } = item.fields;
    const [blocker, waiting] = [await reader.node(first), await reader.node(second)];
    const why = mootness(blocker, waiting, {
      isMet: await isMet(reader, waiting, first),
      isAsked: item.fields.arbitration === "escalate",
    });
    if (why !== null) found.push({ item, why });
  }
  return found;
}

/** Across features a dependency is met when the other feature has landed. Without an edge nothing waits. */
async function isMet(reader: Reader, node: Node | undefined, on: Nr): Promise<boolean> {
  if (!node?.dependsOn.some((edge) => edge.on === on)) return true;
  const links = await reader.dependencies(node);
  return links.some(({ target, state }) => target.nr === on && state === "met");
}

/** Collects changes by task, because one task may be in several conflicts. */
class Patches {
  readonly #reader: Reader;
  readonly #nodes = new Map<Nr, { node: Node; patch: Partial<NodeFields> }>();

  constructor(reader: Reader) {
    this.#reader = reader;
  }

  async put(nr: Nr, patch: (node: Node) => Partial<NodeFields>): Promise<void> {
    const node = this.#nodes.get(nr)?.node ?? (await this.#reader.node(nr));
    if (!node) return;
    const known = this.#nodes.get(nr)?.patch ?? {};
    this.#nodes.set(nr, { node, patch: { ...known, ...patch({ ...node, ...known }) } });
  }

  /** Removes the edge unless it is met, and the freeze that this conflict made. */
  async release({ key, fields: { first, second } }: Item<"conflict">): Promise<void> {
    const blocker = await this.#reader.node(first);
    const done = blocker?.outcome?.kind === "done";
    await this.put(second, (node) => ({
      ...thawed(node, key),
      ...(done || node.outcome !== null ? {} : { dependsOn: withoutConflictEdge(node.dependsOn, first) }),
    }));
    await this.put(first, (node) => thawed(node, key));
  }

  changes(): Change[] {
    return [...this.#nodes.values()].flatMap(({ node, patch }) => changeNode(node, patch));
  }
}

/** Without the freeze that this conflict made. */
const thawed = (node: Node, key: string): Partial<NodeFields> =>
  node.outcome === null && conflictBehind(node) === key ? { freeze: null } : {};
