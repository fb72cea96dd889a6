import * as z from "zod/mini";
import { messageOf } from "../../base/errors.js";
import { ok, type Result, usage } from "../../model/result.js";
import type { PlanAsker } from "../kit/asking.js";
import * as content from "../kit/content.js";
import type { Input } from "../kit/read-words.js";
import { choice, field, fields, list, node, optional } from "../kit/schema.js";
import type { Door } from "../kit/session.js";
import { planVerb } from "../kit/verb.js";
import type { Terminal } from "../kit/view.js";
import type * as Editor from "../terminal/edit-in-editor.js";
import { BODY_FILE, readText, withBody } from "../terminal/read-text.js";
import { undoStep } from "../text/ids.js";
import { edit as editNode, type NodePatch } from "./edit-action.js";
import { approveAgain, staleNote } from "./node-text.js";

const CLEARABLE = [
  "body",
  "files",
  "symbols",
  "checks",
  "profile",
  "priority",
  "estimate",
  "attempts",
  "replans",
] as const;

const emptiable = <T extends z.ZodMiniType>(schema: T) => optional(z.nullable(schema));

const nodeFields = () =>
  fields({
    reference: node("the node"),
    title: optional(content.title("what is to be done")),
    kind: optional(content.kind()),
    body: emptiable(content.body()),
    files: emptiable(content.files("a file that it will touch; replaces the list")),
    symbols: emptiable(content.symbols("a symbol that it will touch; replaces the list")),
    checks: emptiable(content.checks("a command that must pass; replaces the list")),
    profile: emptiable(content.profile()),
    priority: emptiable(content.priority()),
    estimateHours: emptiable(content.estimateHours()),
    attempts: emptiable(content.attemptLimit()),
    replans: emptiable(content.replans()),
    appendBody: optional(field(z.string(), { help: "add this to the body, on a new line", label: "TEXT" })),
    addFiles: optional(content.files("one more file that it will touch")),
    removeFiles: optional(content.files("a file that it will not touch")),
    addSymbols: optional(content.symbols("one more symbol that it will touch")),
    removeSymbols: optional(content.symbols("a symbol that it will not touch")),
    addChecks: optional(content.checks("one more command that must pass")),
    removeChecks: optional(content.checks("a command that need not pass")),
    clear: optional(list(choice(CLEARABLE, ""), "a field to empty", "FIELD")),
  });

/** Without the fields that were not given. */
const present = <T extends object>(given: T): { [K in keyof T]?: Exclude<T[K], undefined> } =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };

/** Loaded only when a person edits in their editor. */
let editor: typeof Editor | undefined;

export const input = nodeFields().check(
  z.refine((given) => Object.keys(given).length > 1, "needs at least one thing to change"),
);

export const verb = planVerb({
  name: "edit",
  command: {
    words: "edit",
    group: "plan",
    positional: ["reference"],
    flags: { estimateHours: "estimate" },
    short: { P: "priority" },
  },
  summary: "Change the content of a node",
  description:
    "Only the fields that are named change, so two people can edit one node at once. Null empties a field. If you edit approved content, its approval is stale: it does not run until a person approves it again. A finished node does not change.",
  who: "both",
  effect: "writes",
  hints: ["change", "modify", "rename", "update"],
  tools: [
    {
      tool: "edit",
      action: "edit",
      fields: ["reference", "title", "body", "appendBody", "files", "checks", "priority"],
    },
  ],
  input,
  examples: [
    {
      input: { reference: "TASK-00007", title: "Parse the config file", priority: 1 },
      does: "changes the title and the priority",
    },
    {
      input: { reference: "TASK-00007", addFiles: ["src/config.ts"], clear: ["estimate"] },
      does: "adds a file and empties the estimate",
    },
  ],
  run: (session, { reference, appendBody, clear = [], ...rest }) => {
    const { addFiles, removeFiles, addSymbols, removeSymbols, addChecks, removeChecks, ...set } = rest;
    const emptied = Object.fromEntries(clear.map((name) => [name === "estimate" ? "estimateHours" : name, null]));
    return editNode(session, {
      reference,
      set: { ...set, ...emptied } satisfies NodePatch,
      add: present({ files: addFiles, symbols: addSymbols, checks: addChecks }),
      remove: present({ files: removeFiles, symbols: removeSymbols, checks: removeChecks }),
      ...(appendBody === undefined ? {} : { appendBody }),
    });
  },
  inputs: {
    "body-file": BODY_FILE,
    from: ["read the new values from a file, or - for standard input: one JSON object; null empties a field", "FILE"],
  },
  prepare: async (input, terminal, app) => {
    const { from, reference, ...others } = input;
    if (Object.keys(input).length === 1 && typeof reference === "string" && terminal.interactive && !terminal.json) {
      editor = await import("../terminal/edit-in-editor.js");
      return editor.editInEditor(reference, terminal, app);
    }
    const rest = { reference, ...others };
    if (typeof from !== "string") return withBody(input, terminal);
    if (Object.keys(rest).length > 1) return usage("usage", "--from cannot be combined with other flags.");
    const text = await readText(from, terminal);
    const read = text.ok ? parseObject(text.value) : text;
    return read.ok ? ok({ ...read.value, ...rest }) : read;
  },
  text: ({ op, id, changed }, style) =>
    op === null
      ? style.dim(`${id} has that content already; nothing was changed.`)
      : `${style.yellow("~")} ${style.bold(id)}  ${changed.join(", ")}`,
  note: ({ stale }) => staleNote(stale),
  next: ({ op, id, stale }) => [...approveAgain(stale ? [id] : []), ...undoStep(op)],
  reword: (message, input) => editor?.withKeptText(message, input) ?? message,
  after: async ({ id, stale }, { input, terminal, app }) => {
    editor?.forgetText(input);
    return stale && terminal.interactive && !terminal.json ? offerApproval(id, terminal, app) : ok(undefined);
  },
});

/** A person who edits approved content can approve the change at once. An agent is refused, and nothing more is said. */
async function offerApproval(id: string, terminal: Terminal, app: PlanAsker): Promise<Result<unknown>> {
  const { askAfterPreview } = await import("../terminal/ask.js");
  const confirm: Door["confirm"] = (question, preview) => askAfterPreview(question, preview, terminal);
  const approved = await app.ask("approve", { references: [id] }, { confirm });
  if (approved.ok) terminal.print(`${terminal.style.green("✓")} approved ${id} again\n`);
  return ok(undefined);
}

function parseObject(text: string): Result<Input> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return ok(value as Input);
    return usage("bad-json", 'This is not a JSON object such as {"title":"A better title"}.');
  } catch (error) {
    return usage("bad-json", `This is not valid JSON: ${messageOf(error)}.`);
  }
}
