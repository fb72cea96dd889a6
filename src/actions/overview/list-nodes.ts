// The nodes that fit a filter, as a flat list.

import { matchesGlob } from "../../graph/conflict/glob.js";
import type { Kind, Node, Nr, Tier } from "../../graph/node/node.js";
import { ok, type Result } from "../../graph/result.js";
import { deriveStatus, type Reason, type Status } from "../../graph/status/status.js";
import type { ListedRow, Reader } from "../../store/store.js";
import type { Context } from "../context.js";
import { gatherSurroundings, occupiedNow } from "../holds/gather-surroundings.js";
import { scopeOf } from "../scope.js";
import { type NodeStanding, standings } from "./standings.js";

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
    const standing = await standings(context.store, reader);
    const found = listed.filter(
      (node) =>
        scope.value.has(node.nr) && node.nr !== root?.nr && fits(node, input) && isWanted(standing.get(node.nr), input),
    );
    const { from = 0, limit = USUAL_LIMIT, sort = "plan" } = input;
    const shown: ListedNode[] = [];
    const occupied = await occupiedNow(reader);
    for (const { nr } of found.sort(ORDERS[sort]).slice(from, from + limit)) {
      const node = (await reader.node(nr)) as Node;
      const { status, reason } = deriveStatus(node, await gatherSurroundings(reader, node, { occupied }));
      shown.push(await toListed(reader, node, status, reason));
    }
    return ok({ nodes: shown, total: found.length });
  });
}

const HIDDEN: ReadonlySet<Status> = new Set(["archived", "dropped"]);

const isWanted = (standing: NodeStanding | undefined, { status, reason, all }: ListInput): boolean =>
  standing !== undefined &&
  (reason === undefined || reason.includes(standing.reason)) &&
  (status ? status.includes(standing.status) : all === true || !HIDDEN.has(standing.status));

/** Everything that can be told from the node alone. */
function fits(node: ListedRow, { tier, kind, file, profile, text }: ListInput): boolean {
  if (tier && !tier.includes(node.tier)) return false;
  if (kind && (node.kind === null || !kind.includes(node.kind))) return false;
  if (profile !== undefined && node.profile !== profile) return false;
  if (file !== undefined && !node.files.some((pattern) => pattern === file || matchesGlob(pattern, file))) return false;
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
