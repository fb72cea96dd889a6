// Adds nodes. Agents call it in a loop, so it stands alone.

import * as z from "zod/mini";
import { type AddedNodes, type Addition, add as addNodes } from "../../../actions/node/add.js";
import { ok, type Result } from "../../../model/result.js";
import * as content from "../../content.js";
import { operation } from "../../operation.js";
import { field, input, optional } from "../../schema.js";

export interface Added extends AddedNodes {
  /** Of a single node. */
  readonly id?: string;
}

/** The schema of one node takes 1 ms to make, and most calls bring none. */
const nodes = () =>
  field(z.array(z.lazy(content.wholeNode)), {
    help: "nodes from a file, or - for standard input: one JSON object per line",
    label: "FILE",
  });

const fields = () =>
  input({
    title: optional(content.title("what is to be done")),
    id: optional(content.id()),
    tier: optional(content.tier()),
    kind: optional(content.kind()),
    parent: optional(content.reference("the node that will contain it")),
    dependsOn: optional(content.references("a node that it depends on")),
    body: optional(content.body()),
    files: optional(content.files("a file that it will touch")),
    symbols: optional(content.symbols("a symbol that it will touch")),
    checks: optional(content.checks()),
    profile: optional(content.profile()),
    priority: optional(content.priority()),
    estimateHours: optional(content.estimateHours()),
    attempts: optional(content.attemptLimit()),
    replans: optional(content.replans()),
    nodes: optional(nodes()),
  });

const add = operation({
  name: "add",
  summary: "Add a node, or many from a file",
  description: [
    "A task or story without a parent goes to the inbox, where nothing runs; a feature or initiative goes below the mission.",
    "Each line of a file is an object with the fields id, tier, kind, title, body, parent, dependsOn, files, symbols, checks ({run, expect, timeoutS, cwd}), profile, priority, estimateHours and budgets ({attempts, replans}). Lines may refer to each other in any order.",
    "All of it is one operation: if one line is wrong, nothing is added. A line whose id is in the plan already changes the content of that node and never its progress.",
  ].join(" "),
  who: "both",
  effect: "writes",
  input: () =>
    fields().check(
      z.refine(({ title, nodes: many }) => title !== undefined || many !== undefined, {
        error: "is missing",
        path: ["title"],
      }),
      z.refine((given) => given.nodes === undefined || Object.keys(given).length === 1, {
        error: "cannot be combined with anything else",
        path: ["nodes"],
      }),
    ),
  examples: [
    {
      input: { title: "Parse the config file", parent: "FEAT-001", files: ["src/config.ts"], checks: ["npm test"] },
      does: "adds a task",
    },
    { input: { title: "Login", tier: "feature" }, does: "adds a feature below the mission" },
  ],
  run: async (session, given): Promise<Result<Added>> => {
    const added = await addNodes(session, additionsOf(given));
    if (!added.ok || added.value.added.length !== 1) return added;
    return ok({ ...added.value, id: added.value.added[0] as string });
  },
});

function additionsOf({
  nodes: many,
  title = "",
  attempts,
  replans,
  ...rest
}: z.output<ReturnType<typeof fields>>): Addition[] {
  if (many) return many.map((each, i) => ({ input: each, where: `nodes[${i}]` }));
  const budgets = { ...(attempts === undefined ? {} : { attempts }), ...(replans === undefined ? {} : { replans }) };
  return [{ input: { ...rest, title, budgets }, where: "", isNew: true }];
}

export const addOperations = { add };
