// How many tokens a text will be, roughly: no tokenizer is at hand, and every model has its own. About four
// characters of Latin text make one, two of other alphabets, and each character of a script without spaces.

const LATIN_END = 0x0250;
/** Symbols and punctuation outside Latin, such as dashes and arrows, are one each. */
const ALPHABETS_END = 0x2000;

export const QUARTERS = 4;

/** In quarters of a token, so that the parts of a text add up to the whole. */
export function tokenQuarters(text: string, start = 0, end: number = text.length): number {
  let quarters = 0;
  for (let i = start; i < end; i++) {
    const code = text.charCodeAt(i);
    if (code < LATIN_END) quarters += 1;
    else if (code < ALPHABETS_END) quarters += 2;
    // Half of a pair: the two together are one character, and rare enough to be two tokens.
    else quarters += QUARTERS;
  }
  return quarters;
}

export const estimateTokens = (text: string): number => Math.ceil(tokenQuarters(text) / QUARTERS);
