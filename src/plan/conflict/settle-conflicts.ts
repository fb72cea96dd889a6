// Settles conflicts by themselves: when the task that goes first is done, or will not be done.

import { conflictBehind, withoutConflictEdge } from "../../model/conflict/conflict.js";
import { changeItem, type Item } from "../../model/item/item.js";
import type { Node, NodeFields, Nr } from "../../model/node/node.js";
import { type Change, changeNode } from "../../model/operation/change.js";
import { ok } from "../../model/result.js";
import { mootness } from "../../model/rules/arbitrate.js";
import type { Reader } from "../../store/store.js";
import { act, type Context } from "../base/context.js";
import { withdraw } from "../question/raise.js";
import type { Maker } from "../record/save-record.js";

/** Answers with the keys of those that it settled. Writes nothing if there are none. */
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
export class Patches {
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
export const thawed = (node: Node, key: string): Partial<NodeFields> =>
  node.outcome === null && conflictBehind(node) === key ? { freeze: null } : {};
