import { isoTime } from "../../model/iso-time.js";
import type { Claim, Edge, Nr } from "../../model/node/node.js";
import type { Context } from "../../plan/base/context.js";
import type { Reader } from "../../store/store.js";
import { type Change, fields, type Infer, ok, optional, planVerb, type Style, step, wholeNumber } from "../kit/verb.js";
import { harmless, second } from "../kit/wording.js";
import { noOperation } from "./choose-operation.js";
import { operationNumber, toEntry } from "./log.js";

export const input = fields({
  operation: operationNumber("the number of an operation in the log"),
  limit: optional(wholeNumber("how many rows; all of them unless given", 1, 1_000_000)),
});

export const verb = planVerb({
  command: { words: "diff", group: "look", positional: ["operation"] },
  summary: "Show what one operation changed, field by field",
  effect: "reads",
  resource: {
    address: "operation",
    summary: "What one operation changed",
    field: "operation",
    numbered: true,
    fixed: { limit: 200 },
  },
  input,
  examples: [{ input: { operation: 12 }, does: "every row that operation 12 changed, before and after" }],
  run: diff,
  prepare: async (input, { json }) => ok(json ? input : { limit: MAX_ROWS_SHOWN, ...input }),
  text: ({ op, at, actor, sentence, rows, changes }, style) => {
    const left = rows - changes.length;
    const when = style.dim(`${second(at)}  ${actor}`);
    const head = `${style.bold(`operation ${op}`)}  ${harmless(sentence)}\n${when}`;
    const rest = left > 0 ? [style.dim(`and ${left} more rows; --json shows all of them`)] : [];
    return [head, ...changes.map((row) => renderRow(row, style)), ...rest].join("\n\n");
  },
  next: ({ op, undone }) => (undone ? [step("redo", { operation: op })] : []),
});

const MAX_ROWS_SHOWN = 100;

const SIGNS: Readonly<Record<RowDiff["change"], readonly [sign: string, colour: "green" | "yellow" | "red"]>> = {
  created: ["+", "green"],
  changed: ["~", "yellow"],
  removed: ["-", "red"],
};

const text = (value: unknown): string => harmless(typeof value === "string" ? value : JSON.stringify(value));

function renderRow({ entity, id, change, fields }: RowDiff, style: Style): string {
  const [sign, colour] = SIGNS[change];
  const name = entity === "focus" ? `focus of ${id}` : id;
  const lines = [`${style[colour](sign)} ${style.bold(harmless(name))}`];
  for (const { field, before, after } of fields) {
    const values = [
      ...(before === null ? [] : [style.red(`- ${text(before)}`)]),
      ...(after === null ? [] : [style.green(`+ ${text(after)}`)]),
    ];
    lines.push(`    ${style.dim(field)}`, ...values.map((value) => `      ${value}`));
  }
  return lines.join("\n");
}

type RowDiff = Awaited<ReturnType<typeof toRow>>;

export function diff(context: Context, { operation: op, limit }: Infer<typeof input>) {
  return context.store.read(async (reader) => {
    const operation = await reader.operation(op);
    if (!operation) return noOperation(op);
    const changes = await reader.changes(operation.op);
    const nameOf = namesOf(reader, changes);
    const described: RowDiff[] = [];
    for (const change of changes.slice(0, limit)) described.push(await toRow(nameOf, change));
    const entry = await toEntry(reader, operation);
    const turn = entry.undone ? step("redo", { operation: op }) : step("undo", { operation: String(op) });
    return ok({ ...entry, rows: changes.length, changes: described, next: [turn] });
  });
}

/** `id`: of the node, or the actor whose focus it is. `before` and `after` are null also where the field was not there. */
async function toRow(nameOf: NameOf, change: Change) {
  const before = (change.before ?? {}) as Record<string, unknown>;
  const after = (change.after ?? {}) as Record<string, unknown>;
  const fields = [];
  for (const field of new Set([...Object.keys(before), ...Object.keys(after)])) {
    fields.push({
      field,
      before: await shown(nameOf, field, before[field] ?? null),
      after: await shown(nameOf, field, after[field] ?? null),
    });
  }
  const id = change.entity === "node" ? await nameOf(change.key) : change.key;
  const how = change.before === null ? "created" : change.after === null ? "removed" : "changed";
  return { entity: change.entity, id, change: how, fields } as const;
}

/** Row numbers become ids, times become text, and a claim's token stays the worker's. */
async function shown(nameOf: NameOf, field: string, value: unknown): Promise<unknown> {
  if (value === null) return null;
  if (field === "parent" || field === "node") return nameOf(value as Nr);
  if (field === "dependsOn") {
    const name = async ({ on, origin }: Edge) => `${await nameOf(on)}${origin === "stated" ? "" : ` (${origin})`}`;
    return Promise.all((value as readonly Edge[]).map(name));
  }
  if (field === "createdAt") return isoTime(value as number);
  if (Array.isArray(value)) return Promise.all(value.map((item: unknown) => shown(nameOf, "", item)));
  if (typeof value !== "object") return value;
  const { token: _, ...fact } = value as Partial<Claim> & Record<string, unknown>;
  const entries: [string, unknown][] = [];
  for (const [name, part] of Object.entries(fact)) {
    const isRow = (name === "from" || name === "root") && typeof part === "number";
    const isTime = (name === "at" || name === "until" || name === "startedAt") && typeof part === "number";
    entries.push([name, isRow ? await nameOf(part) : isTime ? isoTime(part) : part]);
  }
  return Object.fromEntries(entries);
}

/** Names rows, also those that are no longer there: then the operation itself may know them. */
function namesOf(reader: Reader, changes: readonly Change[]): (nr: Nr) => Promise<string> {
  const known = new Map<Nr, string>();
  for (const change of changes) {
    const id = change.entity === "node" ? (change.after?.id ?? change.before?.id) : undefined;
    if (change.entity === "node" && id !== undefined) known.set(change.key, id);
  }
  return async (nr) => {
    const name = known.get(nr) ?? (await reader.node(nr))?.id ?? `row ${nr}`;
    known.set(nr, name);
    return name;
  };
}

type NameOf = ReturnType<typeof namesOf>;
