// A lesson that later plans and tasks may need, and which of them are about a given text.

import type { Actor } from "../actor.js";
import type { Nr } from "../node/node.js";
import { estimateTokens, wordsOf } from "../words.js";

export interface Lesson {
  /** An agent's lesson is proposed until a person approves it. Only kept ones go into prompts and bundles. */
  readonly state: "proposed" | "kept" | "forgotten";
  readonly text: string;
  readonly keywords: readonly string[];
  /** The feature that it is about; null means the workspace. */
  readonly scope: Nr | null;
  /** `person`, or the id of the archived node that it was harvested from. */
  readonly source: string;
  readonly createdAt: number;
  readonly createdBy: Actor;
  readonly approvedBy?: Actor;
}

export interface KeyedLesson {
  readonly key: string;
  readonly fields: Lesson;
}

export interface LessonQuery {
  readonly text: string;
  /** What is being worked on: its own lessons count more. */
  readonly scope: Nr | null;
}

/** A keyword says as much as finding the word twice, and what was learnt in the same feature half as much again. */
const KEYWORD_WEIGHT = 2;
const SCOPE_BOOST = 1.5;
/** Words in common before a lesson is thought to be about the same thing. */
const LEAST_IN_COMMON = 2;
/** The usual constants of BM25: how soon repetition stops to count, and how much length counts against a text. */
const SATURATION = 1.2;
const LENGTH_WEIGHT = 0.75;

interface Document {
  readonly item: KeyedLesson;
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
  readonly keywords: ReadonlySet<string>;
}

function toDocument(item: KeyedLesson): Document {
  const keywords = wordsOf(item.fields.keywords.join(" "));
  const counts = new Map<string, number>();
  const count = (word: string, times: number): unknown => counts.set(word, (counts.get(word) ?? 0) + times);
  const words = wordsOf(item.fields.text);
  for (const word of words) count(word, 1);
  for (const word of keywords) count(word, KEYWORD_WEIGHT);
  return { item, counts, length: words.length + keywords.length * KEYWORD_WEIGHT, keywords: new Set(keywords) };
}

/** The kept lessons that share enough with the query, the most relevant first (BM25 over text and keywords). */
export function rankLessons(query: LessonQuery, lessons: readonly KeyedLesson[]) {
  const asked = new Set(wordsOf(query.text));
  const documents = lessons.filter(({ fields }) => fields.state === "kept").map(toDocument);
  const average = documents.reduce((sum, { length }) => sum + length, 0) / documents.length;
  const rarity = new Map<string, number>();
  for (const word of asked) {
    const having = documents.filter(({ counts }) => counts.has(word)).length;
    rarity.set(word, Math.log(1 + (documents.length - having + 0.5) / (having + 0.5)));
  }
  const needed = Math.min(LEAST_IN_COMMON, asked.size);
  const hits: { key: string; lesson: Lesson; score: number; tokens: number }[] = [];
  for (const { item, counts, length, keywords } of documents) {
    const common = [...asked].filter((word) => counts.has(word));
    const weight = common.reduce((sum, word) => sum + (keywords.has(word) ? KEYWORD_WEIGHT : 1), 0);
    if (common.length === 0 || weight < needed) continue;
    const norm = SATURATION * (1 - LENGTH_WEIGHT + (LENGTH_WEIGHT * length) / average);
    const relevance = common.reduce((sum, word) => {
      const times = counts.get(word) as number;
      return sum + ((rarity.get(word) as number) * times * (SATURATION + 1)) / (times + norm);
    }, 0);
    const own = query.scope !== null && item.fields.scope === query.scope;
    const score = relevance * (own ? SCOPE_BOOST : 1);
    hits.push({ key: item.key, lesson: item.fields, score, tokens: estimateTokens(item.fields.text) });
  }
  return hits.sort((a, b) => b.score - a.score || b.lesson.createdAt - a.lesson.createdAt || (a.key < b.key ? -1 : 1));
}

/** As many as fit, the most relevant first; nothing, when nothing is about it. */
export function selectLessons(
  query: LessonQuery,
  lessons: readonly KeyedLesson[],
  { tokens = 2_000, max = 5 }: { readonly tokens?: number; readonly max?: number } = {},
) {
  const chosen: ReturnType<typeof rankLessons> = [];
  let left = tokens;
  for (const hit of rankLessons(query, lessons)) {
    if (chosen.length === max) break;
    if (hit.tokens > left) continue;
    left -= hit.tokens;
    chosen.push(hit);
  }
  return chosen;
}
