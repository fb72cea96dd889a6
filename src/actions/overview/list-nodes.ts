// The nodes that fit a filter, as a flat list.

import { matchesGlob } from "../../graph/conflict/glob.js";
import type { Kind, Node, Nr, Tier } from "../../graph/node/node.js";
import { ok, type Result } from "../../graph/result.js";
import { deriveStatus, type Reason, type Status } from "../../graph/status/status.js";
import type { Reader } from "../../store/store.js";
import type { Context } from "../context.js";
import { gatherSurroundings, occupiedNow } from "../holds/gather-surroundings.js";
import { resolve } from "../resolve.js";

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
    const scope = input.in === undefined ? undefined : await resolve(reader, input.in, context.actor);
    if (scope && !scope.ok) return scope;
    const found = await matching(reader, input, scope?.value);
    const ordered = found.sort(ORDERS[input.sort ?? "plan"]);
    const shown: ListedNode[] = [];
    for (const { node, status, reason } of ordered.slice(0, input.limit ?? USUAL_LIMIT)) {
      shown.push(await toListed(reader, node, status, reason));
    }
    return ok({ nodes: shown, total: found.length });
  });
}

interface Found {
  readonly node: Node;
  readonly status: Status;
  readonly reason: Reason;
}

async function matching(reader: Reader, input: ListInput, scope: Node | undefined): Promise<Found[]> {
  const occupied = await occupiedNow(reader);
  const wanted = input.status && new Set<Status>(input.status);
  const found: Found[] = [];
  const candidates = scope ? await reader.descendants(scope.nr) : reader.scan();
  for await (const node of candidates) {
    if (!fits(node, input)) continue;
    const { status, reason } = deriveStatus(node, await gatherSurroundings(reader, node, { occupied }));
    if (wanted ? wanted.has(status) : input.all || !HIDDEN.has(status)) found.push({ node, status, reason });
  }
  return found;
}

const HIDDEN: ReadonlySet<Status> = new Set(["archived", "dropped"]);

/** Everything that can be told from the node alone. */
function fits(node: Node, { tier, kind, file, profile, text }: ListInput): boolean {
  if (tier && !tier.includes(node.tier)) return false;
  if (kind && (node.kind === null || !kind.includes(node.kind))) return false;
  if (profile !== undefined && node.profile !== profile) return false;
  if (file !== undefined && !node.files.some((pattern) => pattern === file || matchesGlob(pattern, file))) return false;
  if (text === undefined) return true;
  const sought = text.toLowerCase();
  return node.title.toLowerCase().includes(sought) || node.body.toLowerCase().includes(sought);
}

const last = Number.POSITIVE_INFINITY;

const ORDERS: Readonly<Record<ListOrder, (a: Found, b: Found) => number>> = {
  plan: (a, b) => a.node.nr - b.node.nr,
  priority: (a, b) => (a.node.priority ?? last) - (b.node.priority ?? last) || a.node.nr - b.node.nr,
  updated: (a, b) => b.node.updatedAt - a.node.updatedAt || a.node.nr - b.node.nr,
  title: (a, b) => a.node.title.localeCompare(b.node.title) || a.node.nr - b.node.nr,
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
