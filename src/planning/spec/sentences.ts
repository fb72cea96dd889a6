// A paragraph in pieces, where its parts are about different things: one for each requirement id, else one for each
// sentence or short line. A piece is never a part of a sentence.

import { asksForWork, isAboutDocument, isGate, isLeftForLater, isOpenQuestion, isOrder } from "./cues.js";
import { statedRequirements } from "./requirement-ids.js";
import type { Range } from "./spec.js";

const BORDER = /[.!?;]["')\]*_]*\s+|\r?\n|\r/g;

/** Ranges in the paragraph. A sentence without an id belongs to the one before it; what stands before the first stays apart. */
function requirementSentences(paragraph: string): Range[] {
  const pieces: Range[] = [];
  let start = 0;
  for (const { index, 0: border } of [...paragraph.matchAll(BORDER), { index: paragraph.length, 0: "" }]) {
    const end = index + border.length;
    // A line end is a border only if the next line starts with an id of its own.
    const isLineEnd = /^[\r\n]/.test(border);
    if (isLineEnd && !startsWithId(paragraph.slice(end, end + 60))) continue;
    const stated = statedRequirements(paragraph.slice(start, end)).length > 0;
    const last = pieces.at(-1);
    if (stated || last === undefined) pieces.push({ start, end });
    else pieces[pieces.length - 1] = { start: last.start, end };
    start = end;
  }
  return pieces;
}

const startsWithId = (text: string): boolean => {
  const first = /^\s*[[(*_]*[A-Za-z]+[ -]?[\dA-Z][\w.-]*/.exec(text)?.[0];
  return first !== undefined && statedRequirements(first).length > 0;
};

const SENTENCE_END = /(?<=[\p{L}\p{N})\]%`*_+.!?])[.!?]["')\]*_”’]*(?=\s)|[。！？]/gu;
const ABBREVIATION =
  /(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|resp|incl|no|nr|fig|sec|ca|mr|mrs|ms|dr|st|inc|ltd|jr|sr|dept|est|v)|\b\p{Lu}|\d)\.$/iu;
const STARTS_SENTENCE = /^\s+["'“‘([*_`]*[\p{Lu}\p{Lo}\p{N}`@#"“[]/u;

/** Code and links, in which a full stop ends nothing; the text keeps its length. */
const readable = (text: string): string =>
  text.replaceAll(/`[^`]*`|\]\([^()\s]*\)|<[^<>\s][^<>]*>/g, (span) => "x".repeat(span.length));

/** Ranges of the sentences; all of the text is in one of them. */
export function sentencesIn(text: string): Range[] {
  const words = readable(text);
  const found: Range[] = [];
  let start = 0;
  for (const { index, 0: end } of words.matchAll(SENTENCE_END)) {
    const stop = index + end.length;
    const isFull = /^[。！？]/u.test(end);
    const before = words.slice(Math.max(0, index - 12), index + 1);
    if (!isFull && (!STARTS_SENTENCE.test(words.slice(stop, stop + 8)) || ABBREVIATION.test(before))) continue;
    found.push({ start, end: stop });
    start = stop;
  }
  if (start < text.length && /\S/.test(text.slice(start))) found.push({ start, end: text.length });
  return found.length === 0 ? [{ start: 0, end: text.length }] : found;
}

/** Wrapped prose fills its lines; notes are short, and each begins a sentence. */
const NOTE_LENGTH = 72;
const STARTS_NOTE = /^\s*(?:["'“([*_`]*[\p{Lu}\p{N}@\p{Extended_Pictographic}]|TODO|->|=>|→)/u;

const GOES_ON = /^\s*[*_]*(?:I (?:want|need|can|would like)|so that|in order to|given|when|then|and|but)\b/i;

function notesIn(text: string): Range[] {
  const lines = Array.from(text.matchAll(/[^\r\n]+(?:\r\n|\r|\n|$)/g), ({ index, 0: line }) => ({
    start: index,
    end: index + line.length,
    isHard: /(?: {2,}|\\|<br ?\/?>)[\r\n]+$/.test(line),
    line,
  }));
  if (lines.length < 2) return [{ start: 0, end: text.length }];
  const inside = lines.slice(0, -1);
  // A story or a scenario goes on over lines.
  if (lines.slice(1).every(({ line }) => GOES_ON.test(line))) return [{ start: 0, end: text.length }];
  const areNotes =
    lines.every(({ line }) => STARTS_NOTE.test(line)) &&
    inside.every(({ line }) => line.trim().length <= NOTE_LENGTH || /[.!?]$/.test(line.trim()));
  const areHard = inside.every(({ isHard }) => isHard);
  const areLabels = lines.every(({ line }) => /^\s*[*_]*\p{Lu}[\p{L} /-]{1,30}[*_]*:/u.test(line));
  return areNotes || areHard || areLabels
    ? lines.map(({ start, end }) => ({ start, end }))
    : [{ start: 0, end: text.length }];
}

const says = (text: string): boolean =>
  [asksForWork, isOrder, isOpenQuestion, isGate, isLeftForLater, isAboutDocument].some((cue) => cue(text));

/** The pieces of a paragraph that are statements of their own; one, if it is about one thing. */
export function piecesOf(paragraph: string): Range[] {
  if (statedRequirements(paragraph).length > 1) return requirementSentences(paragraph);
  return notesIn(paragraph).flatMap((note) => {
    const text = paragraph.slice(note.start, note.end);
    const sentences = sentencesIn(text);
    if (sentences.length < 2 || !sentences.some(({ start, end }) => says(text.slice(start, end)))) return [note];
    return sentences.map(({ start, end }) => ({ start: note.start + start, end: note.start + end }));
  });
}
