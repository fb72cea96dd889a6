import * as z from "zod/mini";
import { messageOf } from "../../base/errors.js";
import { ok, type Result, usage, type ValueOf } from "../../model/result.js";
import { type Addition, add as addNodes } from "../../plan/node/add.js";
import * as content from "../kit/content.js";
import type { Input } from "../kit/read-words.js";
import { field, fields, optional, planVerb, rule, step, undoStep } from "../kit/verb.js";
import { bugLines } from "../kit/wording.js";
import { BODY_FILE, readText, withBody } from "../terminal/read-text.js";

export const input = fields({
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
  // The schema of one node takes 1 ms to make, and most calls bring none.
  nodes: optional(
    field(z.array(z.lazy(content.wholeNode)), {
      help: "nodes from a file, or - for standard input: one JSON object per line",
      label: "FILE",
    }),
  ),
}).check(
  rule("title", "is missing", ({ title, nodes: many }) => title !== undefined || many !== undefined),
  rule(
    "nodes",
    "cannot be combined with anything else",
    (given) => given.nodes === undefined || Object.keys(given).length === 1,
  ),
);

export const verb = planVerb({
  command: {
    words: "add",
    group: "plan",
    positional: ["title"],
    flags: { dependsOn: "on", estimateHours: "estimate", nodes: "from" },
    short: { p: "parent", P: "priority" },
  },
  summary: "Add a node, or many from a file",
  description: [
    "A task or story without a parent goes to the inbox, where nothing runs; a feature or initiative goes below the mission. A task or story in BUGS gets a feature of its own, so that it lands by itself.",
    "Each line of a file is an object with the fields id, tier, kind, title, body, parent, dependsOn, files, symbols, checks ({run, expect, timeoutS, cwd}), profile, priority, estimateHours and budgets ({attempts, replans}). Lines may refer to each other in any order.",
    "All of it is one operation: if one line is wrong, nothing is added. A line whose id is in the plan already changes the content of that node and never its progress.",
  ].join(" "),
  effect: "writes",
  hints: ["create", "new"],
  tools: [
    {
      tool: "add",
      fields: ["title", "tier", "kind", "parent", "dependsOn", "body", "files", "checks", "priority", "nodes"],
    },
  ],
  input,
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
  inputs: { "body-file": BODY_FILE },
  prepare: async (input, terminal) => {
    const files = input["nodes"] as readonly string[] | undefined;
    if (files === undefined) return withBody(input, terminal);
    const [file = "", ...others] = files;
    if (others.length > 0) return usage("usage", "--from takes one file.");
    const text = await readText(file, terminal);
    return text.ok ? readLines(input, text.value) : text;
  },
  reword: (message, input) => {
    const lines = LINES.get(input);
    return lines === undefined
      ? message
      : message
          .replace(
            /nodes\[(\d+)\]\.?/g,
            (found, i: string) => `line ${lines[Number(i)]}${found.endsWith(".") ? ": " : ""}`,
          )
          .replace(/^The id/, "the id");
  },
  text: ({ added, changed, unchanged, bugs }, style) => {
    const lines =
      added.length <= MAX_LISTED
        ? added.map((id) => `${style.green("+")} ${style.bold(id)}`)
        : [`${style.green("+")} ${added.length} nodes`];
    if (changed.length > 0) lines.push(`${style.yellow("~")} ${changed.length} changed`);
    if (unchanged > 0) lines.push(style.dim(`= ${unchanged} as they were`));
    lines.push(...bugLines(bugs, style));
    return lines.join("\n");
  },
  note: ({ inInbox }) => (inInbox.length > 0 ? "In the inbox nothing runs. Move it out when you approve it:" : ""),
  next: ({ op, id, inInbox, bugs }) => [
    ...(id === undefined
      ? []
      : [step("approve", { references: [bugs?.[0]?.feature ?? id] }, ...(inInbox.includes(id) ? ["to"] : []))]),
    ...undoStep(op),
  ],
});

const MAX_LISTED = 20;

const LINES = new WeakMap<Input, readonly number[]>();

type Added = ValueOf<ReturnType<typeof addNodes>> & { readonly id?: string };

function additionsOf({ nodes: many, title = "", attempts, replans, ...rest }: z.output<typeof input>): Addition[] {
  if (many) return many.map((each, i) => ({ input: each, where: `nodes[${i}]` }));
  const budgets = { ...(attempts === undefined ? {} : { attempts }), ...(replans === undefined ? {} : { replans }) };
  return [{ input: { ...rest, title, budgets }, where: "", isNew: true }];
}

function readLines(input: Input, text: string): Result<Input> {
  const nodes: unknown[] = [];
  const numbers: number[] = [];
  const lines = text.replace(/^\ufeff/, "").split("\n");
  for (let index = 0; index < lines.length; index++) {
    const line = lines[index] as string;
    if (line.trim() === "") continue;
    try {
      nodes.push(JSON.parse(line));
    } catch (error) {
      const message = `line ${index + 1} is not valid JSON: ${messageOf(error)}. Nothing was added.`;
      return usage("bad-json", message, { details: { line: index + 1 } });
    }
    numbers.push(index + 1);
  }
  const read = { ...input, nodes };
  LINES.set(read, numbers);
  return ok(read);
}
