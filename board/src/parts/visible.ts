// Makes visible what hides in text: control characters, escape sequences, zero-width and direction characters. Text of plans and
// agents goes through here before anybody reads it.

/** From and to, both included: control characters but tab and newline, soft hyphens, zero-width and direction characters, tags. */
const RANGES: readonly (readonly [number, number])[] = [
  [0x00, 0x08],
  [0x0b, 0x1f],
  [0x7f, 0x9f],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x200b, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0x3164, 0x3164],
  [0xfe00, 0xfe0e],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff9, 0xfffb],
  // Halves of characters that have no other half.
  [0xd800, 0xdfff],
  [0xe0000, 0xe0fff],
];

const isHidden = (code: number): boolean => RANGES.some(([from, to]) => code >= from && code <= to);
/** Most text has none of them, and is not looked at letter by letter. */
const PLAIN = /^[\t\n\x20-\x7e\u00a0-\u00ac\u00ae-\u034e\u2010-\u2027\u2030-\u205e\u2100-\u2bff]*$/;

const NAMES: Readonly<Record<string, string>> = {
  "\u001b": "␛",
  "\u0000": "␀",
  "\r": "␍",
  "\u0007": "␇",
  "\u0008": "␈",
};

export interface Piece {
  readonly text: string;
  /** Stands for a character that nobody would see. */
  readonly hidden: boolean;
}

const nameOf = (character: string): string =>
  NAMES[character] ?? `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;

/** The same text in pieces; carriage returns before a newline are line ends, and hide nothing. */
export function visible(text: string): Piece[] {
  const plain = text.replaceAll("\r\n", "\n");
  if (PLAIN.test(plain)) return plain === "" ? [] : [{ text: plain, hidden: false }];
  const pieces: Piece[] = [];
  let shown = "";
  for (const character of plain) {
    if (!isHidden(character.codePointAt(0) ?? 0)) {
      shown += character;
      continue;
    }
    if (shown !== "") pieces.push({ text: shown, hidden: false });
    shown = "";
    pieces.push({ text: nameOf(character), hidden: true });
  }
  if (shown !== "") pieces.push({ text: shown, hidden: false });
  return pieces;
}
