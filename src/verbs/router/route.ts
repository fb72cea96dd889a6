// From words to one command, or to a question. A command that is typed as such comes first, then the meaning of the words, then
// no guess: nothing is run that the words do not say and the plan does not have.

import { anyStep, step, type VerbName } from "../../model/next-step.js";
import { isFocusToken, pickMatch, titleKey } from "../../model/node/resolve.js";
import { ambiguous, ok, type Result, refused, usage } from "../../model/result.js";
import { resolve } from "../../plan/base/resolve.js";
import { type CliField, type CliFields, cliFieldsOf, type Input, readWords } from "../kit/read-words.js";
import { tellApart } from "../kit/same-words.js";
import { allSpellings, commandWords, findSpelling, flagOfVariant, type Spelling, spellWords } from "../kit/spell.js";
import { type Context, fields, type LoadVerb, type Node, parseInput, planVerb, text, type Verb } from "../kit/verb.js";
import { ALL_PHRASES, KNOWN_VERBS, operationsFor, verbOf } from "./phrases.js";
import { isSafe, suggest } from "./suggest.js";
import { isFiller, isOnlyAsked, isPronoun, looksLikeId, MAX_SENTENCE_LENGTH } from "./tokens.js";
import { type Sentence, understand } from "./understand.js";

export const input = fields({ words: text("what to do", "WORDS") });

export const verb = planVerb({
  command: { words: "do", group: "tool", positional: ["words"] },
  summary: "Do what some words ask for",
  description:
    "Words that begin with a command are that command. Other words are searched for what they ask: a verb, and a node by its id or title. Two verbs are a question back, and words that are not understood run nothing. What one undo cannot take back is run only after a yes. After `must do:` the words must be a command.",
  effect: "reads",
  routes: true,
  tools: [{ tool: "do", fields: ["words"] }],
  input,
  examples: [
    { input: { words: "let's expand FEAT-001 into stories" }, does: "expands the feature" },
    { input: { words: "what's next" }, does: "shows the next task, and claims nothing" },
  ],
  run: (session, { words }) => route(session, words),
  flags: { "dry-run": "only show the command that the words mean" },
  text: ({ words }) => spellWords(words),
});

export type RouterContext = Context & { readonly load: LoadVerb };

export interface Routed {
  /** 1: typed as a command. 2: understood from the words. */
  readonly stage: 1 | 2;
  readonly operation: VerbName;
  readonly input: Readonly<Record<string, unknown>>;
  readonly words: readonly string[];
  /** It cannot be taken back by one `undo`, and was only understood, not typed: the caller confirms it first. */
  readonly asksFirst: boolean;
  readonly summary: string;
}

/** In front of a command: take it literally, and ask nothing that a flag could answer. */
const FORCED = /^\s*(?:must do|just do|exactly)\s*:\s*/iu;

export async function route(context: RouterContext, text: string): Promise<Result<Routed>> {
  if (text.trim() === "") return usage("no-words", "Say what to do.", { details: { verbs: KNOWN_VERBS } });
  const forced = FORCED.test(text);
  const words = text.replace(FORCED, "");
  const typed = words.length > MAX_SENTENCE_LENGTH ? null : await readCommand(context, words, forced);
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
    .replace(/(?<![.!?])[.!?]+$/u, "")
    .replace(LEGACY, "");
  return [verb, ...rest];
}

