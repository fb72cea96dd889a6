import { KINDS, TIERS } from "../../model/node/node.js";
import { REASONS, STATUSES } from "../../model/status/status.js";
import { choice, fields, filled, flag, list as listOf, node, optional, text, wholeNumber } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { harmless } from "../text/harmless.js";
import { icon, statusWord } from "../text/icons.js";
import type { Style } from "../text/style.js";
import { LIST_ORDERS, type ListedNode, listNodes } from "./list-nodes.js";

export const input = fields({
  status: optional(listOf(choice(STATUSES, ""), "only nodes with this status", "STATUS")),
  tier: optional(listOf(choice(TIERS, ""), "only nodes of this tier", "TIER")),
  kind: optional(listOf(choice(KINDS, ""), "only tasks of this kind", "KIND")),
  file: optional(text("only nodes whose footprint names this file", "PATH")),
  profile: optional(text("only tasks with this profile", "NAME")),
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
  name: "list",
  command: { words: "list", group: "look", daily: 12 },
  summary: "List nodes by status, tier, file, text and more",
  description: "Filters combine. Archived and dropped nodes are left out unless a status asks for them.",
  who: "both",
  effect: "reads",
  lists: "node",
  phrases: ["list", "list tasks", "list all tasks", "show tasks", "show all tasks", "all tasks"],
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
    { input: { in: "FEAT-001", text: "cookie" }, does: "where a feature mentions cookies" },
  ],
  run: listNodes,
  text: ({ nodes }, style) => {
    if (nodes.length === 0) return style.dim("Nothing fits.");
    let width = 0;
    for (const { id } of nodes) width = Math.max(width, id.length);
    return nodes.map((node) => listLine(node, width, style)).join("\n");
  },
  note: ({ nodes, total }) => (total > nodes.length ? `${total - nodes.length} more; raise --limit to see them.` : ""),
});

function listLine({ id, title, status: stands, priority }: ListedNode, width: number, style: Style): string {
  const rank = priority === null ? "" : `  ${style.dim(`priority ${priority}`)}`;
  return `${icon(stands, style)} ${style.bold(id.padEnd(width))}  ${harmless(title)}  ${style.dim(statusWord(stands))}${rank}`;
}
