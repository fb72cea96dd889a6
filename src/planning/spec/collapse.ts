// White space, as a person reads it: any run of it is one space.

/** `\s` and the next-line sign, which `\s` leaves out. */
const SPACES = /[\s\u0085]+/g;

export const collapse = (text: string): string => text.replace(SPACES, " ").trim();

/** Whether a person would see anything: a letter, a digit, or a picture. */
export const isReadable = (text: string): boolean => /[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(text);