/** Null if the words are no command: no verb in front, a word too many, or a node that the plan does not have. */
async function readCommand(context: RouterContext, text: string, forced: boolean): Promise<Routed | null> {
  const words = shellWords(text);
  const found = findSpelling(words);
  if (!found || found.spelling.operation === "route") return null;
  const nodesAmong = async (ids: readonly string[]) =>
    (await context.store.read((reader) => reader.byIds(ids))).map(({ id }) => id);
  const [{ spelling, rest }] = await tellApart(found, { load: context.load, nodesAmong });
  if (isPartOfLonger(spelling, rest)) return null;
  const operation = await context.load(spelling.operation);
  if (!forced && isOnlyAsked(text) && !answers(operation)) return null;
  const fields = cliFieldsOf(operation, spelling);
  const read = readWords(spelling, fields, rest);
  // A flag that only the command line knows is its own to read.
  if ("problem" in read && read.unknown === undefined) return null;
  const input: Input = "input" in read ? read.input : {};
  if (!forced && "input" in read && fields.positional.some((field) => isMissing(field, input))) return null;
  for (const { name, names } of fields.positional) {
    if (names !== "node" && !operation.takesNode) continue;
    const references = [input[name] ?? []].flat();
    const isOneTitle = references.length > 1 && references.length === rest.length && !references.every(isId);
    // "next button" may be a title; only an id says which task to claim.
    if (operation.answersQuestions && !references.every(isId)) return null;
    if (isOneTitle || !(await areInPlan(context, references))) return null;
  }
  const confirmed = forced && asksItself(operation, input);
  if (confirmed) input["yes"] = true;
  const looking = !forced && isOnlyAsked(text) ? lookOnly(operation, input) : [];
  const flags = [...(confirmed && !rest.includes("--yes") ? ["--yes"] : []), ...looking];
  return {
    stage: 1,
    operation: spelling.operation,
    input,
    words: [...spelling.words.split(" "), ...rest, ...flagOfVariant(spelling), ...flags],
    asksFirst: false,
    summary: operation.summary,
  };
}

const answers = ({ effect, answersQuestions }: Verb): boolean => effect === "reads" || answersQuestions !== undefined;

/** A question only looks: "what's next?" claims nothing. */
function lookOnly({ answersQuestions }: Verb, input: Input): string[] {
  if (answersQuestions === undefined || input[answersQuestions] === true) return [];
  input[answersQuestions] = true;
  return [`--${answersQuestions}`];
}

/** "search for X" means more than `search` with the words "for X". */
const isPartOfLonger = ({ words, operation }: Spelling, rest: readonly string[]): boolean => {
  const all = [...words.split(" "), ...rest].map((word) => word.toLowerCase());
  return ALL_PHRASES.some(
    (phrase) =>
      phrase.operation === operation &&
      phrase.words.length > all.length - rest.length &&
      phrase.words.length < all.length &&
      phrase.words.every((word, i) => word === all[i]),
  );
};

/** Without its node a command is asked back about, with the focus as an offer. */
const isMissing = ({ name, names, required }: CliField, input: Input): boolean =>
  required && names === "node" && input[name] === undefined;

const NUMBER = /^\d+$/u;

const isId = (reference: unknown): boolean => typeof reference === "string" && looksLikeId(reference);

/** An id that the plan does not have is a mistake to report, not a sentence. */
async function areInPlan(context: RouterContext, references: readonly unknown[]): Promise<boolean> {
  for (const reference of references) {
    if (typeof reference !== "string") return false;
    if (isFocusToken(reference) || looksLikeId(reference) || NUMBER.test(reference)) continue;
    if (isFiller(reference) || isPronoun(reference)) return false;
    const found = await find(context, reference);
    if (!found.ok && found.error.reason === "not-found") return false;
  }
  return true;
}

/** Finds a node by id, or by whole words of a title: "art" is no part of "Start page". */
const find = (context: RouterContext, reference: string): Promise<Result<Node>> =>
  context.store.read(async (reader) => {
    if (isFocusToken(reference)) return resolve(reader, reference, context);
    const { by, nodes } = await reader.match(reference);
    return pickMatch(reference, by === "title" ? nodes.filter(({ title }) => hasWords(title, reference)) : nodes);
  });

const wordsOf = (text: string): string =>
  ` ${titleKey(text)
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim()} `;

const hasWords = (title: string, words: string): boolean => wordsOf(title).includes(wordsOf(words));

const isSameTitle = (title: string, words: string): boolean => wordsOf(title) === wordsOf(words);

async function routeSentence(context: RouterContext, text: string): Promise<Result<Routed>> {
  const sentence = await asMeant(context, understand(text));
  const [name, ...others] = sentence.asked;
  if (name === undefined) {
    const [not] = sentence.negated;
    return not === undefined ? notUnderstood(text) : notDone(not);
  }
  const called = sentence.ids.length === 0 ? await find(context, text) : null;
  if (called?.ok && isSameTitle(called.value.title, text)) return whatWithIt(called.value);
  if (others.length > 0) return whichFirst(sentence.asked);
  const operation = await context.load(name);
  if (sentence.isQuestion && !answers(operation)) return notUnderstood(text);
  const input = await fill(context, text, sentence, operation);
  if (!input.ok) return input;
  if (sentence.isQuestion) lookOnly(operation, input.value);
  const words = commandWords(anyStep(name, input.value));
  return ok({
    stage: 2,
    operation: name,
    input: input.value,
    words,
    asksFirst: asksFirst(operation, input.value),
    summary: operation.summary,
  });
}

