// What a sentence asks for, from its words alone: pure, and never a guess. Whether the plan has what the sentence names is
// looked up afterwards (route.ts).

import type { VerbName } from "../../model/next-step.js";
import { factsOf } from "../kit/facts.js";
import { findPhrases, type Match } from "./find-phrases.js";
import { emptyWordsOf, type Phrase } from "./phrases.js";
import {
  AROUND_FOCUS,
  FILLERS,
  isOnlyAsked,
  looksLikeId,
  MAX_SENTENCE_LENGTH,
  NEGATION_REACH,
  NEGATIONS,
  POINTING,
  POLITE_END,
  PREPOSITIONS,
  QUESTION_WORDS,
  REMINDER,
  reasonIn,
  TIER_WORDS,
  type Token,
  tokenize,
} from "./tokens.js";

export type Sentence = ReturnType<typeof understand>;

/**
 * `asked`: the operations that the sentence asks for, each once, in the order of the words; `negated`: those that it says not to do.
 * `ids`: words that look like ids: `FEAT-A`, `JIRA-1234`, `MISSION`, the beginning of a UUID. `focus`: what it points at: "it", "this
 * feature". `rest`: the other words as they were typed, from the first that carries a meaning to the last; they may name a node. `tail`:
 * everything after the first verb, unless something that carries a meaning stands before it. `verb`: the words that stand for the first
 * operation, as the table has them: "continue" for thaw. `first`: the verb of its first words, which may only accompany
 * another; `title`: what follows them, without the words around a title. `isIfFrozen`: that counts only for a frozen node. `tier`: "story" in "the
 * login story". `isQuestion`: it only asks whether something may be done. `reason`: what follows "because".
 */
export function understand(text: string) {
  const said = text.slice(0, MAX_SENTENCE_LENGTH).replace(REMINDER, " ");
  const found = readSentence(said, reasonIn(said));
  // A clause is a reason only behind a verb: "looks good, approve it" has none before the comma.
  return found.asked.length + found.negated.length > 0 ? found : readSentence(said, null);
}

function readSentence(said: string, reason: ReturnType<typeof reasonIn>) {
  const tokens = tokenize(reason ? said.slice(0, reason.at) : said);
  const ids = tokens.filter(({ quoted, typed }) => !quoted && looksLikeId(typed)).map(({ typed }) => typed);
  const { matches, taken } = findPhrases(tokens, ids.length > 0);
  const isNegated = ({ at }: Match): boolean =>
    tokens.slice(Math.max(0, at - NEGATION_REACH), at).some(({ word }, i, near) => {
      const index = at - near.length + i;
      return NEGATIONS.has(word) && !taken.has(index);
    });
  const negated = matches.filter(isNegated);
  const wanted = meantBy(
    matches.filter((match) => !isNegated(match)),
    negated.some(isStrong),
  );
  const isQuestion = isOnlyAsked(said);
  const asked = once(wanted);
  const left = tokens.filter((_, i) => !taken.has(i));
  const empty = emptyWords(asked[0], isQuestion);
  const focus = empty.has("it") ? null : pointedAt(left);
  const others = left.filter(({ typed }) => !ids.includes(typed));
  const cut = cutOff(tokens, taken, empty);
  const counts = (token: Token): boolean => token === cut || isMeaningful(focus, empty)(token);
  const [first, last] = [others.findIndex(counts), others.findLastIndex(counts)];
  const rest = first < 0 ? [] : others.slice(first, last + 1).map(({ typed }) => typed);
  return {
    asked,
    negated: once(negated),
    ids,
    focus,
    rest,
    tail: tailOf(tokens, matches[0]),
    first: matches[0]?.phrase.operation ?? null,
    title: titleOf(tokens, matches[0]),
    verb: wanted[0]?.phrase.words.join(" ") ?? "",
    isIfFrozen: wanted[0]?.phrase.strength === "if-frozen",
    tier: left.find(({ word, quoted }) => !quoted && TIER_WORDS.has(word))?.word ?? null,
    isQuestion,
    reason: reason?.text ?? null,
    isTime: reason?.isTime ?? false,
    isClause: reason?.isClause ?? false,
  };
}

const isStrong = ({ phrase }: Match): boolean => phrase.strength === "strong";

