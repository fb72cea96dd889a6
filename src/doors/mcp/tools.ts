// Which tool asks for which operations, and with which of their fields. This is the only list: schemas, annotations, answers and the
// spelling of next steps are derived from it and from the catalogue.

import type { OperationName } from "../../model/operation-names.js";

export interface ToolAction {
  readonly operation: OperationName;
  /** Fields of the operation that a client may give. */
  readonly fields: readonly string[];
  /** What this action means already. */
  readonly fixed?: Readonly<Record<string, unknown>>;
  /** It runs the operation that the answer names: anything of this table. */
  readonly dispatches?: true;
  /** Nothing of the answer is left out: it is what somebody works from. */
  readonly whole?: true;
  /** The list in the answer that is given page by page; "" if the answer itself is the list. */
  readonly pages?: string;
}

export interface ToolDeclaration {
  readonly name: string;
  /** One or two sentences: every client sends them to its model with each request. */
  readonly description: string;
  /** By the value of `action`. A tool with one action called ONLY has no such field. */
  readonly actions: Readonly<Record<string, ToolAction>>;
}

/** The action of a tool that has one. */
export const ONLY = "";

export const TOOLS: readonly ToolDeclaration[] = [
  {
    name: "find",
    description: "Read the plan. Every node comes with its status and reason. Pass `from` for the next page.",
    actions: {
      list: { operation: "list", fields: ["status", "tier", "file", "in", "text", "all"], pages: "nodes" },
      search: { operation: "search", fields: ["text"], pages: "hits" },
      tree: { operation: "status", fields: ["reference", "depth"] },
      waiting: { operation: "waiting", fields: [], pages: "entries" },
      claims: { operation: "claim.list", fields: [], pages: "" },
      conflicts: { operation: "conflicts.list", fields: ["open"], pages: "" },
      records: { operation: "record.list", fields: ["in", "kind", "all"], pages: "" },
      questions: { operation: "question.list", fields: ["all"], pages: "" },
      runs: { operation: "plan.list", fields: [], pages: "runs" },
      run_diff: { operation: "plan.diff", fields: ["run"] },
      attempts: { operation: "attempt.list", fields: ["reference", "all"], pages: "" },
      lessons: { operation: "memory.search", fields: ["text"], pages: "" },
      log: { operation: "log", fields: ["reference"], pages: "operations" },
      level: { operation: "level.show", fields: ["in"] },
      subscriptions: { operation: "news.subscriptions", fields: [], pages: "" },
    },
  },
  {
    name: "show",
    description: "Show a node, or an item by its key (RUN-001, ESC-001, DEC-001, ATT-00001).",
    actions: { [ONLY]: { operation: "show", fields: ["reference"] } },
  },
  {
    name: "why",
    description: "Explain why a node, run or question does not move, and what to do.",
    actions: { [ONLY]: { operation: "why", fields: ["reference"] } },
  },
  {
    name: "do",
    description: 'Do what plain words ask for, such as "what\'s next". Never guesses.',
    actions: { [ONLY]: { operation: "route", fields: ["words"], dispatches: true } },
  },
  {
    name: "add",
    description: "Add a node, or many at once with `nodes` (same fields each). Checks are shell commands.",
    actions: {
      [ONLY]: {
        operation: "add",
        fields: "title tier kind parent dependsOn body files checks priority nodes".split(" "),
      },
    },
  },
  {
    name: "edit",
    description: "Change the plan. `undo` takes back your last operation.",
    actions: {
      edit: {
        operation: "edit",
        fields: ["reference", "title", "body", "appendBody", "files", "checks", "priority"],
      },
      move: { operation: "move", fields: ["references", "to"] },
      link: { operation: "link", fields: ["reference", "on", "files"] },
      unlink: { operation: "unlink", fields: ["reference", "on", "files"] },
      gate: { operation: "gate", fields: ["title", "before", "body"] },
      comment: { operation: "comment", fields: ["reference", "text"] },
      promote: { operation: "promote", fields: ["note", "from", "to"] },
      freeze: { operation: "freeze", fields: ["references", "reason"] },
      thaw: { operation: "thaw", fields: ["references"] },
      drop: { operation: "drop", fields: ["references", "reason"] },
      archive: { operation: "archive", fields: ["references"] },
      restore: { operation: "restore", fields: ["references"] },
      reset: { operation: "reset", fields: ["references", "reason"] },
      undo: { operation: "undo", fields: ["operation"] },
    },
  },
  {
    name: "claim",
    description:
      "Claim work: `next` gives the most urgent task, `start` one you name. The server keeps the token. `context` gives everything to know about a task.",
    actions: {
      next: { operation: "next", fields: ["in", "peek"] },
      start: { operation: "start", fields: ["reference", "despite"] },
      renew: { operation: "claim.renew", fields: ["reference", "leaseMinutes"] },
      check: { operation: "check", fields: ["reference"] },
      context: { operation: "bundle.create", fields: ["references"], fixed: { text: true } },
      focus: { operation: "focus", fields: ["reference", "clear"] },
    },
  },
  {
    name: "complete",
    description:
      "Hand in a task you claimed: its checks run and decide. If one fails you keep the claim and see why. Fix and call again.",
    actions: { [ONLY]: { operation: "complete", fields: ["reference"] } },
  },
  {
    name: "give_up",
    description:
      "Return a task you claimed: `release` to the queue, `fail` with a reason, or propose to `split` it into `parts` (title, body, files, checks, after).",
    actions: {
      release: { operation: "claim.release", fields: ["reference"] },
      fail: { operation: "fail", fields: ["reference", "reason", "class"] },
      split: { operation: "split", fields: ["reference", "reason", "parts"] },
    },
  },
  {
    name: "record",
    description: "Write down a decision, constraint, requirement, assumption or lesson.",
    actions: {
      add: {
        operation: "record.add",
        fields: "kind title body in because alternatives metric op target run forbidFiles forbidWords".split(" "),
      },
      supersede: { operation: "record.supersede", fields: ["id", "by", "with"] },
      lesson: { operation: "memory.add", fields: ["text"] },
    },
  },
  {
    name: "news",
    description: "Read what happened since you last looked, or subscribe to a node or to everything.",
    actions: {
      read: { operation: "news.read", fields: ["peek"], fixed: { limit: 20 } },
      subscribe: { operation: "news.subscribe", fields: ["reference", "news"] },
      unsubscribe: { operation: "news.unsubscribe", fields: ["reference", "all"] },
    },
  },
  {
    name: "plan",
    description:
      "Turn an idea, the text of a spec or a node into a reviewed plan. A person approves it. `host` starts it with your own subagents: each reads its `step` and submits.",
    actions: {
      start: { operation: "plan.start", fields: ["source", "quick", "research", "revise", "note"] },
      host: {
        operation: "plan.start",
        fields: ["source", "quick", "research", "revise", "note"],
        fixed: { serve: "host" },
      },
      step: { operation: "plan.step", fields: ["run", "call", "fresh", "brief"], whole: true },
      submit: { operation: "plan.submit", fields: ["call", "output", "session"] },
      look_up: { operation: "plan.look-up", fields: ["call", "name"], whole: true },
      answer: { operation: "plan.answer", fields: ["id", "option", "note"] },
      resume: { operation: "plan.resume", fields: ["run"] },
      revise: { operation: "plan.revise", fields: ["run", "note"] },
      abort: { operation: "plan.abort", fields: ["run"] },
      expand: { operation: "expand", fields: ["reference"] },
      replan: { operation: "replan", fields: ["reference", "reason"] },
      lint: { operation: "lint", fields: ["reference"] },
    },
  },
  {
    name: "run",
    description: "Let workers do approved tasks, as far as the level allows.",
    actions: { [ONLY]: { operation: "run", fields: ["reference", "within", "batch", "parallel", "dryRun"] } },
  },
  {
    name: "decide",
    description:
      "What a person decides: you propose it and the person is asked. `land` with dryRun and a lower `level` need no person. `approve` with `to` moves first.",
    actions: {
      approve: { operation: "approve", fields: ["references", "to", "despite"] },
      answer: { operation: "question.answer", fields: ["id", "option", "note"] },
      land: { operation: "land", fields: ["reference", "dryRun"] },
      level: { operation: "level.set", fields: ["level", "in", "reason"] },
      accept: { operation: "accept", fields: ["references", "reason"] },
      waive: { operation: "waive", fields: ["references", "reason"] },
      apply: { operation: "plan.apply", fields: ["run"] },
      record: { operation: "record.approve", fields: ["ids"] },
    },
  },
];

/** The tool and action that ask for an operation with these fields. */
export function toolFor(
  operation: string,
  fields: readonly string[],
): { readonly tool: ToolDeclaration; readonly action: string; readonly asks: ToolAction } | undefined {
  for (const tool of TOOLS) {
    for (const [action, asks] of Object.entries(tool.actions)) {
      if (asks.operation === operation && fields.every((field) => takes(asks, field))) return { tool, action, asks };
    }
  }
  return undefined;
}

const takes = ({ fields, fixed = {} }: ToolAction, field: string): boolean => fields.includes(field) || field in fixed;
