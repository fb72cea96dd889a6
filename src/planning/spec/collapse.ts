// White space, as a person reads it: any run of it is one space.

/** Control characters are no words either, nor is half of a surrogate pair. */
const SPACES = /[\s\p{Cc}\p{Cs}]+/gu;

/** Most texts are on one line with single spaces: to see that costs a tenth of making them so. */
const UNEVEN = /[^\S ]| {2}|^ | $|[^ -~\u00a1-\ud7ff\ue000-\uffff]/;

export const collapse = (text: string): string => (UNEVEN.test(text) ? text.replace(SPACES, " ").trim() : text);

const UNSEEN = /(?![\t\n\r])[\p{Cc}\p{Cs}]/gu;

/** As it stands, line by line, but for what `collapse` takes for white space and no page shows. */
export const withoutControls = (text: string): string => text.replace(UNSEEN, " ");

/** Whether a person would see anything: a letter, a digit, or a picture. */
export const hasLetters = (text: string): boolean => /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(text);
