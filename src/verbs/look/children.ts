import type { Node, Nr } from "../../model/node/node.js";
import { resolve } from "../../plan/base/resolve.js";
import { occupiedNow } from "../../plan/base/surroundings.js";
import type { Reader } from "../../store/store.js";
import { type Context, fields, flag, type Infer, node, ok, optional, planVerb, wholeNumber } from "../kit/verb.js";
import { toTreeRow } from "./tree-row.js";

export const input = fields({
  reference: optional(node("the node; without one, the top of the plan")),
  from: optional(wholeNumber("leave out the first N children", 0, Number.MAX_SAFE_INTEGER)),
  limit: optional(wholeNumber("at most N children (200)", 1, 10_000)),
  all: optional(flag("also archived and dropped nodes")),
});

export const verb = planVerb({
  command: { words: "children", hidden: true, group: "look", positional: ["reference"] },
  summary: "List the children of a node, page by page",
  effect: "reads",
  input,
  examples: [
    { input: { reference: "FEAT-001" }, does: "lists its stories and tasks, each with its status" },
    { input: { reference: "FEAT-001", from: 200 }, does: "lists the next ones" },
  ],
  run: listChildren,
});

const DEFAULT_LIMIT = 200;

/**
 * `node`: itself; null for the top. `above`: from its parent to the top. `index`: where it stands among its siblings that are shown,
 * from 0; null for the top, and for one that is not shown.
 */
export function listChildren(context: Context, asked: Infer<typeof input> = {}) {
  const { reference, from = 0, limit = DEFAULT_LIMIT, all = false } = asked;
  return context.store.read(async (reader) => {
    const node = reference === undefined ? undefined : await resolve(reader, reference, context);
    if (node && !node.ok) return node;
    const occupied = await occupiedNow(reader);
    const parent = node?.value ?? null;
    const { nodes, total } = await reader.childPage(parent?.nr ?? null, { ...shownBelow(parent, all), from, limit });
    return ok({
      node: parent && (await toTreeRow(reader, parent, occupied)),
      above: parent ? await above(reader, parent.nr) : [],
      index: parent && (await indexOf(reader, parent, all)),
      children: await Promise.all(nodes.map((child) => toTreeRow(reader, child, occupied))),
      from,
      total,
    });
  });
}

/** An open land task has no purpose before there is something to land. */
const shownBelow = (parent: Node | null, all: boolean): { readonly all: boolean; readonly lands: boolean } => ({
  all,
  lands: all || (parent?.tasksLive ?? 1) > 0,
});

async function indexOf(reader: Reader, node: Node, all: boolean): Promise<number | null> {
  const parent = node.parent === null ? null : ((await reader.node(node.parent)) ?? null);
  const shown = { ...shownBelow(parent, all), limit: 1 };
  const { nodes, total } = await reader.childPage(node.parent, { ...shown, from: 0, after: node.nr - 1 });
  if (nodes[0]?.nr !== node.nr) return null;
  return (await reader.childPage(node.parent, { ...shown, from: 0 })).total - total;
}

const above = async (reader: Reader, nr: Nr) =>
  (await reader.ancestors(nr)).map(({ id, title, tier }) => ({ id, title, tier }));
