// Operations that look at the plan as a whole, or search it. `why` loads its action when it runs: `show` offers it, and to offer it
// needs only its declaration.

import { LIST_ORDERS, listNodes } from "../../../actions/overview/list-nodes.js";
import type { WaitingList } from "../../../actions/overview/waiting.js";
import type { Why } from "../../../actions/overview/why.js";
import type { WhyItem } from "../../../actions/overview/why-item.js";
import { KINDS, TIERS } from "../../../model/node/node.js";
import type { Result } from "../../../model/result.js";
import { REASONS, STATUSES } from "../../../model/status/status.js";
import { operation } from "../../operation.js";
import { choice, filled, flag, input, list as listOf, node, optional, text, wholeNumber } from "../../schema.js";

const status = operation({
  name: "status",
  summary: "Show the plan as a tree, with progress",
  description:
    "Opens with what waits for you. A plan of up to 200 nodes is shown in full, a larger one down to its features. A node that you name is always shown in full. Archived and dropped nodes are left out unless you ask for them.",
  who: "both",
  effect: "reads",
  input: () =>
    input({
      reference: optional(node("only this node and everything below it")),
      depth: optional(wholeNumber("only N levels below the first", 0, 100)),
      all: optional(flag("everything, however large the plan is")),
      most: optional(wholeNumber("at most N children of each node", 1, 1_000_000)),
      archived: optional(flag("also archived nodes")),
      dropped: optional(flag("also dropped nodes")),
    }),
  examples: [
    { input: {}, does: "the whole plan, what is ready, and what to do next" },
    { input: { reference: "FEAT-001" }, does: "one feature with its stories and tasks" },
  ],
  run: async (session, asked) => (await import("../../../actions/overview/status.js")).status(session, asked),
});

const waiting = operation({
  name: "waiting",
  summary: "List everything that waits for you, and what to do",
  description:
    "Questions, rejected and stopped tasks, work to accept, features to land, manual steps, planning runs, approvals, and a daemon that died. Each entry has its commands. When the list is empty, nothing waits for you.",
  who: "both",
  effect: "reads",
  input: () => input({ limit: optional(wholeNumber("at most N entries (50)", 1, 1_000)) }),
  examples: [{ input: {}, does: "lists what only you can decide, with the commands for it" }],
  run: async (session, asked): Promise<Result<WaitingList>> =>
    (await import("../../../actions/overview/waiting.js")).waiting(session, asked),
});

const why = operation({
  name: "why",
  summary: "Explain why a node has its status and what to do about it",
  description: "Follows what the node waits for down to the first cause, and ends with what you can do about it.",
  who: "both",
  effect: "reads",
  input: () =>
    input({
      reference: node("the node; or a run, question, attempt, conflict or record, such as RUN-001 or ATT-00001"),
    }),
  examples: [
    { input: { reference: "TASK-00003" }, does: "shows what it waits for and what to do" },
    { input: { reference: "RUN-001" }, does: "shows what a planning run waits for" },
  ],
  run: async (session, { reference }): Promise<Result<Why | WhyItem>> => {
    const ofNode = await (await import("../../../actions/overview/why.js")).why(session, reference);
    if (ofNode.ok || !isItemKey(reference)) return ofNode;
    return (await import("../../../actions/overview/why-item.js")).whyItem(session, reference);
  },
});

const list = operation({
  name: "list",
  summary: "List nodes by status, tier, file, text and more",
  description: "Filters combine. Archived and dropped nodes are left out unless a status asks for them.",
  who: "both",
  effect: "reads",
  input: () =>
    input({
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
    }),
  examples: [
    { input: { status: ["ready"], sort: "priority" }, does: "what can be started, most urgent first" },
    { input: { tier: ["task"], file: "src/auth.ts" }, does: "tasks that will touch this file" },
    { input: { in: "FEAT-001", text: "cookie" }, does: "where a feature mentions cookies" },
  ],
  run: listNodes,
});

const search = operation({
  name: "search",
  summary: "Search titles, texts, records, lessons and artifacts",
  description: "The best match comes first: an id, then words of the title, then words of the text.",
  who: "both",
  effect: "reads",
  input: () =>
    input({
      text: filled("what to look for"),
      limit: optional(wholeNumber("at most N results (20)", 1, 1_000)),
    }),
  examples: [{ input: { text: "session cookie" }, does: "everything in the plan about session cookies" }],
  run: async (session, asked) => (await import("../../../actions/overview/search.js")).search(session, asked),
});

const isItemKey = (reference: string): boolean =>
  /^(RUN|ESC|ATT|CONFLICT|DEC|CON|REQ|ASM|BAS|MEM|ART)-\d+$/i.test(reference.trim());

export const overviewOperations = { status, waiting, why, list, search };
