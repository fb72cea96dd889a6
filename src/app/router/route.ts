// From words to one command, or to a question. A command that is typed as such comes first, then the meaning of the words, then
// no guess: nothing is run that the words do not say and the plan does not have.

import type { Context } from "../../actions/context.js";
import { resolve } from "../../actions/resolve.js";
import { type NextStep, step } from "../../graph/next-step.js";
import { isFocusToken } from "../../graph/node/resolve.js";
import type { OperationName } from "../../graph/operation-names.js";
import { ambiguous, type Failure, ok, type Result, refused, usage } from "../../graph/result.js";
import { loadOperation } from "../catalogue.js";
import { commandWords, findSpelling, SPELLINGS, type Spelling } from "../command-line.js";
import { type CliField, type CliFields, cliFieldsOf } from "../fields.js";
import type { Operation } from "../operation.js";
import { type Input, readWords } from "../read-words.js";
import { parseInput } from "../schema.js";
import { VERBS, verbOf } from "./intents.js";
import { suggest } from "./suggest.js";
import { isFiller, LONGEST, looksLikeId, type Sentence, understand } from "./understand.js";

export interface Routed {
  /** 1: typed as a command. 2: understood from the words. */
  readonly stage: 1 | 2;
  readonly operation: OperationName;
  readonly input: Readonly<Record<string, unknown>>;
  /** The same as the words of a command line. */
  readonly words: readonly string[];
  /** It cannot be taken back by one `undo`, and was only understood, not typed: the caller confirms it first. */
  readonly asksFirst: boolean;
  /** What it does, for that question. */
  readonly summary: string;
}

/** In front of a command: take it literally, and ask nothing that a flag could answer. */
const FORCED = /^\s*(?:must do|just do|exactly)\s*:\s*/iu;

export async function route(context: Context, text: string): Promise<Result<Routed>> {
  if (text.trim() === "") return usage("no-words", "Say what to do.", { details: { verbs: VERBS } });
  const forced = FORCED.test(text);
  const words = text.replace(FORCED, "");
  const typed = words.length > LONGEST ? null : await readCommand(context, words, forced);
  if (typed) return ok(typed);
  return forced ? notUnderstood(words) : routeSentence(context, words);
}

const LEGACY = /^plan-(?=bootstrap$|expand$|next$|status$|replan$|promote$|archive$|undo$|freeze$|thaw$|conflicts$)/u;
const WORD = /"((?:[^"\\]|\\.)*)"|'([^']*)'|(\S+)/gu;

/** As a shell would split them. A question mark or full stop after a bare verb is part of no command. */
function shellWords(text: string): string[] {
  const words = [...text.matchAll(WORD)].map(([, double, single, bare]) =>
    double === undefined ? (single ?? bare ?? "") : double.replace(/\\(.)/gu, "$1"),
  );
  const [first = "", ...rest] = words;
  const verb = first
    .toLowerCase()
    .replace(/[.!?]+$/u, "")
    .replace(LEGACY, "");
  return [verb, ...rest];
}

/** Null if the words are no command: no verb in front, a word too many, or a node that the plan does not have. */
async function readCommand(context: Context, text: string, forced: boolean): Promise<Routed | null> {
  const words = shellWords(text);
  const found = findSpelling(words);
  if (!found || found.spelling.operation === "route") return null;
  const { spelling, rest } = found;
  const operation = await loadOperation(spelling.operation);
  const fields = cliFieldsOf(operation, spelling);
  const read = readWords(spelling, fields, rest);
  // A flag that only the command line knows is its own to read.
  if ("problem" in read && read.unknown === undefined) return null;
  const input: Input = "input" in read ? read.input : {};
  if (!forced && "input" in read && fields.positional.some((field) => isMissing(field, input))) return null;
  for (const { name, names } of fields.positional) {
    if ((names === "node" || takesNode(operation)) && !(await areInPlan(context, [input[name] ?? []].flat())))
      return null;
  }
  const confirmed = forced && asksItself(operation, input);
  if (confirmed) input["yes"] = true;
  const flags = confirmed && !rest.includes("--yes") ? ["--yes"] : [];
  return {
    stage: 1,
    operation: spelling.operation,
    input,
    words: [...spelling.words.split(" "), ...rest, ...flags],
    asksFirst: false,
    summary: operation.summary,
  };
}

/** Without its node a command is asked back about, with the focus as an offer. */
const isMissing = ({ name, names, required }: CliField, input: Input): boolean =>
  required && names === "node" && input[name] === undefined;

const NUMBER = /^\d+$/u;

/** An id that the plan does not have is a mistake to report, not a sentence. */
async function areInPlan(context: Context, references: readonly unknown[]): Promise<boolean> {
  for (const reference of references) {
    if (typeof reference !== "string") return false;
    if (isFocusToken(reference) || looksLikeId(reference) || NUMBER.test(reference)) continue;
    const found = await find(context, reference);
    if (!found.ok && found.error.reason === "not-found") return false;
  }
  return true;
}

const find = (context: Context, reference: string): ReturnType<typeof resolve> =>
  context.store.read((reader) => resolve(reader, reference, context.actor));

