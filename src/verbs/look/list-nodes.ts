// The nodes that fit a filter, as a flat list.

import { matchesGlob } from "../../model/conflict/glob.js";
import type { Kind, Node, Nr, Tier } from "../../model/node/node.js";
import { ok, type Result } from "../../model/result.js";
import { deriveStatus, type Reason, type Status } from "../../model/status/status.js";
import type { Context } from "../../plan/context.js";
import { gatherSurroundings, occupiedNow } from "../../plan/holds/gather-surroundings.js";
import { type NodeStanding, standings } from "../../plan/overview/standings.js";
import { scopeOf } from "../../plan/scope.js";
import type { ListedRow, Reader } from "../../store/store.js";
import { type TreeRow, TreeRows } from "./tree-row.js";

export const LIST_ORDERS = ["plan", "priority", "updated", "title"] as const;
export type ListOrder = (typeof LIST_ORDERS)[number];

export interface ListInput {
  readonly status?: readonly Status[];
  readonly tier?: readonly Tier[];
  readonly kind?: readonly Kind[];
  /** Its footprint names this file. */
  readonly file?: string;
  readonly profile?: string;
  /** Only below this node. */
  readonly in?: string;
  /** The title or the body has these words, in any case. */
  readonly text?: string;
  readonly sort?: ListOrder;
  readonly reason?: readonly Reason[];
  /** The id and the title have all of these, in any case. */
  readonly words?: readonly string[];
  /** In progress, by an actor whose name has this. */
  readonly by?: string;
  /** Also as rows of a tree. */
  readonly rows?: boolean;
  /** The first one that is shown, from 0. */
  readonly from?: number;
  readonly limit?: number;
  /** Also archived and dropped nodes, which are left out unless a status asks for them. */
  readonly all?: boolean;
}

export interface ListedNode {
  readonly id: string;
  readonly title: string;
  readonly tier: Tier;
  readonly kind: Kind | null;
  readonly status: Status;
  readonly reason: Reason;
  readonly priority: number | null;
  readonly parent: string | null;
  readonly updatedAt: string;
}

export interface NodeList {
  readonly nodes: readonly ListedNode[];
  /** How many fit the filter; more than are shown if there is a limit. */
  readonly total: number;
  /** The same nodes as rows of a tree, and everything that is around them. */
  readonly rows?: readonly (TreeRow & { readonly parent: string | null })[];
}

const USUAL_LIMIT = 100;

export function listNodes(context: Context, input: ListInput): Promise<Result<NodeList>> {
  return context.store.read(async (reader) => {
    const scope = await scopeOf(reader, context, input.in);
    if (!scope.ok) return scope;
    const { root } = scope.value;
    const { text, file } = input;
    const listed = await reader.listings({
      ...(text !== undefined && { words: [text], texts: true }),
      files: file !== undefined,
    });
    const near = listed.filter((node) => scope.value.has(node.nr) && node.nr !== root?.nr && fits(node, input));
    // Its own row says whether a node is hidden; the status of every node takes a second with 100,000.
    const standing = input.status || input.reason ? await standings(context.store, reader) : undefined;
    const found = near.filter((node) =>
      standing ? isWanted(standing.get(node.nr), input) : input.all === true || !node.isHidden,
    );
    const { from = 0, limit = USUAL_LIMIT, sort = "plan" } = input;
    const shown: ListedNode[] = [];
    const occupied = await occupiedNow(reader);
    const claimed = input.by === undefined ? undefined : await claimedBy(reader, input.by);
    const all = claimed ? found.filter(({ nr }) => claimed.has(nr)) : found;
    const nodes: Node[] = [];
    for (const { nr } of all.sort(ORDERS[sort]).slice(from, from + limit)) {
      const node = (await reader.node(nr)) as Node;
      nodes.push(node);
      const { status, reason } = deriveStatus(node, await gatherSurroundings(reader, node, { occupied }));
      shown.push(await toListed(reader, node, status, reason));
    }
    return ok({ nodes: shown, total: all.length, ...(input.rows && { rows: await asTree(reader, nodes) }) });
  });
}

const MOST_CLAIMED = 10_000;

async function claimedBy(reader: Reader, by: string): Promise<ReadonlySet<Nr>> {
  const sought = by.toLowerCase();
  const claimed = await reader.claimed({ limit: MOST_CLAIMED });
  return new Set(claimed.filter(({ claim }) => claim?.by.toLowerCase().includes(sought)).map(({ nr }) => nr));
}

/** Each with what is around it, parents before children. */
async function asTree(reader: Reader, nodes: readonly Node[]): Promise<NonNullable<NodeList["rows"]>> {
  const all = new Map<Nr, Node>();
  for (const node of nodes) {
    const known = node.parent === null || all.has(node.parent);
    for (const each of known ? [] : (await reader.ancestors(node.nr)).toReversed()) all.set(each.nr, each);
    all.set(node.nr, node);
  }
  const rows = new TreeRows(reader);
  const tree: (TreeRow & { readonly parent: string | null })[] = [];
  for (const node of all.values())
    tree.push({ ...(await rows.of(node)), parent: node.parent === null ? null : (all.get(node.parent)?.id ?? null) });
  return tree;
}

const HIDDEN: ReadonlySet<Status> = new Set(["archived", "dropped"]);

const isWanted = (standing: NodeStanding | undefined, { status, reason, all }: ListInput): boolean =>
  standing !== undefined &&
  (reason === undefined || reason.includes(standing.reason)) &&
  (status ? status.includes(standing.status) : all === true || !HIDDEN.has(standing.status));

/** Everything that can be told from the node alone. */
function fits(node: ListedRow, { tier, kind, file, profile, text, words = [] }: ListInput): boolean {
  if (tier && !tier.includes(node.tier)) return false;
  if (kind && (node.kind === null || !kind.includes(node.kind))) return false;
  if (profile !== undefined && node.profile !== profile) return false;
  if (file !== undefined && !node.files.some((pattern) => pattern === file || matchesGlob(pattern, file))) return false;
  if (words.length > 0) {
    const name = `${node.id} ${node.title}`.toLowerCase();
    if (!words.every((word) => name.includes(word.toLowerCase()))) return false;
  }
  if (text === undefined) return true;
  const sought = text.toLowerCase();
  return node.title.toLowerCase().includes(sought) || node.body.toLowerCase().includes(sought);
}

const last = Number.POSITIVE_INFINITY;

const ORDERS: Readonly<Record<ListOrder, (a: ListedRow, b: ListedRow) => number>> = {
  plan: (a, b) => a.nr - b.nr,
  priority: (a, b) => (a.priority ?? last) - (b.priority ?? last) || a.nr - b.nr,
  updated: (a, b) => b.updatedAt - a.updatedAt || a.nr - b.nr,
  title: (a, b) => a.title.localeCompare(b.title) || a.nr - b.nr,
};

const nameOf = async (reader: Reader, nr: Nr | null): Promise<string | null> =>
  nr === null ? null : ((await reader.idOf(nr)) ?? null);

const toListed = async (reader: Reader, node: Node, status: Status, reason: Reason): Promise<ListedNode> => ({
  id: node.id,
  title: node.title,
  tier: node.tier,
  kind: node.kind,
  status,
  reason,
  priority: node.priority,
  parent: await nameOf(reader, node.parent),
  updatedAt: new Date(node.updatedAt).toISOString(),
});
