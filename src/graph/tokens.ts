// How many tokens a text will be, roughly: no tokenizer is at hand, and every model has its own. About four
// characters of Latin text make one, two of other alphabets, and each character of a script without spaces.

const LATIN_END = 0x0250;
/** Symbols and punctuation outside Latin, such as dashes and arrows, are one each. */
const ALPHABETS_END = 0x2000;

export function estimateTokens(text: string): number {
  let quarters = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code < LATIN_END) quarters += 1;
    else if (code < ALPHABETS_END) quarters += 2;
    // Half of a pair: the two together are one character, and rare enough to be two tokens.
    else quarters += 4;
  }
  return Math.ceil(quarters / 4);
}
