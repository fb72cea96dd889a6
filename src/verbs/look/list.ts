import type * as z from "zod/mini";
import type { Occupied } from "../../model/conflict/conflict.js";
import { matchesGlob } from "../../model/conflict/glob.js";
import { isoTime } from "../../model/iso-time.js";
import { KINDS, type Node, type Nr, TIERS } from "../../model/node/node.js";
import type { Result } from "../../model/result.js";
import { gramsOfAll } from "../../model/searched-text.js";
import { deriveStatus, REASONS, STATUSES, type Status } from "../../model/status/status.js";
import { resolve } from "../../plan/base/resolve.js";
import { gatherSurroundings } from "../../plan/base/surroundings.js";
import { type NodeStanding, Standings } from "../../plan/overview/standings.js";
import type { ListedRow, ListQuery, Reader } from "../../store/store.js";
import { MAX_CLAIMS } from "../claim/list.js";
import { choice, fields, filled, flag, list as listOf, node, optional, text, wholeNumber } from "../kit/schema.js";
import { type Context, harmless, icon, ok, planVerb, spoken, statusWord, widest } from "../kit/verb.js";
import { toTreeRow } from "./tree-row.js";

const LIST_ORDERS = ["plan", "priority", "updated", "title"] as const;

export const input = fields({
  status: optional(listOf(choice(STATUSES, ""), "only nodes with this status", "STATUS")),
  tier: optional(listOf(choice(TIERS, ""), "only nodes of this tier", "TIER")),
  kind: optional(listOf(choice(KINDS, ""), "only tasks of this kind", "KIND")),
  file: optional(text("only nodes whose footprint names this file", "PATH")),
  profile: optional(text("only tasks with this profile", "NAME")),
  labels: optional(listOf(filled(""), "only nodes with this label", "LABEL")),
  in: optional(node("only nodes below this one")),
  text: optional(filled("only nodes with this text in the title or body")),
  sort: optional(choice(LIST_ORDERS, "the order: as planned, by priority, last changed first, or by title")),
  reason: optional(listOf(choice(REASONS, ""), "only nodes with this reason for their status", "REASON")),
  words: optional(listOf(filled(""), "only nodes whose id and title have this word", "WORD")),
  by: optional(filled("only tasks in progress by this actor", "ACTOR")),
  rows: optional(flag("also as rows of a tree, with what is around them")),
  from: optional(wholeNumber("leave out the first N", 0, 1_000_000_000)),
  limit: optional(wholeNumber("at most N nodes (100)", 1, 1_000_000)),
  all: optional(flag("also archived and dropped nodes")),
  count: optional(flag("also count all that fit, which takes longer in a large plan")),
});

export const verb = planVerb({
  command: { words: "list", group: "look", daily: 12 },
  summary: "List nodes by status, tier, file, text and more",
  description: "Filters combine. Archived and dropped nodes are left out unless a status asks for them.",
  effect: "reads",
  lists: "node",
  phrases: spoken(
    "list tasks, list all tasks, show tasks, show all tasks, list everything, list of tasks, list of the tasks, " +
      "list of all tasks",
  ),
  weakPhrases: spoken("list, tasks, tasks do we have, all tasks, all the tasks, which tasks, what tasks, open tasks"),
  emptyWords: "show list give me a",
  hints: ["bugs", "ls", "todo"],
  tools: [
    {
      tool: "find",
      action: "list",
      fields: ["status", "tier", "file", "in", "text", "all"],
      pages: "nodes",
      detail: true,
    },
  ],
  input,
  examples: [
    { input: { status: ["ready"], sort: "priority" }, does: "what can be started, most urgent first" },
    { input: { tier: ["task"], file: "src/auth.ts" }, does: "tasks that will touch this file" },
    { input: { labels: ["ui"] }, does: "what is labelled ui" },
    { input: { in: "FEAT-001", text: "cookie" }, does: "where a feature mentions cookies" },
  ],
  run: listNodes,
  text: ({ nodes }, style) => {
    const width = widest(nodes.map(({ id }) => id));
    if (nodes.length === 0) return style.dim("Nothing fits.");
    return nodes.map(({ id, title, status, priority }) => {
      const state = style.dim(statusWord(status) + (priority === null ? "" : `  priority ${priority}`));
      return `${icon(status, style)} ${style.bold(id.padEnd(width))}  ${harmless(title)}  ${state}`;
    });
  },
  note: ({ nodes, total }) => {
    if (total === null) return "There are more; raise --limit to see them, or add --count to count them.";
    return total > nodes.length ? `${total - nodes.length} more; raise --limit to see them.` : "";
  },
});

