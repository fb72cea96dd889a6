import type * as z from "zod/mini";
import type { Occupied } from "../../model/conflict/conflict.js";
import { matchesGlob } from "../../model/conflict/glob.js";
import { isoTime } from "../../model/iso-time.js";
import { KINDS, type Node, type Nr, TIERS } from "../../model/node/node.js";
import { deriveStatus, REASONS, STATUSES, type Status } from "../../model/status/status.js";
import { scopeOf } from "../../plan/base/resolve.js";
import { gatherSurroundings, occupiedNow } from "../../plan/base/surroundings.js";
import { type NodeStanding, standings } from "../../plan/overview/standings.js";
import type { ListedRow, Reader } from "../../store/store.js";
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
  note: ({ nodes, total }) => (total > nodes.length ? `${total - nodes.length} more; raise --limit to see them.` : ""),
});

type ListInput = z.output<typeof input>;

const DEFAULT_LIMIT = 100;

/** `total`: how many fit the filter. `rows`: the same nodes as rows of a tree, and everything that is around them. */
export function listNodes(context: Context, input: ListInput) {
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
    const { from = 0, limit = DEFAULT_LIMIT, sort = "plan" } = input;
    const occupied = await occupiedNow(reader);
    const claimed = input.by === undefined ? undefined : await claimedBy(reader, input.by);
    const labelled = input.labels === undefined ? undefined : await labelledWith(reader, input.labels);
    const all = found.filter(({ nr }) => (claimed?.has(nr) ?? true) && (labelled?.has(nr) ?? true));
    const page = all.sort(ORDERS[sort]).slice(from, from + limit);
    const nodes = await Promise.all(page.map(async ({ nr }) => (await reader.node(nr)) as Node));
    const shown = await Promise.all(nodes.map((node) => toListed(reader, node, occupied)));
    return ok({ nodes: shown, total: all.length, ...(input.rows && { rows: await asTree(reader, nodes, occupied) }) });
  });
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