/** Two readings that the verbs alone do not show: a title that has a verb in it, and why something is as it is. */
async function asMeant(context: RouterContext, sentence: Sentence): Promise<Sentence> {
  const { asked, first, tail, title, ids } = sentence;
  if (first === null || (asked.length === 0 && sentence.negated.length > 0)) return sentence;
  if (first === "why" && ids.length === 1 && tail.length > 0)
    return { ...sentence, asked: [first], rest: [], reason: null };
  if (ids.length > 0) return sentence;
  for (const words of [tail.join(" "), title]) {
    const found = words === "" ? null : await find(context, words);
    if (found?.ok && (isSameTitle(found.value.title, words) || first === "why")) {
      return { ...sentence, asked: [first], ids: [found.value.id], rest: [] };
    }
  }
  return sentence;
}

/** With `yes` in its input it asks by itself, and `yes` has to be a valid answer: `run` asks only with `land`. */
const asksItself = ({ input: schema }: Verb, input: Input): boolean =>
  "yes" in schema.shape && parseInput(schema, { ...input, yes: true }).ok;

/** What one `undo` does not take back whole, and what hides or replaces a branch, unless the operation asks by itself. */
const asksFirst = (operation: Verb, input: Input): boolean =>
  !asksItself(operation, input) &&
  (operation.destructive === true || operation.effect === "runs" || operation.asksFirst === true);

/** The input that the sentence gives: a node, words, a reason. What it says beyond that was not understood. */
async function fill(context: RouterContext, text: string, sentence: Sentence, operation: Verb) {
  const spelling = allSpellings().find((each) => each.operation === operation.name && !each.hidden);
  if (!spelling) return notUnderstood(text);
  const fields = cliFieldsOf(operation, spelling);
  const input: Input = { ...spelling.fixed };
  if (sentence.reason !== null) {
    const isSaid = "reason" in operation.input.shape;
    if (isSaid) input["reason"] = sentence.reason;
    else if (!isBeside(sentence, operation)) return notUnderstood(text);
  }
  const target = targetOf(fields, operation);
  if (target && target.names !== "node" && !operation.takesNode && sentence.rest.length > 0) {
    if (sentence.tail.length === 0) return notUnderstood(text);
    input[target.name] = sentence.tail.join(" ");
    return ok(input);
  }
  const named = sentence.ids.length > 0 ? sentence.ids : sentence.rest.length > 0 ? [sentence.rest.join(" ")] : [];
  if (sentence.ids.length > 0 && sentence.rest.length > 0) return notUnderstood(text);
  const references = named.length === 0 && sentence.focus !== null ? [sentence.focus] : named;
  if (references.length === 0) {
    if (target?.required) return whichNode(context, operation, target, sentence.verb);
    return ok(input);
  }
  if (!target || (references.length > 1 && !target.many)) return notUnderstood(text);
  if (target.names !== "node" && !operation.takesNode) {
    input[target.name] = references.join(" ");
    return ok(input);
  }
  const nodes: Node[] = [];
  const ids: string[] = [];
  for (const reference of references) {
    if (operation.takesKeys && KEY.test(reference)) {
      ids.push(reference.toUpperCase());
      continue;
    }
    const found = await find(context, reference);
    // Words that are no title were no title: the sentence was about something else.
    if (!found.ok) return found.error.reason === "not-found" && sentence.ids.length === 0 ? notUnderstood(text) : found;
    if (sentence.ids.length === 0 && isNameOnly(found.value, text, reference, sentence)) return whatWithIt(found.value);
    nodes.push(found.value);
    ids.push(found.value.id);
  }
  if (!isMeantFor(sentence, operation, nodes)) return notUnderstood(text);
  const isTask = target.flag === "in" && nodes.every(({ tier }) => tier === "task");
  const field = (isTask && fields.positional[0]) || target;
  input[field.name] = field.many ? ids : ids[0];
  return ok(input);
}

/** "Archive it, it is done", "what happened since Monday": what is said beside the verb restricts nothing. */
const isBeside = ({ reason, isTime, isClause }: Sentence, { effect }: Verb): boolean =>
  (isTime && effect === "reads") || (isClause && reason !== null && !RESTRICTS.test(reason));

