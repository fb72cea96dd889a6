// What the outline understands of a spec: its intent, the open questions that state their options, and what it assumes.

import type { Clarification, ClarifyingQuestion } from "../contracts/answers.js";
import { describesText, isDoneStatus, isOpenQuestion, plainWords } from "../spec/cues.js";
import type { Spec, SpecStatement } from "../spec/spec.js";
import { nameOfWork } from "./capabilities.js";
import { workOf } from "./read-work.js";
import { firstSentence, shorten, withoutMarks } from "./wording.js";
import { itemsOf, keyHash } from "./work.js";

const MAX_QUESTIONS = 50;
const MAX_ASSUMPTIONS = 20;

/** The worker decides; the answer is a decision like any other. */
const LEAVE_OPEN = { label: "Decide during the work", detail: "The worker decides, and writes down why." };
const LEAVE_OUT = { label: "Leave it out", detail: "What the question is about is not part of this plan." };

function questionOf(text: string, below: readonly string[], id: string): ClarifyingQuestion {
  const { options, chosen } = statedOptions(text, below);
  const isStated = options.length > 0;
  const labels = options.map((label) => ({ label, detail: label === chosen ? "The spec proposes it." : "" }));
  const all = options.length >= 2 ? labels : isStated ? [...labels, LEAVE_OPEN] : [LEAVE_OPEN, LEAVE_OUT];
  return {
    id,
    question: shorten(withoutMarks(text), 1_000),
    why: isStated ? "The spec leaves it open." : "The spec leaves it open and states no options.",
    options: all,
    default: chosen ?? (all[0] as { label: string }).label,
  };
}

/** "Read SCOPE.md first", "Source of truth: …": says how to read the document, not what is built. */
const READ_FIRST = /^(?:read|see|note|source of truth|refer)\b/i;

function intentOf(spec: Spec): string {
  const work = workOf(spec);
  const tells = ({ place }: { place: number }): boolean => {
    const { text = "", kind } = spec.statements[place] ?? {};
    const words = withoutMarks(text);
    const isSentence = kind !== "item" && kind !== "row" && !/^[^.]{1,40}:(?:\s.{0,40})?$/.test(words);
    return isSentence && !describesText(text) && !READ_FIRST.test(words);
  };
  const isLong = ({ place }: { place: number }): boolean => (spec.statements[place]?.text.length ?? 0) > 60;
  const overviews = work.noWork.filter(({ role }) => role === "overview");
  const summary = overviews.find(tells) ?? overviews.find(isLong) ?? overviews[0];
  const first = summary ?? work.noWork.find(({ role }) => role === "motivation" || role === "goals");
  const [item] = itemsOf(work);
  // The cells of a row are no sentence.
  const asked = item?.quotes[0]?.includes(" | ") === true ? item.title : item?.quotes[0];
  const words = first === undefined ? asked : spec.statements[first.place]?.text;
  const sentence = words === undefined ? "" : firstSentence(withoutMarks(words));
  const name = work.title === undefined ? "" : nameOfWork(work);
  return shorten([name, sentence].filter((part) => part !== "").join(": ") || nameOfWork(work), 2_000);
}

/** The heading that a statement is below, if it asks: then everything below it belongs to that question. */
const headingThatAsks = ({ sections }: Spec, { section }: SpecStatement): string | undefined =>
  sections.find(({ id, title }) => id === section && /[?？]\s*$/.test(title))?.title;

/** The questions of a spec, with the items below each. */
function openQuestions(spec: Spec): { text: string; below: string[] }[] {
  const { noWork, openWork } = workOf(spec);
  const asking = new Set(noWork.filter(({ role }) => role === "questions").map(({ place }) => place));
  const open = new Set([...asking, ...openWork].sort((a, b) => a - b));
  const questions = new Map<number | string, { text: string; below: string[] }>();
  for (const place of open) {
    const statement = spec.statements[place] as SpecStatement;
    const { section, parent, kind, text } = statement;
    const heading = asking.has(place) ? headingThatAsks(spec, statement) : undefined;
    const top = outermost(spec, place, open);
    const key = heading === undefined ? top : section;
    if (heading !== undefined && !questions.has(section)) questions.set(section, { text: heading, below: [] });
    else if (key === place && isAsked(statement)) questions.set(top, { text: questionIn(statement), below: [] });
    // The options of a question, and what is said about it, are part of it.
    if (kind === "item" && parent === (heading === undefined ? top : undefined)) questions.get(key)?.below.push(text);
  }
  return [...questions.values()];
}

/** A row of a table asks in one of its cells: "| Who may approve? | Bob |". */
const questionIn = ({ text, cells }: SpecStatement): string =>
  cells === undefined ? text : (cells.find((cell) => cell.includes("?")) ?? cells.join(": "));

