// White space, as a person reads it: any run of it is one space.

/** Control characters are no words either, nor is half of a surrogate pair. */
const SPACES = /[\s\p{Cc}\p{Cs}]+/gu;

export const collapse = (text: string): string => text.replace(SPACES, " ").trim();

const UNSEEN = /(?![\t\n\r])[\p{Cc}\p{Cs}]/gu;

/** As it stands, line by line, but for what `collapse` takes for white space and no page shows. */
export const withoutControls = (text: string): string => text.replace(UNSEEN, " ");

/** Whether a person would see anything: a letter, a digit, or a picture. */
export const hasLetters = (text: string): boolean => /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(text);
