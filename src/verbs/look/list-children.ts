// The children of one node, page by page: a tree of any size opens branch by branch.

import type { Node, Nr, Tier } from "../../model/node/node.js";
import { ok, type Result } from "../../model/result.js";
import type { Context } from "../../plan/context.js";
import { resolve } from "../../plan/resolve.js";
import type { Reader } from "../../store/store.js";
import { type TreeRow, TreeRows } from "./tree-row.js";

export interface TreePage {
  /** The node itself; null for the top. */
  readonly node: TreeRow | null;
  /** From the node's parent to the top. */
  readonly above: readonly { readonly id: string; readonly title: string; readonly tier: Tier }[];
  /** Where the node stands among its siblings that are shown, from 0; null for the top, and for one that is not shown. */
  readonly index: number | null;
  readonly children: readonly TreeRow[];
  readonly from: number;
  readonly total: number;
}

export interface TreeInput {
  readonly reference?: string;
  readonly from?: number;
  readonly limit?: number;
  readonly all?: boolean;
}

const USUAL_LIMIT = 200;

export function listChildren(context: Context, input: TreeInput = {}): Promise<Result<TreePage>> {
  const { reference, from = 0, limit = USUAL_LIMIT, all = false } = input;
  return context.store.read(async (reader) => {
    const node = reference === undefined ? undefined : await resolve(reader, reference, context.actor);
    if (node && !node.ok) return node;
    const rows = new TreeRows(reader);
    const parent = node?.value ?? null;
    const { nodes, total } = await reader.childPage(parent?.nr ?? null, { ...shownBelow(parent, all), from, limit });
    const page: TreeRow[] = [];
    for (const child of nodes) page.push(await rows.of(child));
    return ok({
      node: parent && (await rows.of(parent)),
      above: parent ? await above(reader, parent.nr) : [],
      index: parent && (await indexOf(reader, parent, all)),
      children: page,
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

const above = async (reader: Reader, nr: Nr): Promise<TreePage["above"]> =>
  (await reader.ancestors(nr)).map(({ id, title, tier }) => ({ id, title, tier }));
