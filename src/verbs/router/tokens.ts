// The words of a sentence, and what they are before anybody asks what they mean.

export interface Token {
  readonly typed: string;
  readonly word: string;
  /** In quotation marks: a title, never a verb. */
  readonly quoted: boolean;
}

/** A sentence may be as long as a message. What is longer is no command. */
export const MAX_SENTENCE_LENGTH = 2000;

const QUOTED = /"([^"]*)"|'([^']*)'|`([^`]*)`|“([^“”]*)”|(\S+)/gu;

export function tokenize(text: string): Token[] {
  const plain = text
    .slice(0, MAX_SENTENCE_LENGTH)
    .replaceAll("’", "'")
    .replace(/[\u2010\u2011]/gu, "-")
    .replace(PICTURES, " ")
    .replace(CONTRACTED, "$1 is");
  return [...plain.matchAll(QUOTED)].flatMap(([whole, ...parts]): Token[] => {
    const open = parts[4];
    if (open === undefined)
      return [{ typed: parts.find((part) => part !== undefined) ?? whole, word: "", quoted: true }];
    const pieces = open.split(",").filter((piece) => piece !== "");
    const typed = pieces.length > 1 && pieces.every(looksLikeId) ? pieces : [open];
    const words = typed.map(withoutSigns).filter((word) => word !== "");
    return words.map((word) => ({ typed: word, word: word.toLowerCase(), quoted: false }));
  });
}

/** "What's" and "whats" are "what is". */
export const CONTRACTED = /(?<![\p{L}\p{N}_-])(what|how|where|who)['’]?s(?![\p{L}\p{N}_'-])/giu;

const withoutSigns = (word: string): string => word.replace(/^[([{,;:!?…]+|(?<![)\]},;:!?.…])[)\]},;:!?.…]+$/gu, "");

/** Emoji say how something is meant, not what. */
const PICTURES = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\uFE0F|\u200D/gu;

export const setOf = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** Because, until: what follows says why. */
const REASON = /(?:^|\s)(because(?: of)?|since|until|due to|as long as)\s+(\S[\s\S]*)$/iu;

/** "…, the API changed": a sentence of its own behind a comma says why, too. What restricts or adds something does not. */
const CLAUSE =
  /(?:[,;]|\s[-–—])\s+(?!(?:not|but|and|or|then|if|unless|except|when|once|after|before|without|only|also|please|pls|plz|thanks|so|while|should|shall|can|could)\b)(\S+(?:\s+[^\s,;]+)+[.!]*)$/iu;
const STATEMENT =
  /^(?:we|it|they|he|she|i)\s+\p{L}|^(?:we|it|they|that|there|he|she|i)['’]\p{L}|\b(?:is|are|was|were|has|have|had|isn['’]t|aren['’]t|can['’]t|cannot|needs?|broke)\b|(?<!\p{L})\p{L}{3,40}ed(?!\p{L})/iu;

export interface SaidReason {
  readonly text: string;
  /** Where it begins in the sentence. */
  readonly at: number;
  /** "Since yesterday" is a time. */
  readonly isTime: boolean;
  /** A sentence of its own behind a comma. */
  readonly isClause: boolean;
}

export function reasonIn(said: string): SaidReason | null {
  const because = REASON.exec(said);
  if (because)
    return {
      text: (because[2] ?? "").trim(),
      at: because.index,
      isTime: because[1]?.toLowerCase() === "since",
      isClause: false,
    };
  const clause = CLAUSE.exec(said);
  const text = clause?.[1]?.trim() ?? "";
  return clause && STATEMENT.test(text)
    ? { text: text.replace(/(?<![.!])[.!]+$/u, ""), at: clause.index, isTime: false, isClause: true }
    : null;
}

/** Says to do it, although it has a negation: "don't forget to", "oh no, undo that". */
export const REMINDER = /\b(?:do not|don['’]?t)\s+forget\s+to\b|^\W*oh,?\s+no\b/giu;

/** "Can you" asks for it to be done, and so does "can I have"; "can we" asks for an opinion. */
const QUESTION = /^\W*(?:can|could|may|might|shall|should|would)\s+(?:i|we)\b(?!\s+(?:get|have|see)\b)/iu;

/** "Could you …?" is a request, whatever its sign. */
const REQUEST =
  /^\W*(?:(?:ok|okay|hey|hi|please)\W+)*(?:(?:can|could|will|would)\s+you|(?:can|could|may)\s+i\s+(?:get|have|see))\b/iu;

/** "What is next" is a question, with or without its sign. */
const ASKS =
  /^\W*(?:(?:ok|okay|hey|hi|so|and|please)\W+)*(?:what|what['’]?s|which|who|who['’]?s|where|how|how['’]?s|when|any|anything|is|are|does|did)\b(?!-)/iu;

/** It only asks about something, so it changes nothing. */
export const isOnlyAsked = (text: string): boolean =>
  QUESTION.test(text) ||
  ASKS.test(text) ||
  (/(?<![\s?!.])[\s!.]*\?[\s?!.]*$/u.test(text.replace(PICTURES, " ")) && !REQUEST.test(text));

export const NEGATIONS: ReadonlySet<string> = setOf(
  "not don't dont never won't can't cannot shouldn't mustn't without avoid no",
);

/** A negation counts for a verb that follows within so many words. */
export const NEGATION_REACH = 3;

/** Carries no meaning of its own beside a verb and what it acts on. */
export const FILLERS: ReadonlySet<string> = setOf(
  "a an the this that my our your all any please pls plz kindly can could would you let's lets let us me i i'd " +
    "i'll we want need like to now just then so ok okay hey hi and also for of on in at with into from go " +
    "ahead right today again work planwright pw thanks plan everything some task tasks feature features " +
    "story stories node nodes initiative initiatives oops yes yeah yep alright great cool perfect good fine looks " +
    "i'm going both moment immediately asap quickly currently",
);

export const isFiller = (word: string): boolean => FILLERS.has(word.toLowerCase());

/** Points at something: never a word of a title. */
export const isPronoun = (word: string): boolean => /^(?:it|this|that|these|those|them)$/iu.test(word);

const ID = /^(?:[a-z][a-z0-9]*(?:-[a-z0-9]+)+|mission|inbox|bugs|[0-9a-f]{8}(?:-?[0-9a-f])*)$/iu;

/** An id has a digit or a capital letter somewhere; `follow-up` is a word. */
export const looksLikeId = (typed: string) => ID.test(typed) && (/[0-9A-Z]/u.test(typed) || !typed.includes("-"));

export const AROUND_FOCUS: Readonly<Record<string, string>> = { feature: "--feature", story: "--story" };
export const POINTING: ReadonlySet<string> = new Set(["this", "current", "active"]);

/** They ask, and so they add nothing to a verb that only reads. */
export const QUESTION_WORDS: ReadonlySet<string> = setOf(
  "what what's whats which who is are was am there do does did have has any anything how how's see know about much " +
    "currently current can could",
);

/** What a node was called beside its title: "the login story". */
export const TIER_WORDS: ReadonlySet<string> = setOf("initiative feature story task");

export const PREPOSITIONS: ReadonlySet<string> = setOf("for of on in at with into from to and");

export const POLITE_END: ReadonlySet<string> = setOf("please pls plz thanks now");
