// What the Markdown parser does not know and people write all the same: marks of lists, lines that are all bold, cells
// with bars, lines that show nothing.
//
// Also how headings nest, and where a paragraph comes apart into sentences, notes and requirements.

import type { Code } from "mdast";
import { asksForWork, collapse, isAboutDocument, isGate, isLeftForLater, isOpenQuestion, isOrder } from "./cues.js";
import { statedRequirements } from "./requirement-ids.js";
import type { Range, Section } from "./spec.js";

interface PseudoMark {
  /** The content after the mark and the check box. */
  readonly rest: string;
  readonly checkbox: boolean;
  readonly done: boolean;
}

const BULLET = /^(?:[•‣▪●◦–·∙○■□➤➢▸▶⁃]|[a-zA-Z]\))\s+/u;
const CHECKBOX = /^(?:\[([ xX])\](?:\s+|$)|\[\](?!\()\s*|([☐☑✓✔☒])(?:\s+|$))/u;

/** A line that begins a scenario; its steps follow on the next lines. */
const SCENARIO = /^(?:Scenario(?: Outline| Template)?|Example):\s+\S/;

/** A mark of a list that Markdown does not have; a check box alone is one too, and so is the name of a scenario. */
export function pseudoMark(content: string): PseudoMark | undefined {
  if (SCENARIO.test(content)) return { rest: content, checkbox: false, done: false };
  const bullet = BULLET.exec(content);
  const afterBullet = bullet === null ? content : content.slice(bullet[0].length);
  const box = CHECKBOX.exec(afterBullet);
  if (bullet === null && box === null) return undefined;
  const sign = box?.[1] ?? box?.[2];
  return {
    rest: box === null ? afterBullet : afterBullet.slice(box[0].length),
    checkbox: box !== null,
    done: sign !== undefined && sign !== " " && sign !== "☐",
  };
}

/** `[] Task`: a box that Markdown does not know, at the start of an item. */
export const emptyBox = (item: string): string | undefined => /^\[\](?!\()\s*(?=\S)/.exec(item)?.[0];

/** The number of a line that begins like an item of a numbered list, and the marks before its words. */
export function lineNumber(line: string): { number: number; mark: string } | undefined {
  const [mark, digits] = /^(\d{1,3})[.)]\s+(?=\S)/.exec(line) ?? [];
  return mark === undefined ? undefined : { number: Number(digits), mark };
}

/** Begins with a requirement id, a user story or a step of a scenario. */
export const BEGINS_ITEM =
  /^(?:(?:REQ|N?FR|US|UC|AC|BR|TC|SR|UR)[-_ ]?\d[\w.-]*\b|as an? [\w -]{2,40},? i (?:want|can|need|would like)\b)/i;

/** Requirements or stories in a fence of plain text are no code. */
export function isListInFence({ lang, value }: Code): boolean {
  if (!/^(?:text|txt|plain|plaintext|markdown|md|gherkin|)$/i.test(lang ?? "")) return false;
  const lines = value.split("\n").filter((line) => line.trim() !== "");
  const items = lines.filter((line) => BEGINS_ITEM.test(line.trim()));
  return items.length > 1 && lines.length < 500 && items.length * 5 >= lines.length;
}

/** The name of what follows, if the first line of a paragraph is one: all bold, or the name of a feature with scenarios. */
export function headingLine(line: string): string | undefined {
  const isBold = line.length <= 90 && /^(?:\*\*|__)[^*_].*(?:\*\*|__):?$/.test(line);
  if (!isBold) return /^Feature:\s+(\S.{0,150})$/.exec(line)?.[1];
  const title = line.replace(/^(?:\*\*|__)|(?:\*\*|__):?$/g, "").replace(/:$/, "");
  return /[*]{2}|__/.test(title) || /[.!?;,]$/.test(title) ? undefined : title.trim();
}

/** A few words that order nothing, such as people write above a list. "Open" alone is no order. */
export function isPlainHeading(line: string): boolean {
  const words = line.split(/\s+/).length;
  const isName = /^\p{Lu}[\p{L}\p{N}'’/&() -]{1,50}$/u.test(line) && words <= 5;
  return isName && !asksForWork(line) && (words === 1 || !isOrder(line));
}

export function cellsOf(row: string): string[] {
  const cells = row.split(/(?<!\\)\|/).map((cell) => cell.replaceAll("\\|", "|").trim());
  if (cells[0] === "") cells.shift();
  if (cells.at(-1) === "") cells.pop();
  return cells;
}

/** Lines that a reader of the page sees nothing of, or only a picture: tags, badges, link definitions. */
export function isDecoration(content: string): boolean {
  if (content.startsWith("<")) return content.replaceAll(/<[^<>]*>/g, "").trim() === "";
  if (/^\[[^\]^][^\]]*\]:\s+\S+/.test(content)) return true;
  if (!/^\[?!\[/.test(content)) return false;
  const pictures = content.replaceAll(/!\[[^\][]{0,300}\]\([^()]{0,500}\)/g, "");
  return pictures.replaceAll(/\[\s*\]\([^()]{0,500}\)/g, "").trim() === "";
}

/** A section before it is known which ids the spec gives to what it asks for. */
export type RawSection = Omit<Section, "requirements"> & { readonly rawTitle: string };

/** Emphasis says nothing in a heading; links and code stay as they are, so that the title is found in the text. */
const headingTitle = (title: string): string => collapse(title.replaceAll(/\*\*|__|(?<!\w)[*_]|[*_](?!\w)/g, ""));

export class Sections {
  /** In the order of the text. The last one is open. */
  readonly #all: RawSection[] = [
    { id: "0", title: "", level: 0, path: [], rawTitle: "", from: 1, to: 1, start: 0, end: 0 },
  ];
  /** How many sections are just below each; "" is the whole. */
  readonly #counts = new Map<string, number>();
  #above: RawSection[] = [];

  get current(): string {
    return (this.#all.at(-1) as RawSection).id;
  }

  open(level: number, rawTitle: string, line: number, start: number): void {
    this.#close(line - 1, start);
    this.#above = this.#above.slice(0, this.#above.findLastIndex((section) => section.level < level) + 1);
    const parent = this.#above.at(-1);
    const place = (this.#counts.get(parent?.id ?? "") ?? 0) + 1;
    this.#counts.set(parent?.id ?? "", place);
    const title = headingTitle(rawTitle);
    const id = parent === undefined ? `${place}` : `${parent.id}.${place}`;
    const path = [...(parent?.path ?? []), title];
    const section = { id, title, level, path, rawTitle, from: line, to: line, start, end: start };
    this.#all.push(section);
    this.#above.push(section);
  }

  /** Without what comes before a heading on the first line. */
  finish(lastLine: number, end: number): RawSection[] {
    this.#close(lastLine, end);
    return this.#all.filter(({ to }) => to > 0);
  }

  #close(to: number, end: number): void {
    this.#all.push({ ...(this.#all.pop() as RawSection), to, end });
  }
}

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
    isHard: /(?: {2}|\\|<br ?\/?>)[\r\n]+$/.test(line),
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
  return areNotes || areHard || areLabels ? lines : [{ start: 0, end: text.length }];
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
