// Operations that look at the plan from one side: what is stuck, where a task comes from and what proves it, its tree, its drawing.

import { graph as drawGraph } from "../../../actions/overview/graph.js";
import { listChildren } from "../../../actions/overview/list-children.js";
import { stuck as findStuck } from "../../../actions/overview/stuck.js";
import { verbs as listVerbs } from "../../../actions/overview/verbs.js";
import { operation } from "../../operation.js";
import { flag, input, node, optional, wholeNumber } from "../../schema.js";
import { traceNode } from "../../trace-node.js";

const stuck = operation({
  name: "stuck",
  summary: "List what is stuck, by its cause, and what frees it",
  description:
    "Rejected and frozen work, tasks out of attempts, and tasks that wait for something that was dropped. Each entry names what waits for it. What holds up most work comes first.",
  who: "both",
  effect: "reads",
  input: () => input({ limit: optional(wholeNumber("at most N causes (20)", 1, 500)) }),
  examples: [{ input: {}, does: "lists the causes, with the commands that free what they hold up" }],
  run: findStuck,
});

const trace = operation({
  name: "trace",
  summary: "Follow a task from spec to check to commit",
  description:
    "The lines of the spec that a task answers to, the approval and its hash, each check with its last result, the commit, and how strong the proof is.",
  who: "both",
  effect: "reads",
  input: () => input({ reference: node("the node") }),
  examples: [{ input: { reference: "TASK-00001" }, does: "shows why the task exists and what proves it" }],
  run: (session, { reference }) => traceNode(session, reference),
});

const children = operation({
  name: "children",
  summary: "List the children of a node, page by page",
  who: "both",
  effect: "reads",
  input: () =>
    input({
      reference: optional(node("the node; without one, the top of the plan")),
      from: optional(wholeNumber("leave out the first N children", 0, Number.MAX_SAFE_INTEGER)),
      limit: optional(wholeNumber("at most N children (200)", 1, 10_000)),
      all: optional(flag("also archived and dropped nodes")),
    }),
  examples: [
    { input: { reference: "FEAT-001" }, does: "lists its stories and tasks, each with its status" },
    { input: { reference: "FEAT-001", from: 200 }, does: "lists the next ones" },
  ],
  run: listChildren,
});

const graph = operation({
  name: "graph",
  summary: "Lay the plan out: waves as columns, features as lanes",
  description:
    "Where each task stands in a drawing of the plan, who waits for whom, and which tasks are on the longest path of what is left.",
  who: "both",
  effect: "reads",
  input: () =>
    input({
      reference: optional(node("only below this node")),
      limit: optional(wholeNumber("at most N tasks (1,000)", 1, 1_000_000)),
    }),
  examples: [{ input: { reference: "FEAT-001" }, does: "lays out the tasks of one feature" }],
  run: drawGraph,
});

const verbs = operation({
  name: "verbs",
  summary: "List what you can do with a node, and why not",
  description: "Every verb with its command. What would be refused now says why. Nothing is done.",
  who: "both",
  effect: "reads",
  input: () => input({ reference: node("the node") }),
  examples: [
    {
      input: { reference: "TASK-00003" },
      does: "shows which verbs the task takes now, and what keeps it from the others",
    },
  ],
  run: (session, { reference }) => listVerbs(session, reference),
});

export const lookOperations = { stuck, trace, children, graph, verbs };
