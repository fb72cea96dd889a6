// What an agent says about itself, and what is said about its replies, as far as it is kept in messages: a bounded
// text of whole characters. The full words stay in the call's own document.

const LONGEST = 2_000;

// oxlint-disable-next-line no-control-regex -- line breaks and tabs are fine in a message.
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
const HALVES = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

export function shortText(words: string, longest = LONGEST): string {
  const short = words.length > longest ? `${words.slice(0, longest)}… (${words.length} characters)` : words;
  return short.replace(OBEYED, "\ufffd").replace(HALVES, "\ufffd");
}

/** The same on one line. */
export const shortLine = (words: string, longest: number): string =>
  shortText(words, longest).replace(/[\s\u2028\u2029]+/g, " ");
