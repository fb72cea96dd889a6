// What the contracts of the roles share. Every text has a limit: what comes back from a model is a stranger's. What is asked of a text is
// given at once: each `.min()` or `.regex()` of its own would make another schema, and all are made whenever something is planned.

import * as z from "zod";

/** Half a character cannot be stored as it is. */
const isWhole = (text: string): boolean => !/\p{Cs}/u.test(text);

const WHOLE = "must not hold half of a character";

// oxlint-disable-next-line no-control-regex -- these are the ones to refuse
const ONE_LINE = /^[^\u0000-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]*$/;

/** A line that a person can read: no control characters, and none that turn the direction of what follows. */
export const line = (max = 300) =>
  z.string().check(
    z.trim(),
    z.minLength(1),
    z.maxLength(max),
    z.regex(ONE_LINE, "must be one line without control characters"),
    z.refine(isWhole, WHOLE),
    z.refine((text) => /[^\p{C}\p{Z}]/u.test(text), "must hold something to read"),
  );

/** Several lines; tabs and line ends are the only control characters. */
export const prose = (max = 20_000) =>
  z.string().check(
    z.maxLength(max),
    // oxlint-disable-next-line no-control-regex -- these are the ones to refuse
    z.regex(/^[^\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]*$/, "must not hold control characters"),
    z.refine(isWhole, WHOLE),
  );

/** Ids inside a plan that is being written: `T1`, `FEAT-001`, `B1.2`. */
export const shortKey = z.string().regex(/^[A-Za-z][A-Za-z0-9._-]{0,63}$/, "must be a short id such as T1");

/** A path inside the repository: relative, with `/`, never up and out, never into git's or our own folder. */
export const repositoryPath = z.string().check(
  z.minLength(1),
  z.maxLength(500),
  z.regex(ONE_LINE, "must be a path without control characters"),
  z.regex(/^[^\\]*$/, "must be a path with /"),
  z.refine(isWhole, WHOLE),
  z.refine((path) => path.trim() === path, "must not begin or end with white space"),
  z.refine((path) => !/^([/~]|[A-Za-z]:|[A-Za-z][\w+.-]*:\/\/)/.test(path), "must be relative to the repository"),
  z.refine((path) => !path.split("/").includes(".."), "must not leave the repository"),
  // In any case and wherever: `./.git`, and file systems that take .GIT for .git.
  z.refine((path) => !/(^|\/)\.(git|planwright)(\/|$)/i.test(path), "must not be in .git or .planwright"),
);

export const quote = prose(2_000).check(z.trim(), z.minLength(1));

export const severity = z.enum(["critical", "high", "medium", "low"]);

export type Severity = z.infer<typeof severity>;

export const evidence = z.strictObject({
  file: repositoryPath,
  lineStart: z.int().min(1),
  lineEnd: z.int().min(1).optional(),
  claim: prose(1_000),
});

export type CodeEvidence = z.infer<typeof evidence>;

export const options = z.array(z.strictObject({ label: line(100), detail: prose(500).default("") })).max(4);

/** A reviewer's question: it goes to the author as context. */
export const reviewQuestion = z.strictObject({
  id: shortKey,
  question: prose(1_000),
  context: prose(2_000).default(""),
  impact: prose(1_000).default(""),
  options: options.default([]),
});

const MESSAGE_LENGTH = 2_000;

// oxlint-disable-next-line no-control-regex -- line breaks and tabs are fine in a message.
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/** Words of an agent, and words about its replies, as far as messages keep them: a bounded text of whole characters. The full words stay in
 *  the document of the call. */
export function shortText(words: string, longest = MESSAGE_LENGTH): string {
  const short = words.length > longest ? `${words.slice(0, longest)}… (${words.length} characters)` : words;
  return short.replace(CONTROLS, "\ufffd").replace(/\p{Cs}/gu, "\ufffd");
}

export const shortLine = (words: string, longest: number): string =>
  shortText(words, longest).replace(/[\s\u2028\u2029]+/g, " ");

type Defined<T> = { [K in keyof T]?: Exclude<T[K], undefined> };

export const defined = <T extends object>(fields: T): Defined<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;

export const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);