async function routeSentence(context: Context, text: string): Promise<Result<Routed>> {
  const sentence = understand(text);
  const [name, ...others] = sentence.asked;
  if (name === undefined) {
    const [not] = sentence.negated;
    return not === undefined ? notUnderstood(text) : notDone(not);
  }
  if (others.length > 0) return whichFirst(sentence.asked);
  const operation = await loadOperation(name);
  const spelling = SPELLINGS.find((each) => each.operation === name && !each.hidden);
  if (!spelling) return notUnderstood(text);
  const input = await fill(context, text, sentence, { operation, fields: cliFieldsOf(operation, spelling), spelling });
  if (!input.ok) return input;
  const words = commandWords(step(name, input.value));
  return ok({
    stage: 2,
    operation: name,
    input: input.value,
    words,
    asksFirst: asksFirst(operation, input.value),
    summary: operation.summary,
  });
}

/** With `yes` in its input it asks by itself, and `yes` has to be a valid answer: `run` asks only with `land`. */
const asksItself = ({ input: schema }: Operation, input: Input): boolean =>
  "yes" in schema.shape && parseInput(schema, { ...input, yes: true }).ok;

/** What one `undo` does not take back whole, and what hides or replaces a branch, unless the operation asks by itself. */
const asksFirst = (operation: Operation, input: Input): boolean =>
  !asksItself(operation, input) &&
  (operation.destructive === true || operation.effect === "runs" || operation.name === "archive");

interface Asked {
  readonly operation: Operation;
  readonly spelling: Spelling;
  readonly fields: CliFields;
}

/** The input that the sentence gives: a node, words, a reason. What it says beyond that was not understood. */
async function fill(
  context: Context,
  text: string,
  sentence: Sentence,
  asked: Asked,
): Promise<Result<Readonly<Record<string, unknown>>>> {
  const { operation, fields } = asked;
  const input: Input = { ...asked.spelling.fixed };
  if (sentence.reason !== null) {
    if (!("reason" in operation.input.shape)) return notUnderstood(text);
    input["reason"] = sentence.reason;
  }
  const target = targetOf(fields);
  const named = sentence.ids.length > 0 ? sentence.ids : sentence.rest.length > 0 ? [sentence.rest.join(" ")] : [];
  if (sentence.ids.length > 0 && sentence.rest.length > 0) return notUnderstood(text);
  const references = named.length === 0 && sentence.focus !== null ? [sentence.focus] : named;
  if (references.length === 0) {
    if (target?.required) return whichNode(context, operation, target);
    return ok(input);
  }
  if (!target || (references.length > 1 && !target.many)) return notUnderstood(text);
  if (target.names !== "node" && !takesNode(operation)) {
    input[target.name] = references.join(" ");
    return ok(input);
  }
  const ids: string[] = [];
  for (const reference of references) {
    const found = await find(context, reference);
    if (found.ok) ids.push(found.value.id);
    // Words that are no title were no title: the sentence was about something else.
    else return found.error.reason === "not-found" && sentence.ids.length === 0 ? notUnderstood(text) : found;
  }
  input[target.name] = target.many ? ids : ids[0];
  return ok(input);
}

/** Where a node that the sentence names belongs: the first argument, or "in". */
const targetOf = ({ positional, flags }: CliFields): CliField | undefined =>
  positional[0] ?? flags.find(({ name, names }) => name === "in" && names === "node");

/** The argument of `undo` is a number or a node. */
const takesNode = ({ name }: Operation): boolean => name === "undo" || name === "redo";

async function whichNode(context: Context, operation: Operation, { name, many }: CliField): Promise<Result<never>> {
  const focused = await find(context, operation.name === "expand" ? "--feature" : "--active");
  const verb = verbOf(operation.name);
  const offer = focused.ok ? ` In focus is ${focused.value.id}: ${focused.value.title}.` : "";
  const next: NextStep[] = focused.ok
    ? [step(operation.name, { [name]: many ? [focused.value.id] : focused.value.id })]
    : [step(operation.name, {}, name)];
  return usage("which-node", `${capital(verb)} what?${offer}`, { next });
}

const capital = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);

const NUMBERS = ["No", "One", "Two", "Three", "Four"];

function whichFirst(asked: readonly OperationName[]): Result<never> {
  const verbs = asked.map(verbOf);
  const message = `${NUMBERS[asked.length] ?? asked.length} intents: ${verbs.join(", ")}. Which first?`;
  return ambiguous("several-intents", message, { details: { intents: verbs } });
}

const notDone = (name: OperationName): Result<never> =>
  refused("negated", `You said not to ${verbOf(name)}, so nothing was done.`, { details: { intent: verbOf(name) } });

function notUnderstood(text: string): Result<never> {
  const near = nearestVerbs(text);
  const nearest = near.length === 0 ? "" : ` The nearest are ${near.join(" and ")}.`;
  const message = `Not understood: "${shorten(text)}". Begin with a verb: ${VERBS.join(", ")}.${nearest}`;
  const failure: Omit<Failure, "kind" | "reason" | "message"> = { details: { verbs: VERBS, nearest: near } };
  return usage("not-understood", message, failure);
}

/** By keyword, then by spelling; at most two. */
function nearestVerbs(text: string): string[] {
  const words = understand(text).rest.flatMap((word) => (isFiller(word) ? [] : suggest(word)));
  return [...new Set(words)].slice(0, 2);
}

const shorten = (text: string): string => (text.length > 80 ? `${text.slice(0, 77)}…` : text);
