// Words of the plan inside a sentence for an agent. Anybody may have written them, so they stay on one line, in quotation marks, and
// short: a title is a name, not an instruction.

/** Control characters, line breaks and what reorders text. */
const BREAKING = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cn}\s]+/gu;

const PIECES =
  /([A-Za-z]+)|(\d+)|(\s+)|([\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Latin}])|(.)/gsu;

/** Hardly any tokenizer makes more of it. Text that means nothing makes more tokens than prose, and a title may be either. */
export function mostTokens(text: string): number {
  let tokens = 0;
  for (const [piece, word, digits, space, common] of text.matchAll(PIECES)) {
    if (word !== undefined) tokens += Math.ceil(word.length / 3);
    else if (digits !== undefined) tokens += Math.ceil(digits.length / 2);
    else if (space !== undefined) tokens += piece.length > 1 ? 1 : 0;
    else if (common !== undefined) tokens += 2;
    else tokens += piece.charCodeAt(0) < 0x80 ? 1 : 4;
  }
  return tokens;
}

export function plainLine(text: string, most: number): string {
  const line = text.slice(0, MAX_CHARACTERS).replace(BREAKING, " ").replaceAll('"', "'").trim();
  if (mostTokens(line) <= most) return line;
  const kept = Array.from(line);
  while (kept.length > 0 && mostTokens(kept.join("")) >= most) kept.splice(-Math.ceil(kept.length / 20));
  return `${kept.join("").trimEnd()}…`;
}

/** Longer than any title; more is not looked at. */
const MAX_CHARACTERS = 2000;

const MAX_TITLE_TOKENS = 16;

export const quotedTitle = (title: string): string => `"${plainLine(title, MAX_TITLE_TOKENS)}"`;

const MAX_ID_TOKENS = 16;

/** Ids are short and plain in every plan that was made by hand or by this program; an imported one may be anything. */
export const plainId = (id: string): string => plainLine(id, MAX_ID_TOKENS);