/** The question that a statement is below. */
function outermost({ statements }: Spec, place: number, asked: ReadonlySet<number>): number {
  let top = place;
  for (let parent = statements[place]?.parent; parent !== undefined && asked.has(parent); ) {
    top = parent;
    parent = statements[parent]?.parent;
  }
  return top;
}

/** In a section of questions, prose around the list is no question unless it asks. */
function isAsked({ text, kind }: SpecStatement): boolean {
  if (text.endsWith(":")) return false;
  return kind === "item" || kind === "row" || isOpenQuestion(text);
}

export function outlineClarification(spec: Spec): Clarification {
  const { noWork } = workOf(spec);
  const assumptions: Clarification["assumptions"] = noWork
    .filter(({ role }) => role === "assumptions")
    .map(({ place }) => ({
      text: shorten(withoutMarks(spec.statements[place]?.text as string), 500),
      because: "The spec says so.",
    }));
  const questions = new Map<string, ClarifyingQuestion>();
  for (const { text, below } of openQuestions(spec)) {
    const id = `Q-${keyHash(text)}`;
    if (withoutMarks(text) !== "" && !questions.has(id)) questions.set(id, questionOf(text, below, id));
  }
  const kept = [...questions.values()].slice(0, MAX_QUESTIONS);
  const more = [...questions.values()].slice(MAX_QUESTIONS).map(({ question }) => question);
  const all = [...statusAssumption(spec), ...languageAssumption(spec), ...assumptions].filter(
    ({ text }) => text !== "",
  );
  const rest = [...all.slice(MAX_ASSUMPTIONS).map(({ text }) => text), ...more.map((text) => shorten(text, 500))];
  return {
    intent: intentOf(spec),
    ambiguities: rest.slice(0, 20),
    questions: kept,
    assumptions: all.slice(0, MAX_ASSUMPTIONS),
  };
}

/** Most cues for what is no work are words of languages in Latin letters. */
function languageAssumption({ text }: Spec): Clarification["assumptions"] {
  const sample = text.slice(0, 20_000);
  const letters = sample.match(/\p{L}/gu)?.length ?? 0;
  const latin = sample.match(/\p{Script=Latin}/gu)?.length ?? 0;
  if (letters < 200 || latin >= letters / 2) return [];
  const because =
    "Outside of the Latin script, the outline planner knows common headings in Chinese, Japanese, Korean and Russian, and few other words. Read the plan with care, or plan with a model.";
  return [{ text: "Sections whose headings the outline planner does not know ask for work.", because }];
}

/** A document that calls itself finished is planned all the same: whoever asked for a plan should know. */
function statusAssumption(spec: Spec): Clarification["assumptions"] {
  const status = spec.status ?? statedStatus(spec);
  if (status === undefined || !isDoneStatus(status)) return [];
  const text = `The work is still to do, although the document says "${shorten(withoutMarks(status), 60)}".`;
  return [{ text, because: "Its head names that status; the plan treats nothing as done because of it." }];
}

/** "**Status:** Shipped", among the first lines. */
const statedStatus = ({ statements }: Spec): string | undefined =>
  statements
    .slice(0, 8)
    .map(({ text }) => /^status:\s*(.{1,60})$/i.exec(withoutMarks(text))?.[1])
    .find((status) => status !== undefined);

/** "Which currency, EUR or USD?": the choices come after the comma. */
const WHICH = /^(?:which|what|where|when|how)\b.*?[:,–—-]\s+/i;
const OPENING =
  /^(?:should|shall|do|does|will|can|could|would|is|are)\s+(?:we|it|they|i|you|this|there|the\s+[\w-]+(?:\s+[\w-]+)?)\s+(?:(?:be|use|support|have|go with|choose|pick|store|keep|write|run|prefer|target|need)\s+)?(?:the\s+)?/i;
const TOPIC = /^[^:?–—]{2,60}(?::|\s[–—]|\s-)\s+/;
const DEFAULT =
  /[([]?\b(?:default|recommend(?:ed)?|preferred|prefer|suggested|leaning towards?|proposed|proposal|tentative(?:ly)?)\b\s*(?:is|:|to)?\s*([^)\];?]{1,160})[)\]]?/i;
const CONSIDER = /\bconsider(?:ing)?\s+([^.?]{3,200})/i;

const LETTERED = /[([]?\b[a-d][)\]]\s*(\S.*?)(?=(?<![\s,;])[\s,;]*[([]?\b[a-d][)\]]|$)/g;

const MAX_OPTION = 100;

const clean = (option: string): string =>
  option
    .replace(/^(?:an?|the|use|either|just|whether(?: to)?|to)\s+/i, "")
    .replace(/(?<![\s?.!,;])[\s?.!,;]+$/, "")
    .trim();

const isVague = (option: string): boolean =>
  /^(?:not|similar|others?|something else|etc|so|equivalent|no|maybe|more)$/i.test(option);

