// The options that a question states: "A or B?", a list below it, a proposal in brackets, a recommendation.

import { plainWords } from "../spec/cues.js";
import { shorten } from "./wording.js";

const OPENING =
  /^(?:should|shall|do|does|will|can|could|would|is|are)\s+(?:we|it|they|i|you|this|there|the\s+[\w-]+(?:\s+[\w-]+)?)\s+(?:(?:be|use|support|have|go with|choose|pick|store|keep|write|run|prefer|target|need)\s+)?(?:the\s+)?/i;
const WHICH = /^(?:which|what|where|when|how)\b.*?[:,–—-]\s+/i;
const TOPIC = /^[^:?–—]{2,60}(?::|\s[–—]|\s-)\s+/;
const DEFAULT =
  /[([]?\b(?:default|recommend(?:ed)?|preferred|prefer|suggested|leaning towards?|proposed|proposal|tentative(?:ly)?)\b\s*(?:is|:|to)?\s*([^)\];?]{1,160})[)\]]?/i;
const CONSIDER = /\bconsider(?:ing)?\s+([^.?]{3,200})/i;

const LONGEST = 100;

const clean = (option: string): string =>
  option
    .replace(/^(?:an?|the|use|either|just|whether(?: to)?|to)\s+/i, "")
    .replace(/\s*\((?:default|recommended)\)$/i, "")
    .replace(/[\s?.!,;]+$/, "")
    .trim();

const isVague = (option: string): boolean =>
  /^(?:not|similar|others?|something else|etc|so|equivalent|no|maybe|more)$/i.test(option);

const fits = (option: string): boolean => option !== "" && option.length <= LONGEST && option.split(" ").length <= 8;

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
const SEPARATOR = /\s*,\s*(?:(?:or|oder|ou)\s+)?|\s+(?:or|vs\.?|versus|oder|ou)\s+|\s*(?:还是|還是|或者|それとも)\s*/i;

/** The choices of one phrase: "A, B or C". */
function choicesIn(phrase: string): string[] {
  if (!OR.test(phrase)) return [];
  const options = alike(phrase.split(SEPARATOR)).map(clean);
  const named = options.filter((option) => !isVague(option));
  const areDistinct = new Set(named.map((option) => option.toLowerCase())).size === named.length;
  return areDistinct && named.length >= 2 && named.length <= 4 && named.every(fits) ? named : [];
}

/** "(a) yes (b) no". */
function lettered(text: string): string[] {
  const found = Array.from(
    text.matchAll(/[([]?\b[a-d][)\]]\s*(.+?)(?=[\s,;]*[([]?\b[a-d][)\]]|$)/g),
    ([, option = ""]) => clean(option),
  );
  return found.length >= 2 && found.length <= 4 && found.every(fits) ? found : [];
}

function inSentence(text: string): string[] {
  const options = lettered(text);
  if (options.length > 0) return options;
  const inBrackets = /\bTB[DCA]\b\s*[([]([^)\]]{3,160})[)\]]/.exec(text)?.[1];
  const among = inBrackets === undefined ? [] : choicesIn(inBrackets);
  if (among.length > 0) return among;
  const asked = text.replace(DEFAULT, "").trim();
  const sentences = asked.match(/[^.!?]*\?/g) ?? [asked];
  for (const sentence of sentences) {
    const bare = sentence.trim().replace(/\?+$/, "");
    const phrase = bare
      .replace(TOPIC, "")
      .replace(WHICH, "")
      .replace(/^when [^,]*,\s*/i, "")
      .replace(OPENING, "");
    const found = choicesIn(phrase);
    if (found.length > 0) return found;
  }
  // "Method not specified - mail, SSO, OAuth?": a list of names is one of options.
  const listed =
    /(?:\s[–—-]|:)\s+([^:?]+,[^:?]+)\?/
      .exec(asked)?.[1]
      ?.split(/\s*,\s*/)
      .map(clean) ?? [];
  const areNames =
    listed.length >= 2 && listed.length <= 4 && listed.every((name) => fits(name) && name.split(" ").length <= 3);
  if (areNames) return listed;
  // "How far back? Single action? Session?": short questions in a row are the options of the first.
  const short = sentences.slice(1).map(clean);
  return sentences.length > 2 && short.length <= 4 && short.every((each) => fits(each) && each.split(" ").length <= 4)
    ? short
    : [];
}

export interface StatedOptions {
  readonly options: readonly string[];
  /** What the spec proposes, recommends or takes by default; one of the options. */
  readonly chosen?: string;
}

/** `below`: the items below the question. */
export function statedOptions(question: string, below: readonly string[]): StatedOptions {
  const text = plainWords(question);
  const listed = below.map((option) => shorten(plainWords(option), LONGEST)).filter((option) => option !== "");
  const isList = listed.length >= 2 && listed.length <= 4 && new Set(listed).size === listed.length;
  const stated = isList
    ? listed
    : [choicesIn(clean(CONSIDER.exec(text)?.[1] ?? "")), inSentence(text)].find(({ length }) => length > 0);
  const options = [...(stated ?? [])];
  const proposal = clean(DEFAULT.exec(text)?.[1] ?? "");
  const marked = options.find((option) => /\((?:default|recommended|proposed)\)/i.test(option));
  if (proposal === "" || proposal.length > LONGEST)
    return { options, ...(marked === undefined ? {} : { chosen: marked }) };
  const same = options.find((option) => option.toLowerCase() === proposal.toLowerCase());
  if (same !== undefined) return { options, chosen: same };
  const others = options.filter((option) => !proposal.toLowerCase().startsWith(option.toLowerCase()));
  return { options: [proposal, ...others].slice(0, 4), chosen: proposal };
}