/** What only accompanies another verb is no intent: "show conflicts" asks for conflicts. A choice between two is not made. */
function meantBy(wanted: readonly Match[], hasNegated: boolean): readonly Match[] {
  if (wanted.some(({ joinedBy }) => joinedBy === "or")) return wanted;
  const strong = wanted.filter(isStrong);
  if (strong.length === 0) return hasNegated ? [] : weakest(wanted);
  const [first, ...later] = strong;
  // What follows a verb that takes words are its words.
  return first && takesWords(first.phrase) && later.every(({ joinedBy }) => joinedBy === null) ? [first] : strong;
}

/** Of several the last says what about: "all tasks" in "show me all tasks". Only reading is asked for so loosely. */
function weakest(wanted: readonly Match[]): readonly Match[] {
  const last = wanted.at(-1);
  return last && wanted.length > 1 && factsOf(last.phrase.operation).effect === "reads" ? [last] : wanted.slice(0, 1);
}

function takesWords({ operation }: Phrase): boolean {
  const { command, takesNode } = factsOf(operation);
  const [first] = command.positional ?? [];
  return first !== undefined && !/^references?$/u.test(first) && takesNode !== true;
}

const NOTHING: ReadonlySet<string> = new Set();

function emptyWords(operation: VerbName | undefined, isQuestion: boolean): ReadonlySet<string> {
  if (operation === undefined) return NOTHING;
  const { effect, answersQuestions } = factsOf(operation);
  const reads = effect === "reads" || (isQuestion && answersQuestions !== undefined);
  return new Set([...emptyWordsOf(operation), ...(reads ? QUESTION_WORDS : [])]);
}

/** A preposition between a verb and the end belongs to that verb: "log in" has nothing to do with the log. */
function cutOff(tokens: readonly Token[], taken: ReadonlySet<number>, empty: ReadonlySet<string>): Token | undefined {
  const at = tokens.findLastIndex(({ word }) => !POLITE_END.has(word));
  const token = tokens[at];
  const isCut = token && !token.quoted && PREPOSITIONS.has(token.word) && !taken.has(at) && taken.has(at - 1);
  return isCut && !empty.has(token.word) ? token : undefined;
}

function tailOf(tokens: readonly Token[], first: Match | undefined): string[] {
  if (!first || tokens.slice(0, first.at).some(isMeaningful(null, NOTHING))) return [];
  const after = tokens.filter((_, i) => i > first.at && !first.indices.includes(i));
  const last = after.findLastIndex(({ word }) => !POLITE_END.has(word));
  return after.slice(0, last + 1).map(({ typed }) => typed);
}

/** What may be a title behind the first verb, even with another verb in it: "the password reset story". */
function titleOf(tokens: readonly Token[], first: Match | undefined): string {
  if (!first) return "";
  const counts = isMeaningful(null, emptyWords(first.phrase.operation, true));
  if (tokens.slice(0, first.at).some(counts)) return "";
  const after = tokens.filter((_, i) => i > first.at && !first.indices.includes(i));
  const [from, to] = [after.findIndex(counts), after.findLastIndex(counts)];
  if (from < 0) return "";
  return after
    .slice(from, to + 1)
    .map(({ typed }) => typed)
    .join(" ");
}

const once = (matches: readonly Match[]): VerbName[] => [...new Set(matches.map(({ phrase }) => phrase.operation))];

const isMeaningful =
  (focus: string | null, empty: ReadonlySet<string>) =>
  ({ word, quoted }: Token): boolean =>
    quoted ||
    !(
      FILLERS.has(word) ||
      empty.has(word) ||
      (focus !== null && (word === "it" || word === "one" || POINTING.has(word)))
    );

/** "it", "this one", "the active task": the focus. "this feature": the feature around it. */
function pointedAt(tokens: readonly Token[]): string | null {
  for (const [i, { word }] of tokens.entries()) {
    if (word === "it") return "--active";
    if (!POINTING.has(word)) continue;
    const after = tokens[i + 1]?.word ?? "";
    if (after === "one" || after === "task" || after === "node") return "--active";
    const around = AROUND_FOCUS[after];
    if (around !== undefined) return around;
  }
  return null;
}
