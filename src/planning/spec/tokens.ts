// How many tokens a text is for a model, roughly and rather too many: no tokeniser is at hand, and each model has its
// own. A token is about 3.3 letters of English, 1.7 of other alphabets, one sign of Chinese, Japanese or Korean.

const TENTHS_ASCII = 3;
const TENTHS_ALPHABET = 6;
const TENTHS_IDEOGRAPH = 10;

/** In tenths of a token, so that the parts of a text add up to the whole. An emoji is two signs. */
export function tokenTenths(text: string, start = 0, end: number = text.length): number {
  let tenths = 0;
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at);
    tenths += code < 0x80 ? TENTHS_ASCII : code < 0x2e80 ? TENTHS_ALPHABET : TENTHS_IDEOGRAPH;
  }
  return tenths;
}

export const estimateTokens = (text: string): number => Math.ceil(tokenTenths(text) / 10);
