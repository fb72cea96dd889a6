// A node as a text that a person edits: one line for each field, lists with one entry per line, and the body at the end.

import { messageOf } from "../../base/errors.js";
import type { Check } from "../../model/node/node.js";
import { ok, type Result, usage } from "../../model/result.js";
import type { NodeView } from "../../plan/node/view.js";
import type { Input } from "../kit/read-words.js";

const SINGLE = ["title", "kind", "profile", "priority", "estimateHours", "attempts", "replans"] as const;
const NUMBERS: ReadonlySet<string> = new Set(["priority", "estimateHours", "attempts", "replans"]);
const LISTS = ["files", "symbols", "checks"] as const;
const BODY = "--- body: everything below this line ---";

type Form = Pick<
  NodeView,
  | "id"
  | "tier"
  | "title"
  | "kind"
  | "profile"
  | "priority"
  | "estimateHours"
  | "budgets"
  | "files"
  | "symbols"
  | "checks"
  | "body"
>;

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