type ListInput = z.output<typeof input>;

const DEFAULT_LIMIT = 100;

/** `total`: how many fit the filter; null if there are more than were looked for. `rows`: the same nodes as rows of a tree, and everything that is around them. */
export function listNodes(context: Context, input: ListInput) {
  return context.store.read(async (reader) => {
    const inside = await insideOf(reader, context, input.in);
    if (!inside.ok) return inside;
    const { among, has } = inside.value;
    const { from = 0, limit = DEFAULT_LIMIT, sort = "plan" } = input;
    const standings = new Standings(reader);
    const first = new First<ListedRow>(from + limit, ORDERS[sort]);
    for await (const page of reader.listings(await queryOf(reader, standings, input, among))) {
      const near = await keep(
        page.filter((node) => fits(node, input)),
        has,
      );
      for (const node of await withStatus(standings, near, input)) first.add(node);
      // What is in the order of creation needs no look at the rest.
      if (sort === "plan" && input.count !== true && first.total > from + limit) break;
    }
    const isWhole = sort !== "plan" || input.count === true || first.total <= from + limit;
    const page = first.list().slice(from);
    const occupied = await standings.occupied();
    const nodes = await Promise.all(page.map(async ({ nr }) => (await reader.node(nr)) as Node));
    const shown = await Promise.all(nodes.map((node) => toListed(reader, node, occupied)));
    const rows = input.rows ? { rows: await asTree(reader, nodes, occupied) } : {};
    return ok({ nodes: shown, total: isWhole ? first.total : null, ...rows });
  });
}

async function keep<T>(all: readonly T[], isKept: (each: T) => Promise<boolean>): Promise<T[]> {
  const kept: T[] = [];
  for (const each of all) if (await isKept(each)) kept.push(each);
  return kept;
}

/** The first of any number of nodes in an order, without keeping the others. */
class First<T> {
  total = 0;
  #kept: T[] = [];
  readonly #most: number;
  readonly #order: (a: T, b: T) => number;

  constructor(most: number, order: (a: T, b: T) => number) {
    this.#most = most;
    this.#order = order;
  }

