// Shows every character of a text. What is listed here is shown as it is; everything else, which nobody would see or would take for
// something else, becomes a mark with its name. Doors decide how marks look.

export interface ShownPiece {
  readonly text: string;
  /** Stands for characters that are not shown as they are. */
  readonly isMark: boolean;
}

/** These are shown as nothing, although they are letters or signs. */
const BLANK = String.raw`[\p{Default_Ignorable_Code_Point}\u2800\u{1d159}]`;
/** A few accents. More would cover the lines around them. */
const ACCENTS = `(?:(?!${BLANK})\\p{M}){0,4}`;
const LETTER = `(?!${BLANK})[\\p{L}\\p{N}\\p{P}\\p{S}]${ACCENTS}`;
const PICTURE = String.raw`\p{Extended_Pictographic}\p{Emoji_Modifier}?\ufe0f?`;
const EMOJI = String.raw`${PICTURE}(?:\u200d${PICTURE})*|[#*0-9]\ufe0f\u20e3`;
/** These scripts need joiners inside of words. */
const joinedScripts = (): string =>
  `[${"Arabic Devanagari Bengali Gurmukhi Gujarati Oriya Tamil Telugu Kannada Malayalam Sinhala"
    .split(" ")
    .map((script) => `\\p{Script=${script}}`)
    .join("")}]`;

/** Patterns of classes of characters are made when they are first needed: most texts need none of them, and they take 20 ms. */
const prose = once(() => {
  const joined = joinedScripts();
  return new RegExp(
    String.raw`(?:${EMOJI}|${joined}\p{M}*[\u200c\u200d](?=${joined})|${LETTER}|[\n\t]|\p{Zs}(?!\p{Zs}{40}))+`,
    "uy",
  );
});
const scripts = once(() =>
  // Read from left to right, so that their letters can stand in a mark.
  "Cyrillic Greek Armenian Georgian Cherokee Han Hiragana Katakana Hangul Thai Devanagari".split(" ").map((name) => {
    const letter = `(?!\\p{M}|${BLANK})\\p{Script=${name}}${ACCENTS}`;
    return [name, new RegExp(`(?:${letter})+`, "uy")] as const;
  }),
);

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

/** A command or a path: everything that is not ASCII could be a look-alike. Marks that stand for a character stay what they are. */
const code = once(() => /(?:[\n!-~]|⟨(?:U\+[0-9A-F]{4,6}|\d+ spaces)⟩|⏎| (?! {40}| *(?:\n|$)))+/y);
const spaces = once(() => /\p{Zs}{2,}/uy);

/** What most texts are made of, for speed: looking at every letter takes 40 ms at its first use. */
const PLAIN =
  /^(?:[\n\t!-~\u00a1-\u00ac\u00ae-\u02ff\u0400-\u0482\u048a-\u052f\u2010-\u2027\u2190-\u23ff\u2500-\u27ff\u3001-\u3029\u3041-\u3096\u30a1-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff01-\uff5e]| (?! {40}))*$/;
const PLAIN_CODE = /^(?:[\n!-~]| (?! {40}| *(?:\n|$)))*$/;

/** Prose in any script. Marked is what is invisible, changes the direction of text, or is an overlong gap. */
export const visible = (text: string): ShownPiece[] => piecesOf(text, PLAIN, false);

/** Commands, paths and names: marked is everything that is not plain ASCII, and spaces at the end of a line. */
export const visibleCode = (text: string): ShownPiece[] => piecesOf(text, PLAIN_CODE, true);

function piecesOf(text: string, plain: RegExp, isCode: boolean): ShownPiece[] {
  // Before a newline they end the line, and hide nothing.
  const whole = text.replaceAll("\r\n", "\n");
  if (plain.test(whole)) return whole === "" ? [] : [{ text: whole, isMark: false }];
  const shown = isCode ? code() : prose();
  const pieces: ShownPiece[] = [];
  for (let at = 0; at < whole.length; ) {
    const asIs = matchAt(shown, whole, at);
    const { mark, length } = asIs === undefined ? markAt(whole, at, isCode) : { mark: asIs, length: asIs.length };
    pieces.push({ text: mark, isMark: asIs === undefined });
    at += length;
  }
  return pieces;
}

function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/** Like ASCII, and with a look of their own. */
const seen = once(() => /^(?=[\p{L}\p{P}\p{S}])(?:\p{Script=Latin}|[\u2010-\u27ff\u2900-\u2bff\uff01-\uff5e])$/u);

/** The mark for what stands here, and how much of the text it is. */
function markAt(text: string, at: number, isCode: boolean): { readonly mark: string; readonly length: number } {
  const gap = matchAt(spaces(), text, at)?.length;
  if (gap !== undefined) return { mark: `${gap} spaces`, length: gap };
  for (const [name, letters] of isCode ? scripts() : []) {
    const run = matchAt(letters, text, at);
    if (run !== undefined) return { mark: `${name} ${run}`, length: run.length };
  }
  const number = text.codePointAt(at) as number;
  const character = String.fromCodePoint(number);
  const point = `U+${number.toString(16).toUpperCase().padStart(4, "0")}`;
  return { mark: seen().test(character) ? `${point} ${character}` : point, length: character.length };
}