/** Two to four short options, each once; otherwise none. */
const asOptions = (options: readonly string[], maxWords = 8): string[] => {
  const fits = (option: string): boolean =>
    option !== "" && option.length <= MAX_OPTION && option.split(" ").length <= maxWords;
  const areDistinct = new Set(options.map((option) => option.toLowerCase())).size === options.length;
  return areDistinct && options.length >= 2 && options.length <= 4 && options.every(fits) ? [...options] : [];
};

/** "Should rules be stored as JSON or as TOML": of the first only as many words as the second has, without those that are the same. */
function alike(options: readonly string[]): string[] {
  const [first = "", second = ""] = options;
  const most = second.trim().split(/\s+/).length;
  const words = first.trim().split(/\s+/);
  const isAsked = /^(?:should|shall|do|does|will|can|could|would|is|are)$/i.test(words[0] ?? "") && most <= 3;
  const cut = isAsked ? [words.slice(-most).join(" "), ...options.slice(1)] : [...options];
  const shared = /^(as|in|with|by|via|to|on|for|use)\s/i.exec(cut[0] ?? "")?.[0];
  const isShared =
    shared !== undefined && cut.every((each) => each.trim().toLowerCase().startsWith(shared.toLowerCase()));
  return isShared ? cut.map((each) => each.trim().slice(shared.length)) : cut;
}

const OR = /\s(?:or|vs\.?|versus|oder|ou)\s|还是|還是|或者|それとも/i;
const SEPARATOR =
  /(?<!\s)\s*,\s*(?:(?:or|oder|ou)\s+)?|(?<!\s)\s+(?:or|vs\.?|versus|oder|ou)\s+|(?<!\s)\s*(?:还是|還是|或者|それとも)\s*/i;

/** The choices of one phrase: "A, B or C". */
function choicesIn(phrase: string): string[] {
  if (!OR.test(phrase)) return [];
  return asOptions(
    alike(phrase.split(SEPARATOR))
      .map(clean)
      .filter((option) => !isVague(option)),
  );
}

/** After a colon or a dash, up to the question mark. */
function namesIn(asked: string): string[] {
  for (const { 0: part, index } of asked.matchAll(/(?<![^:?])[^:?]+\?/g)) {
    const isAfterColon = asked[index - 1] === ":" && /^\s/.test(part);
    const dash = isAfterColon ? null : /\s[–—-]\s/.exec(part);
    const list = isAfterColon ? part : dash && part.slice(dash.index + dash[0].length);
    if (list && /\S\s*,[^?]/.test(list))
      return list
        .slice(0, -1)
        .trim()
        .split(/(?<!\s)\s*,\s*/);
  }
  return [];
}

function inSentence(text: string): string[] {
  const asked = text.replace(DEFAULT, "").trim();
  const sentences = asked.match(/(?<![^.!?])[^.!?]*\?/g) ?? [asked];
  const phrases = sentences.map((sentence) =>
    sentence
      .trim()
      .replace(/(?<!\?)\?+$/, "")
      .replace(TOPIC, "")
      .replace(WHICH, "")
      .replace(OPENING, ""),
  );
  // "Method not specified - mail, SSO, OAuth?": a list of names is one of options.
  const names = namesIn(asked);
  const ways = [
    // "(a) yes (b) no".
    () => asOptions(Array.from(text.matchAll(LETTERED), ([, option = ""]) => clean(option))),
    () => choicesIn(/\bTB[DCA]\b\s*[([]([^)\]]{3,160})[)\]]/.exec(text)?.[1] ?? ""),
    ...phrases.map((phrase) => () => choicesIn(phrase)),
    () => asOptions(names.map(clean), 3),
    // "How far back? Single action? Session?": short questions in a row are the options of the first.
    () => asOptions(sentences.slice(1).map(clean), 4),
  ];
  for (const way of ways) {
    const found = way();
    if (found.length > 0) return found;
  }
  return [];
}

/** `below`: the items below the question. `chosen` is what the spec proposes, recommends or takes by default. */
function statedOptions(question: string, below: readonly string[]): { options: readonly string[]; chosen?: string } {
  const text = plainWords(question);
  const listed = below.map((option) => shorten(plainWords(option), MAX_OPTION)).filter((option) => option !== "");
  const ways = [asOptions(listed, MAX_OPTION), choicesIn(clean(CONSIDER.exec(text)?.[1] ?? "")), inSentence(text)];
  const options = ways.find(({ length }) => length > 0) ?? [];
  const proposal = clean(DEFAULT.exec(text)?.[1] ?? "");
  if (proposal === "" || proposal.length > MAX_OPTION) return { options };
  const same = options.find((option) => option.toLowerCase() === proposal.toLowerCase());
  if (same !== undefined) return { options, chosen: same };
  const others = options.filter((option) => !proposal.toLowerCase().startsWith(option.toLowerCase()));
  return { options: [proposal, ...others].slice(0, 4), chosen: proposal };
}