const RESTRICTS = /\b(?:if|unless|until|when|once|after|before|except|but|not|never|no|nobody)\b|n['’]t\b/iu;

/** "Continue" is for what is frozen, "next" names a task only by its id, and "the login story" is no task. */
function isMeantFor({ isIfFrozen, ids, tier }: Sentence, operation: Verb, nodes: readonly Node[]): boolean {
  if (isIfFrozen && !nodes.some(({ freeze }) => freeze !== null)) return false;
  if (ids.length > 0) return true;
  if (operation.answersQuestions !== undefined && nodes.some((node) => node.tier === "task")) return false;
  return tier === null || nodes.every((node) => node.tier === tier);
}

const KEY = /^(?:run|esc|att|conflict|dec|con|req|asm|bas|bun|art|mem)-\d+$/iu;

/** "Merge accounts" is a task, not an order to merge one that is called so. */
const isNameOnly = ({ title }: Node, text: string, words: string, { asked: [name] }: Sentence): boolean =>
  !isSameTitle(title, words) &&
  ALL_PHRASES.some(
    ({ operation, words: [verb = ""], strength }) =>
      operation === name && strength === "strong" && hasWords(title, verb) && hasWords(text, verb),
  );

const whatWithIt = ({ id, title }: Node): Result<never> =>
  ambiguous("is-title", `${id} is called "${title}", so nothing was done. Say what to do with ${id}.`, {
    next: [step("show", { reference: id }), step("why", { reference: id })],
  });

const targetOf = ({ positional, flags }: CliFields, { answersQuestions }: Verb): CliField | undefined => {
  const inside = flags.find(({ name, names }) => name === "in" && names === "node");
  return answersQuestions ? inside : (positional[0] ?? inside);
};

/** In the words that were typed. What goes on may be a planning run as well as a node. */
async function whichNode(context: RouterContext, operation: Verb, { name, many }: CliField, verb: string) {
  const focused = await find(context, operation.name === "expand" ? "--feature" : "--active");
  const others = operationsFor(verb).filter((other) => other === "plan.resume");
  const offer = focused.ok ? ` In focus is ${focused.value.id}: ${focused.value.title}.` : "";
  const first = focused.ok
    ? anyStep(operation.name, { [name]: many ? [focused.value.id] : focused.value.id })
    : anyStep(operation.name, {}, [name]);
  const run = others.length > 0 ? " Or do you mean a planning run?" : "";
  const message = `${verb.charAt(0).toUpperCase()}${verb.slice(1)} what?${offer}${run}`;
  return usage("which-node", message, { next: [first, ...others.map((other) => anyStep(other))] });
}

const NUMBERS = ["No", "One", "Two", "Three", "Four"];

function whichFirst(asked: readonly VerbName[]): Result<never> {
  const verbs = asked.map(verbOf);
  const message = `${NUMBERS[asked.length] ?? asked.length} intents: ${verbs.join(", ")}. Which first?`;
  return ambiguous("several-intents", message, { details: { intents: verbs } });
}

const notDone = (name: VerbName): Result<never> =>
  refused("negated", `You said not to ${verbOf(name)}, so nothing was done.`, { details: { intent: verbOf(name) } });

function notUnderstood(text: string): Result<never> {
  const near = nearestVerbs(text);
  const nearest = near.length === 0 ? "" : ` The nearest are ${near.join(" and ")}.`;
  const said = text.length > 80 ? `${text.slice(0, 77)}…` : text;
  const message = `Not understood: "${said}". Begin with a verb: ${KNOWN_VERBS.join(", ")}.${nearest}`;
  return usage("not-understood", message, { details: { verbs: KNOWN_VERBS, nearest: near } });
}

/** The verbs that it has, then by keyword, then by spelling; at most two. */
function nearestVerbs(text: string): string[] {
  const { asked, negated, rest } = understand(text);
  const meant = [...asked, ...negated].filter(isSafe).map(verbOf);
  const words = rest.filter((word) => !isFiller(word));
  const near = words.flatMap((word) => (operationsFor(word.toLowerCase()).length > 0 ? suggest(word) : []));
  return [...new Set([...meant, ...near, ...words.flatMap(suggest)])].slice(0, 2);
}
