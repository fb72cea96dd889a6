// Has a person edit a node in their editor. A mistake opens the same text again, and no text is ever lost.

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import type * as z from "zod/mini";
import { messageOf } from "../../base/errors.js";
import { readPlainFile } from "../../base/plain-file.js";
import type { Budgets, Check } from "../../model/node/node.js";
import type { NodeView } from "../../plan/node/view.js";
import type { Input } from "../kit/read-words.js";
import { ok, type PlanAsker, parseInput, type Result, refused, type Terminal, usage } from "../kit/verb.js";

const FILES = new WeakMap<Input, string>();

export async function editInEditor(reference: string, schema: z.ZodMiniObject, terminal: Terminal, app: PlanAsker) {
  const shown = await app.call("show", { reference });
  if (!shown.ok) return shown;
  if ("entity" in shown.value) return refused("not-a-node", `${reference} is not a node, so it cannot be edited.`);
  const node = shown.value;
  const file = join(mkdtempSync(join(tmpdir(), "planwright-edit-")), `${node.id}.md`);
  let text = formOf(node);
  for (;;) {
    writeFileSync(file, text);
    if (!openEditor(file, terminal)) return refused("canceled", `The editor failed. ${keptIn(file)}`);
    const saved = readPlainFile(file);
    const changes = changesIn(saved, node);
    const input: Input = { reference: node.id, title: node.title, ...(changes.ok ? changes.value : {}) };
    const judged = changes.ok ? parseInput(schema, input) : changes;
    if (judged.ok) {
      FILES.set(input, file);
      return ok(input);
    }
    const remarks = judged.error.message.replace(/^/gm, "# ! ");
    const again = `${remarks}\n${saved.replace(/^# ! .*\n/gm, "")}`;
    // Saved without a change: the mistake is still there, and opening the text again would not end.
    if (again === text) return refused("invalid-input", `${judged.error.message} ${keptIn(file)}`);
    text = again;
  }
}

const keptIn = (file: string): string => `Your text is kept in ${file}.`;

/** As git does it: what the variable says may have arguments of its own. */
export function openEditor(file: string, terminal: Terminal): boolean {
  const editor = terminal.variable("VISUAL") || terminal.variable("EDITOR") || "vi";
  return spawnSync("sh", ["-c", `${editor} "$@"`, "sh", file], { stdio: "inherit" }).status === 0;
}

export function withKeptText(message: string, input: Input): string {
  const file = FILES.get(input);
  return file === undefined ? message : `${message} ${keptIn(file)}`;
}

export function forgetText(input: Input): void {
  const file = FILES.get(input);
  if (file !== undefined) rmSync(dirname(file), { recursive: true, force: true });
}

const SINGLE = ["title", "kind", "profile", "priority", "estimateHours", "attempts", "replans"] as const;
const NUMBERS: ReadonlySet<string> = new Set(["priority", "estimateHours", "attempts", "replans"]);
const LISTS = ["files", "symbols", "checks"] as const;
const BODY = "--- body: everything below this line ---";

type Form = Pick<NodeView, Exclude<(typeof SINGLE)[number], keyof Budgets> | (typeof LISTS)[number]> &
  Pick<NodeView, "id" | "tier" | "budgets" | "body">;

/** `npm test => ok`, or JSON where that would leave something out. */
const checkLine = ({ run, expect, ...rest }: Check): string =>
  Object.keys(rest).length > 0 || /[\n{]|=>/.test(run)
    ? JSON.stringify({ run, ...(expect === undefined ? {} : { expect }), ...rest })
    : [run, ...(expect === undefined ? [] : [expect])].join(" => ");

export function formOf(node: Form): string {
  const { title, kind, profile, priority, estimateHours } = node;
  const { attempts, replans } = node.budgets;
  const single = { title, kind, profile, priority, estimateHours, attempts, replans };
  const lists = { files: node.files, symbols: node.symbols, checks: node.checks.map(checkLine) };
  return [
    `# ${node.id} (${node.tier}). Lines that begin with # are left out. An empty value empties the field.`,
    ...SINGLE.filter((name) => name !== "kind" || node.kind !== null).map((name) =>
      `${name}: ${single[name] ?? ""}`.trimEnd(),
    ),
    ...LISTS.flatMap((name) => [`${name}:`, ...lists[name].map((entry) => `  ${entry}`)]),
    BODY,
    node.body,
  ].join("\n");
}

/** What the form says, as far as it differs from the node: two people may edit different fields at once. */
export function changesIn(text: string, node: Form): Result<Input> {
  const after = readForm(text);
  const before = readForm(formOf(node));
  if (!after.ok || !before.ok) return after;
  const changed = Object.entries(after.value).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before.value[name]),
  );
  return ok(Object.fromEntries(changed));
}

function readForm(text: string): Result<Input> {
  const [head = "", ...rest] = text.split(new RegExp(`^${BODY}\\n`, "m"));
  if (rest.length === 0) return usage("bad-form", `The line "${BODY}" is missing.`);
  // Most editors end a file with a line break.
  const read: Input = { body: rest.join(`${BODY}\n`).replace(/\n$/, "") };
  let list: string[] | undefined;
  for (const line of head.split("\n")) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    if (/^\s/.test(line) && list) {
      list.push(line.trim());
      continue;
    }
    const [, name = "", value = ""] = /^(\w+):\s*(.*)$/.exec(line) ?? [];
    list = isOneOf(LISTS, name) && value === "" ? [] : undefined;
    if (list) read[name] = list;
    else if (isOneOf(SINGLE, name)) read[name] = valueOf(name, value.trim());
    else return usage("bad-form", `The line "${line.slice(0, 60)}" is not a field of the form.`);
  }
  return checksIn(read);
}

const isOneOf = (names: readonly string[], name: string): boolean => names.includes(name);

/** A number that is none stays text, so that the schema can say what it must be. */
function valueOf(name: string, text: string): unknown {
  if (name === "title" || name === "kind") return text;
  if (text === "") return null;
  return NUMBERS.has(name) && !Number.isNaN(Number(text)) ? Number(text) : text;
}

function checksIn(read: Input): Result<Input> {
  const lines = (read["checks"] ?? []) as readonly string[];
  try {
    return ok({ ...read, checks: lines.map((line) => (line.startsWith("{") ? (JSON.parse(line) as unknown) : line)) });
  } catch (error) {
    return usage("bad-form", `A check is not valid JSON: ${messageOf(error)}.`);
  }
}
