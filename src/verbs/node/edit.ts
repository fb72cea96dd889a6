import * as z from "zod/mini";
import { messageOf } from "../../base/errors.js";
import { contentProblem, union, without } from "../../model/node/content.js";
import { type Budgets, KINDS, type Node } from "../../model/node/node.js";
import { inferProfile, profileFor } from "../../model/node/profile.js";
import { changeNode } from "../../model/operation/change.js";
import { absent, ok, type Result, usage } from "../../model/result.js";
import { actWithNumber, type Context } from "../../plan/base/context.js";
import { requireOpen } from "../../plan/base/require-open.js";
import { resolve } from "../../plan/base/resolve.js";
import { retitleLand } from "../../plan/node/approve.js";
import * as content from "../kit/content.js";
import type { Input } from "../kit/read-words.js";
import type { Door } from "../kit/session.js";
import {
  choice,
  field,
  fields,
  list,
  node,
  optional,
  type PlanAsker,
  planVerb,
  rule,
  step,
  undoStep,
} from "../kit/verb.js";
import type { Terminal } from "../kit/view.js";
import { BODY_FILE, readText, withBody } from "../terminal/read-text.js";
import type * as Editor from "./edit-in-editor.js";
import { approveAgain, goesStale, staleNote } from "./stale-approval.js";

export const input = fields({
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
  clear: optional(
    list(
      choice(["body", "files", "symbols", "checks", "profile", "priority", "estimate", "attempts", "replans"], ""),
      "a field to empty",
      "FIELD",
    ),
  ),
}).check(rule(null, "needs at least one thing to change", (given) => Object.keys(given).length > 1));

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
  run: edit,
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

function emptiable<T extends z.ZodMiniType>(schema: T) {
  return optional(z.nullable(schema));
}

/** Loaded only when a person edits in their editor. */
let editor: typeof Editor | undefined;

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

type EditInput = z.output<typeof input>;

export function edit(context: Context, { reference, clear = [], ...given }: EditInput) {
  const emptied = Object.fromEntries(clear.map((name) => [name === "estimate" ? "estimateHours" : name, null]));
  return actWithNumber(context, "edit", async (writer) => {
    const found = await resolve(writer, reference, context);
    const node = found.ok ? requireOpen(found.value) : found;
    if (!node.ok) return node;
    const patch = patchFor(node.value, { ...given, ...emptied });
    if (!patch.ok) return patch;
    const own = changeNode(node.value, patch.value);
    const changes = [...own, ...(await retitleLand(writer, context.actor, node.value, patch.value.title))];
    const changed = Object.keys(own[0]?.after ?? {});
    const { id } = node.value;
    const stale = await goesStale(writer, node.value, patch.value);
    return ok({ sentence: `changed ${changed.join(", ")} of ${id}`, changes, value: { id, changed, stale } });
  });
}

type Patch = Omit<EditInput, "reference" | "clear">;

const valueAfter = <T>(given: T | null | undefined, before: T, empty: T): T =>
  given === null ? empty : (given ?? before);

function patchFor(node: Node, given: Patch) {
  const missing = firstMissing(node, given);
  if (missing !== undefined) {
    return absent("not-there", `${node.id} does not have "${missing}", so it cannot be removed.`, {
      next: [step("show", { reference: node.id })],
    });
  }
  const { kind = node.kind, appendBody } = given;
  if (kind !== node.kind && (node.kind === "land" || node.tier !== "task")) {
    const words = KINDS.filter((word) => word !== "land").join(", ");
    const message = `${node.id} cannot become a ${kind}: only a task has a kind, and it can be one of ${words}.`;
    return usage("bad-value", message);
  }
  const body = valueAfter(given.body, node.body, "");
  const files = listAfter(given.files, node.files, given.removeFiles, given.addFiles);
  const after = {
    title: given.title ?? node.title,
    body: appendBody === undefined ? body : [body, appendBody].filter((part) => part !== "").join("\n"),
    kind,
    files,
    symbols: listAfter(given.symbols, node.symbols, given.removeSymbols, given.addSymbols),
    checks: listAfter(given.checks, node.checks, given.removeChecks, given.addChecks),
    profile: profileAfter(node, files, given.profile),
    priority: valueAfter(given.priority, node.priority, null),
    estimateHours: valueAfter(given.estimateHours, node.estimateHours, null),
    budgets: budgetsAfter(node.budgets, given),
  };
  // What was put together may be too long although each part is not.
  const problem = contentProblem(after);
  return problem === undefined ? ok(after) : usage("invalid-input", `${node.id} would be too large: ${problem}.`);
}

const firstMissing = (node: Node, { removeFiles = [], removeSymbols = [], removeChecks = [] }: Patch) =>
  without(removeFiles, node.files)[0] ??
  without(removeSymbols, node.symbols)[0] ??
  without(removeChecks, node.checks)[0]?.run;

const listAfter = <T>(
  given: readonly T[] | null | undefined,
  before: readonly T[],
  removed: readonly T[] | undefined,
  added: readonly T[] | undefined,
): readonly T[] => union(without(valueAfter(given, before, []), removed), added);

/** An emptied profile follows the files again. */
function profileAfter(node: Node, files: readonly string[], given: string | null | undefined): string | null {
  if (given === undefined) return profileFor(node, files);
  return given ?? (node.tier === "task" ? inferProfile(files) : null);
}

function budgetsAfter(budgets: Budgets, given: Patch): Budgets {
  const after: { -readonly [K in keyof Budgets]: Budgets[K] } = { ...budgets };
  for (const name of ["attempts", "replans"] as const) {
    if (given[name] === null) delete after[name];
    else if (given[name] !== undefined) after[name] = given[name];
  }
  return after;
}
