import * as z from "zod/mini";
import { messageOf } from "../../base/errors.js";
import { step } from "../../model/next-step.js";
import { contentProblem, type FootprintInput, type NodeInput, union, without } from "../../model/node/content.js";
import { type Budgets, type Check, KINDS, type Kind, type Node, type NodeFields } from "../../model/node/node.js";
import { inferProfile, profileFor } from "../../model/node/profile.js";
import { changeNode } from "../../model/operation/change.js";
import { absent, ok, type Result, usage } from "../../model/result.js";
import { actWithNumber, type Context } from "../../plan/base/context.js";
import { requireOpen } from "../../plan/base/require-open.js";
import { resolve } from "../../plan/base/resolve.js";
import { retitleLand } from "../../plan/node/approve.js";
import * as content from "../kit/content.js";
import type { Input } from "../kit/read-words.js";
import { choice, field, fields, list, node, optional } from "../kit/schema.js";
import type { Door } from "../kit/session.js";
import type { PlanAsker } from "../kit/verb.js";
import { planVerb } from "../kit/verb.js";
import type { Terminal } from "../kit/view.js";
import { BODY_FILE, readText, withBody } from "../terminal/read-text.js";
import { undoStep } from "../text/after-change.js";
import type * as Editor from "./edit-in-editor.js";
import { approveAgain, goesStale, staleNote } from "./stale-approval.js";

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
    return edit(session, {
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
  prepare: async (given, terminal, app) => {
    const { from, reference, ...others } = given;
    if (Object.keys(given).length === 1 && typeof reference === "string" && terminal.interactive && !terminal.json) {
      editor = await import("./edit-in-editor.js");
      return editor.editInEditor(reference, input, terminal, app);
    }
    const rest = { reference, ...others };
    if (typeof from !== "string") return withBody(given, terminal);
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

type Emptiable = "body" | "files" | "symbols" | "checks" | "profile" | "priority" | "estimateHours";

/** New values; null empties a field. */
type NodePatch = Partial<Pick<NodeInput, "title" | "kind">> & {
  readonly [K in Emptiable]?: NonNullable<NodeInput[K]> | null;
} & { readonly [K in keyof Budgets]?: number | null };

interface Lists extends FootprintInput {
  readonly checks?: readonly Check[];
}

export interface EditInput {
  readonly reference: string;
  readonly set?: NodePatch;
  readonly appendBody?: string;
  readonly add?: Lists;
  readonly remove?: Lists;
}

export function edit(context: Context, input: EditInput) {
  return actWithNumber(context, "edit", async (writer) => {
    const found = await resolve(writer, input.reference, context.actor);
    const node = found.ok ? requireOpen(found.value) : found;
    if (!node.ok) return node;
    const patch = patchFor(node.value, input);
    if (!patch.ok) return patch;
    const own = changeNode(node.value, patch.value);
    const changes = [...own, ...(await retitleLand(writer, node.value, patch.value.title))];
    const changed = Object.keys(own[0]?.after ?? {});
    const { id } = node.value;
    const stale = await goesStale(writer, node.value, patch.value);
    return ok({ sentence: `changed ${changed.join(", ")} of ${id}`, changes, value: { id, changed, stale } });
  });
}

function patchFor(node: Node, { set = {}, add, remove, appendBody }: EditInput): Result<Partial<NodeFields>> {
  const missing = firstMissing(node, remove ?? {});
  if (missing !== undefined) {
    return absent("not-there", `${node.id} does not have "${missing}", so it cannot be removed.`, {
      next: [step("show", { reference: node.id })],
    });
  }
  const kind = kindFor(node, set.kind);
  if (!kind.ok) return kind;
  const value = <K extends Emptiable>(field: K, blank: Node[K]): Node[K] =>
    set[field] === null ? blank : ((set[field] as Node[K] | undefined) ?? node[field]);
  const list = <K extends keyof Lists & Emptiable>(field: K, blank: Node[K]): Node[K] =>
    union<unknown>(without<unknown>(value(field, blank), remove?.[field]), add?.[field]) as unknown as Node[K];
  const body = value("body", "");
  const files = list("files", []);
  const after = {
    title: set.title ?? node.title,
    body: appendBody === undefined ? body : [body, appendBody].filter((part) => part !== "").join("\n"),
    kind: kind.value,
    files,
    symbols: list("symbols", []),
    checks: list("checks", []),
    profile: profileAfter(node, files, set.profile),
    priority: value("priority", null),
    estimateHours: value("estimateHours", null),
    budgets: budgetsAfter(node.budgets, set),
  };
  // What was put together may be too long although each part is not.
  const problem = contentProblem(after);
  return problem === undefined ? ok(after) : usage("invalid-input", `${node.id} would be too large: ${problem}.`);
}

function firstMissing(node: Node, remove: Lists): string | undefined {
  for (const field of ["files", "symbols", "checks"] as const) {
    const missing = without<unknown>(remove[field] ?? [], node[field])[0];
    if (missing !== undefined) return typeof missing === "string" ? missing : (missing as Check).run;
  }
  return undefined;
}

function kindFor(node: Node, kind: Kind | undefined): Result<Kind | null> {
  if (kind === undefined || kind === node.kind) return ok(node.kind);
  if (kind === "land" || node.kind === "land" || node.tier !== "task") {
    const words = KINDS.filter((word) => word !== "land").join(", ");
    return usage(
      "bad-value",
      `${node.id} cannot become a ${kind}: only a task has a kind, and it can be one of ${words}.`,
    );
  }
  return ok(kind);
}

/** An emptied profile follows the files again. */
function profileAfter(node: Node, files: readonly string[], given: string | null | undefined): string | null {
  if (given === undefined) return profileFor(node, files);
  return given ?? (node.tier === "task" ? inferProfile(files) : null);
}

function budgetsAfter(budgets: Budgets, set: NodePatch): Budgets {
  const after: { -readonly [K in keyof Budgets]: Budgets[K] } = { ...budgets };
  for (const name of ["attempts", "replans"] as const) {
    if (set[name] === null) delete after[name];
    else if (set[name] !== undefined) after[name] = set[name];
  }
  return after;
}
