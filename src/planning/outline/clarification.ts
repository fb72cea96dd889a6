// What the outline understands of a spec: its intent, the open questions that state their options, and what it assumes.

import type { Clarification, ClarifyingQuestion } from "../contracts/clarification.js";
import type { Spec, SpecStatement } from "../spec/spec.js";
import { nameOfWork } from "./capabilities.js";
import { keyHash } from "./keys.js";
import { workOf } from "./read-work.js";
import { firstSentence, shorten, withoutMarks } from "./wording.js";
import { itemsOf } from "./work.js";

const MOST_QUESTIONS = 5;
const MOST_ASSUMPTIONS = 20;

const OPENING =
  /^(?:should|shall|do|does|will|can|could|would|is|are)\s+(?:we|it|they|i|you|this|there|the\s+[\w-]+(?:\s+[\w-]+)?)\s+(?:(?:be|use|support|have|go with|choose|pick|store|keep|write|run|prefer|target|need)\s+)?(?:the\s+)?/i;
const WHICH = /^(?:which|what|where|when|how)\b.*?[:,–—-]\s+/i;
const TOPIC = /^[^:?]{2,60}:\s+/;
const DEFAULT = /\(?\b(?:default|recommended|preferred|suggested)\s*(?:is|:)\s*([^).;?]{1,80})\)?/i;

const clean = (option: string): string =>
  option
    .replace(/^(?:an?|the|use|either|just)\s+/i, "")
    .replace(/[\s?.!,;]+$/, "")
    .trim();

/** `A or B?`, `A, B or C?`, `A vs B`; nothing if that is not all that is asked. */
function statedOptions(text: string): string[] {
  const asked = text.replace(DEFAULT, "").trim();
  const sentence = /[^.!?]*\?/.exec(asked)?.[0].trim() ?? asked;
  const choices = sentence.replace(WHICH, "").replace(TOPIC, "").replace(OPENING, "").replace(/\?+$/, "");
  if (!/\s(?:or|vs\.?|versus)\s/i.test(choices)) return [];
  const options = choices.split(/\s*,\s*(?:or\s+)?|\s+(?:or|vs\.?|versus)\s+/i).map(clean);
  const distinct = [...new Set(options)];
  const fits = distinct.length === options.length && options.length >= 2 && options.length <= 4;
  const isShort = (option: string): boolean => option !== "" && option.length <= 60 && option.split(" ").length <= 6;
  return fits && options.every(isShort) && !options.some((option) => /^not$/i.test(option)) ? options : [];
}

function questionOf(
  statement: SpecStatement,
  below: readonly SpecStatement[],
  id: string,
): ClarifyingQuestion | undefined {
  const text = withoutMarks(statement.text);
  const listed = below.map((option) => shorten(withoutMarks(option.text), 100)).filter((option) => option !== "");
  const isList = listed.length >= 2 && listed.length <= 4 && new Set(listed).size === listed.length;
  const options = isList ? listed : statedOptions(text);
  const [first] = options;
  if (first === undefined) return undefined;
  const named = DEFAULT.exec(text)?.[1]?.trim().toLowerCase();
  const chosen =
    options.find((option) => option.toLowerCase() === named) ??
    options.find((option) => /\((?:default|recommended)\)/i.test(option));
  return {
    id,
    question: shorten(text, 1_000),
    why: "The spec leaves it open.",
    options: options.map((label) => ({ label, detail: "" })),
    default: chosen ?? first,
  };
}

function intentOf(spec: Spec): string {
  const work = workOf(spec);
  const overview = work.noWork.find(({ role }) => role === "overview");
  const first = overview ?? work.noWork.find(({ role }) => role === "goals");
  const words = first === undefined ? itemsOf(work)[0]?.quotes[0] : spec.statements[first.place]?.text;
  const sentence = words === undefined ? "" : firstSentence(withoutMarks(words));
  const name = work.title === undefined ? "" : nameOfWork(work);
  return shorten([name, sentence].filter((part) => part !== "").join(": ") || nameOfWork(work), 2_000);
}

export function outlineClarification(spec: Spec): Clarification {
  const { noWork } = workOf(spec);
  const open = noWork.filter(({ role }) => role === "questions").map(({ place }) => place);
  const questions: ClarifyingQuestion[] = [];
  const assumptions: Clarification["assumptions"] = noWork
    .filter(({ role }) => role === "assumptions")
    .map(({ place }) => ({
      text: shorten(withoutMarks(spec.statements[place]?.text as string), 500),
      because: "The spec says so.",
    }));
  const deferred: string[] = [];
  const options = new Map<number | undefined, SpecStatement[]>();
  for (const place of open) {
    const { parent } = spec.statements[place] as SpecStatement;
    options.set(parent, [...(options.get(parent) ?? []), spec.statements[place] as SpecStatement].slice(0, 5));
  }
  for (const place of open) {
    const statement = spec.statements[place] as SpecStatement;
    // The options of a question are part of it.
    if (statement.parent !== undefined || statement.text.endsWith(":")) continue;
    const below = options.get(place) ?? [];
    const question =
      questions.length < MOST_QUESTIONS ? questionOf(statement, below, `Q-${keyHash(statement.text)}`) : undefined;
    if (question === undefined) deferred.push(withoutMarks(statement.text));
    else if (questions.every(({ id }) => id !== question.id)) questions.push(question);
  }
  const left = deferred.map((text) => ({
    text: shorten(`Deferred: ${text}`, 500),
    because: "The spec leaves it open and states no options; no task waits for an answer.",
  }));
  const all = [...assumptions, ...left].filter(({ text }) => text !== "");
  return {
    intent: intentOf(spec),
    ambiguities: all.slice(MOST_ASSUMPTIONS, MOST_ASSUMPTIONS + 20).map(({ text }) => text),
    questions,
    assumptions: all.slice(0, MOST_ASSUMPTIONS),
  };
}
