// The words of a text without what a quote may differ in: runs of white space and the marks of emphasis and code.

import type { Range } from "./spec.js";

export interface Normalised {
  readonly text: string;
  /** For each character, where it stands in the source. */
  readonly source: Uint32Array;
}

/** The same as in `collapse`. */
const isSpace = (code: number): boolean =>
  code <= 0x20 ||
  (code >= 0x7f &&
    (code <= 0xa0 ||
      code === 0x1680 ||
      (code >= 0x2000 && code <= 0x200a) ||
      code === 0x2028 ||
      code === 0x2029 ||
      code === 0x202f ||
      code === 0x205f ||
      code === 0x3000 ||
      code === 0xfeff));

/** Letters and digits of any script count as part of a word; so do the halves of a surrogate pair. */
const isWord = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || code > 0xbf;

const isHigh = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
const isLow = (code: number): boolean => code >= 0xdc00 && code <= 0xdfff;

/** Half of a surrogate pair without the other one. */
const isHalf = (source: string, at: number, code: number): boolean =>
  (isHigh(code) && !isLow(source.charCodeAt(at + 1))) || (isLow(code) && !isHigh(source.charCodeAt(at - 1)));

const STAR = 0x2a;
const UNDERSCORE = 0x5f;
const BACKTICK = 0x60;
const TILDE = 0x7e;

/** More in a row than this are no part of a word. */
const LONGEST_RUN = 20;

/** `_` inside of a word is part of it; `~` is a mark only in pairs. */
function isMark(source: string, at: number, code: number): boolean {
  if (code === STAR || code === BACKTICK) return true;
  if (code === TILDE) return source.charCodeAt(at - 1) === TILDE || source.charCodeAt(at + 1) === TILDE;
  if (code !== UNDERSCORE) return false;
  let left = at - 1;
  while (source.charCodeAt(left) === UNDERSCORE && at - left < LONGEST_RUN) left--;
  let right = at + 1;
  while (source.charCodeAt(right) === UNDERSCORE && right - at < LONGEST_RUN) right++;
  return !(isWord(source.charCodeAt(left)) && isWord(source.charCodeAt(right)));
}

export function normalise(source: string, hidden: readonly Range[] = []): Normalised {
  const codes = new Uint16Array(source.length);
  const places = new Uint32Array(source.length);
  let length = 0;
  let next = 0;
  let pendingSpace = -1;
  for (let at = 0; at < source.length; at++) {
    while ((hidden[next]?.end ?? source.length + 1) <= at) next++;
    if ((hidden[next]?.start ?? source.length) <= at) {
      at = (hidden[next] as Range).end - 1;
      continue;
    }
    const code = source.charCodeAt(at);
    if (isSpace(code) || isHalf(source, at, code)) {
      if (pendingSpace === -1 && length > 0) pendingSpace = at;
      continue;
    }
    if (isMark(source, at, code)) continue;
    if (pendingSpace !== -1) {
      codes[length] = 0x20;
      places[length++] = pendingSpace;
      pendingSpace = -1;
    }
    codes[length] = code;
    places[length++] = at;
  }
  return { text: fromCodes(codes, length), source: places.subarray(0, length) };
}

const CHUNK = 8_192;

function fromCodes(codes: Uint16Array, length: number): string {
  const chunks: string[] = [];
  for (let at = 0; at < length; at += CHUNK) {
    // Handed over as it is: to spread it would make a list of it first.
    chunks.push(
      String.fromCharCode.apply(null, codes.subarray(at, Math.min(length, at + CHUNK)) as unknown as number[]),
    );
  }
  return chunks.join("");
}
