import * as z from "zod/mini";
import { isoTime } from "../../model/iso-time.js";
import type { LoggedOperation } from "../../model/operation/operation.js";
import { isFirstHand } from "../../model/operation/undo.js";
import type { Context } from "../../plan/base/context.js";
import type { LogQuery, Reader } from "../../store/store.js";
import {
  type Change,
  field,
  fields,
  judged,
  node,
  ok,
  optional,
  planVerb,
  resolve,
  spoken,
  step,
  wholeNumber,
} from "../kit/verb.js";
import { harmless, second } from "../kit/wording.js";
import { latestTurn } from "./reversal.js";

const DIGITS = /^\d{1,15}$/;

export const operationNumber = (help: string) =>
  field(
    z.pipe(
      z.transform((value: number | string) =>
        typeof value === "string" && DIGITS.test(value) ? Number(value) : value,
      ),
      z.int().check(z.minimum(1)),
    ),
    { help, label: "OP" },
  );

const moment = (help: string) => field(z.string().check(judged(timeProblem)), { help, label: "TIME" });

const timeProblem = (text: string): string | undefined =>
  Number.isNaN(Date.parse(text)) ? `"${text.slice(0, 40)}" is not a time such as 2026-11-18T16:00.` : undefined;

export const input = fields({
  reference: optional(node("only what changed this node")),
  limit: optional(wholeNumber("how many operations; 20 unless given", 1, 1_000_000)),
  before: optional(operationNumber("only operations before this one")),
  until: optional(moment("only what happened by then, such as 2026-11-18T16:00")),
});

export const verb = planVerb({
  command: { words: "log", group: "look", positional: ["reference"], short: { n: "limit" } },
  summary: "Show what happened, newest first",
  effect: "reads",
  phrases: spoken(
    "log, history, what happened, what has happened, what changed, what has changed, who did what, " +
      "who changed what, recent changes, latest changes, last changes, what was done, what did we do, " +
      "what's been happening, what has been happening, what's happened, what's new, activity, what did we change, " +
      "what did you change, what did you do, what have we changed",
  ),
  emptyWords: "show me give so far yesterday today recent recently since last lately has have been",
  hints: ["history"],
  tools: [{ tool: "find", action: "log", fields: ["reference"], pages: "operations" }],
  input,
  examples: [
    { input: {}, does: "the latest operations: number, time, actor, what happened" },
    { input: { reference: "TASK-00001", limit: 5 }, does: "the last five that changed the task" },
  ],
  run: log,
  text: ({ operations }, style) => {
    return operations.map(({ op, at, actor, sentence, commit, undone }) => {
      // Most sentences begin with the actor, who is named before them already.
      const said = harmless(sentence.startsWith(`${actor} `) ? sentence.slice(actor.length + 1) : sentence);
      const what = undone ? `${style.dim(said)} ${style.yellow("(undone)")}` : said;
      const where = commit === null ? "" : style.dim(`  @${commit.slice(0, 8)}`);
      const when = `${style.bold(String(op).padStart(5))}  ${style.dim(second(at))}`;
      return `${when}  ${style.cyan(harmless(actor))}  ${what}${where}`;
    });
  },
  note: ({ operations }) => (operations.length === 0 ? "Nothing has happened yet." : ""),
  next: ({ operations, more }) => [
    ...(more ? [step("log", { limit: operations.length * 2 })] : []),
    ...(operations[0] ? [step("diff", { operation: operations[0].op })] : []),
  ],
});

const MAX_TARGETS = 20;

const DEFAULT_LIMIT = 20;

export function log(context: Context, { reference, limit = DEFAULT_LIMIT, before, until }: z.output<typeof input>) {
  return context.store.read(async (reader) => {
    const node = reference === undefined ? undefined : await resolve(reader, reference, context);
    if (node && !node.ok) return node;
    const query: LogQuery = {
      limit: limit + 1,
      ...(node && { about: node.value.nr }),
      ...(before !== undefined && { before }),
      ...(until !== undefined && { until: Date.parse(until) }),
    };
    const found = await reader.operations(query);
    const operations = await Promise.all(found.slice(0, limit).map((operation) => toEntry(reader, operation)));
    return ok({ operations, more: found.length > limit });
  });
}

/** `undone`: and not done again since. */
export async function toEntry(reader: Reader, operation: LoggedOperation) {
  const { op, at, actor, verb, sentence, commit, undoes, redoes } = operation;
  const undone = isFirstHand(operation) && (await latestTurn(reader, operation)).undoes === op;
  const changes = await reader.changes(op, MAX_TARGETS + 1);
  const targets = await Promise.all(changes.slice(0, MAX_TARGETS).map((change) => toTarget(reader, op, change)));
  const moreTargets = changes.length > MAX_TARGETS;
  return { op, at: isoTime(at), actor, verb, sentence, commit, undoes, redoes, undone, targets, moreTargets };
}

/** `revision`: of a node after the operation; null for anything else, and for a node that it removed. */
async function toTarget(reader: Reader, op: number, change: Change) {
  const { entity, key } = change;
  if (entity !== "node") return { entity, id: key, revision: null };
  const node = await reader.node(key);
  const id = node?.id ?? change.after?.id ?? change.before?.id ?? `row ${key}`;
  if (!node || change.after === null) return { entity, id, revision: null };
  // Each later operation that changed the node added one to its revision.
  const later = await reader.operations({ node: key, after: op, limit: node.revision });
  return { entity, id, revision: Math.max(node.revision - later.length, 1) };
}
