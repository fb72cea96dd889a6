// Views of operations on single nodes.

import type { Linked } from "../../../../actions/node/link.js";
import type { App } from "../../../../app/app.js";
import type { Input } from "../../../../app/read-words.js";
import type { Door } from "../../../../app/session.js";
import { harmless, withinLine } from "../../../../app/text/harmless.js";
import { type NextStep, ok, type Result, step, usage } from "../../../../app/vocabulary.js";
import { messageOf } from "../../../../base/errors.js";
import type * as Editor from "../../edit-in-editor.js";
import { BODY_FILE, readText, withBody } from "../../read-text.js";
import { undoStep } from "../../text/ids.js";
import { renderNode } from "../../text/render-node.js";
import { type Style } from "../../text/style.js";
import type { Terminal, ViewOf } from "../../view.js";

const STALE = "The approval no longer fits the content. Approve it again before it runs:";

const staleNote = (isStale: boolean): string => (isStale ? STALE : "");

const approveAgain = (references: readonly string[]): NextStep[] =>
  references.length === 0 ? [] : [step("approve", { references })];

/** Loaded only when a person edits in their editor. */
let editor: typeof Editor | undefined;

const edit: ViewOf<"edit"> = {
  inputs: {
    "body-file": BODY_FILE,
    from: ["read the new values from a file, or - for standard input: one JSON object; null empties a field", "FILE"],
  },
  prepare: async (input, terminal, app) => {
    const { from, reference, ...others } = input;
    if (Object.keys(input).length === 1 && typeof reference === "string" && terminal.interactive && !terminal.json) {
      editor = await import("../../edit-in-editor.js");
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
};

/** A person who edits approved content can approve the change at once. An agent is refused, and nothing more is said. */
async function offerApproval(id: string, terminal: Terminal, app: App): Promise<Result<unknown>> {
  const { askAfterPreview } = await import("../../ask.js");
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

const move: ViewOf<"move"> = {
  text: ({ op, moved, to }, style) =>
    op === null
      ? style.dim(`Already below ${to}; nothing was changed.`)
      : moved.map((id) => `${style.yellow("→")} ${style.bold(id)}  below ${to}`).join("\n"),
  note: ({ stale }) => staleNote(stale.length > 0),
  next: ({ op, stale }) => [...approveAgain(stale), ...undoStep(op)],
};

function linkLines(linked: Linked, sign: "+" | "-", style: Style): string {
  if (linked.op === null) return style.dim(`${linked.id} is linked like that already; nothing was changed.`);
  const lines = [
    ...linked.on.map((id) => `depends on ${id}`),
    ...linked.files.map((file) => `touches ${file}`),
    ...linked.symbols.map((symbol) => `touches ${symbol}`),
  ];
  return [style.bold(linked.id), ...lines.map((line) => `  ${sign} ${harmless(line)}`)].join("\n");
}

const afterLink: Pick<ViewOf<"link">, "note" | "next"> = {
  note: ({ stale }) => staleNote(stale),
  next: ({ op, id, stale }) => [...approveAgain(stale ? [id] : []), ...undoStep(op)],
};

const link: ViewOf<"link"> = { text: (linked, style) => linkLines(linked, "+", style), ...afterLink };

const unlink: ViewOf<"unlink"> = { text: (linked, style) => linkLines(linked, "-", style), ...afterLink };

const gate: ViewOf<"gate"> = {
  text: ({ id, before }, style) => `${style.green("+")} ${style.bold(id)}  before ${before.join(", ")}`,
  note: ({ stale }) => staleNote(stale.length > 0),
  next: ({ op, id, approved, stale }) => [
    ...approveAgain(stale),
    approved.includes(id) ? step("complete", { reference: id }) : step("approve", { references: [id] }),
    ...undoStep(op),
  ],
};

const focus: ViewOf<"focus"> = {
  text: ({ node }, style) => (node ? renderNode(node, style) : style.dim("Nothing is in focus.")),
  next: ({ node }) => (node ? [] : [step("focus", {}, "reference"), step("next")]),
};

const comment: ViewOf<"comment"> = {
  text: ({ id, node, text }, style) => `${style.green("+")} ${style.bold(id)}  on ${node}: ${withinLine(text)}`,
  next: ({ node, op }) => [step("show", { reference: node }), ...undoStep(op)],
};

const label: ViewOf<"label"> = {
  text: ({ op, nodes }, style) =>
    op === null
      ? style.dim("Nothing was changed.")
      : nodes.map(({ id, labels }) => `${style.bold(id)}  ${labels.join(", ") || style.dim("no labels")}`).join("\n"),
  next: ({ op }) => undoStep(op),
};

const promote: ViewOf<"promote"> = {
  text: ({ note, from, to }, style) => `${style.green("↑")} ${style.bold(to)}  from ${from}: ${harmless(note)}`,
  next: ({ to, op }) => [step("show", { reference: to }), ...undoStep(op)],
};

export const nodeViews = { edit, move, link, unlink, gate, focus, comment, label, promote };