  add(each: T): void {
    this.total++;
    this.#kept.push(each);
    if (this.#kept.length >= 2 * this.#most + 1_000) this.#kept = this.list();
  }

  list(): T[] {
    return this.#kept.sort(this.#order).slice(0, this.#most);
  }
}

/** What an index can tell. `fits` and `withStatus` compare again. */
async function queryOf(reader: Reader, standings: Standings, input: ListInput, inside?: ReadonlySet<Nr>) {
  const { text, words = [], file, status, reason, tier, kind, all, by, labels } = input;
  const among = [
    ...(inside === undefined ? [] : [inside]),
    ...(by === undefined ? [] : [await claimedBy(reader, by)]),
    ...(labels === undefined ? [] : [await labelledWith(reader, labels)]),
  ];
  const sorts = status && !reason ? await standings.sortsWith(status) : undefined;
  return {
    text: gramsOfAll([...(text === undefined ? [] : [text]), ...words]),
    texts: text !== undefined,
    files: file !== undefined,
    ...(file !== undefined && { file }),
    ...(among.length > 0 && { among: among.reduce((a, b) => new Set([...a].filter((nr) => b.has(nr)))) }),
    ...(sorts && { sorts }),
    ...(tier && { tiers: tier }),
    ...(kind && { kinds: kind }),
    // Its own row says whether a node is hidden.
    ...(!status && !reason && all !== true && { hidden: false }),
  } satisfies ListQuery;
}

async function withStatus(standings: Standings, nodes: readonly ListedRow[], input: ListInput) {
  if (!input.status && !input.reason) return nodes;
  const found = await standings.of(nodes);
  return nodes.filter(({ nr }) => isWanted(found.get(nr), input));
}

/** What is below a reference, without that one. */
interface Inside {
  /** All of it, where that is little. */
  readonly among?: ReadonlySet<Nr>;
  readonly has: (node: ListedRow) => Promise<boolean>;
}

async function insideOf(reader: Reader, context: Context, reference: string | undefined): Promise<Result<Inside>> {
  if (reference === undefined) return ok({ has: async () => true });
  const root = await resolve(reader, reference, context);
  if (!root.ok) return root;
  const { nr, tier } = root.value;
  if (tier !== "mission" && tier !== "initiative") {
    return ok({ among: new Set(await reader.numbersBelow(nr)), has: async () => true });
  }
  const known = new Map<Nr, boolean>([[nr, true]]);
  const isInside = async (at: Nr | null): Promise<boolean> => {
    if (at === null) return false;
    const found = known.get(at) ?? (await isInside((await reader.node(at))?.parent ?? null));
    known.set(at, found);
    return found;
  };
  return ok({ has: ({ parent }) => isInside(parent) });
}

async function claimedBy(reader: Reader, by: string): Promise<ReadonlySet<Nr>> {
  const sought = by.toLowerCase();
  const claimed = await reader.claimed({ limit: MAX_CLAIMS });
  return new Set(claimed.filter(({ claim }) => claim?.by.toLowerCase().includes(sought)).map(({ nr }) => nr));
}

/** Rows with what is around each node, parents before children. */
async function asTree(reader: Reader, nodes: readonly Node[], occupied: readonly Occupied[]) {
  const all = new Map<Nr, Node>();
  for (const node of nodes) {
    const known = node.parent === null || all.has(node.parent);
    for (const each of known ? [] : (await reader.ancestors(node.nr)).toReversed()) all.set(each.nr, each);
    all.set(node.nr, node);
  }
  return Promise.all(
    Array.from(all.values(), async (node) => ({
      ...(await toTreeRow(reader, node, occupied)),
      parent: node.parent === null ? null : (all.get(node.parent)?.id ?? null),
    })),
  );
}

const HIDDEN: ReadonlySet<Status> = new Set(["archived", "dropped"]);

const isWanted = (standing: NodeStanding | undefined, { status, reason, all }: ListInput): boolean =>
  standing !== undefined &&
  (reason === undefined || reason.includes(standing.reason)) &&
  (status ? status.includes(standing.status) : all === true || !HIDDEN.has(standing.status));

function fits(node: ListedRow, { tier, kind, file, profile, text, words = [] }: ListInput): boolean {
  const has = (whole: string, part: string): boolean => whole.toLowerCase().includes(part.toLowerCase());
  return (
    (tier?.includes(node.tier) ?? true) &&
    (kind === undefined || (node.kind !== null && kind.includes(node.kind))) &&
    (profile === undefined || node.profile === profile) &&
    (file === undefined || node.files.some((pattern) => pattern === file || matchesGlob(pattern, file))) &&
    words.every((word) => has(`${node.id} ${node.title}`, word)) &&
    (text === undefined || has(node.title, text) || has(node.body, text))
  );
}

const last = Number.POSITIVE_INFINITY;

const ORDERS: Readonly<Record<(typeof LIST_ORDERS)[number], (a: ListedRow, b: ListedRow) => number>> = {
  plan: (a, b) => a.nr - b.nr,
  priority: (a, b) => (a.priority ?? last) - (b.priority ?? last) || a.nr - b.nr,
  updated: (a, b) => b.updatedAt - a.updatedAt || a.nr - b.nr,
  title: (a, b) => a.title.localeCompare(b.title) || a.nr - b.nr,
};

async function toListed(reader: Reader, node: Node, occupied: readonly Occupied[]) {
  const { id, title, tier, kind, priority, parent, updatedAt } = node;
  const { status, reason } = deriveStatus(node, await gatherSurroundings(reader, node, { occupied }));
  const parentId = parent === null ? null : ((await reader.idOf(parent)) ?? null);
  return { id, title, tier, kind, status, reason, priority, parent: parentId, updatedAt: isoTime(updatedAt) };
}

export async function labelledWith(reader: Reader, wanted: readonly string[]): Promise<Set<Nr>> {
  const items = await reader.items("labels", {});
  const matching = items.filter(({ fields: { labels } }) => wanted.every((label) => labels.includes(label)));
  return new Set(matching.map(({ fields: { node } }) => node));
}
