// How verbs are written on a command line: the one module that spells commands. The command line reads the same
// table the other way round, so what is suggested can always be typed.

import type { NextStep, VerbName } from "../../model/next-step.js";
import { allFacts, factsOf, factsWithWords, findFacts } from "./facts.js";
import type { CommandWords, VerbFacts } from "./verb.js";

export interface Spelling extends Omit<CommandWords, "aliases"> {
  readonly operation: VerbName;
}

const spellingsOf = ({ name, command: { aliases = [], ...main } }: VerbFacts): Spelling[] => {
  const { daily: _, fixed: __, when: ___, ...shared } = main;
  return [
    { ...main, operation: name },
    ...aliases.map((alias) => {
      const { shown, ...own } = typeof alias === "string" ? { words: alias } : alias;
      return { ...shared, ...own, operation: name, ...(shown !== true && { hidden: true as const }) };
    }),
  ];
};

/** Of verbs with the same words, the one that needs nothing else comes first, and a flag says more than a key. */
const inOrder = (facts: readonly VerbFacts[]): Spelling[] => {
  const all = facts.flatMap(spellingsOf);
  const plain = all.filter(({ when }) => !when);
  return [...plain, ...all.filter(({ when }) => when?.flag !== undefined), ...all.filter(({ when }) => when?.keys)];
};

let every: readonly Spelling[] | undefined;

/** The first spelling of a verb is the one that is suggested. */
export const allSpellings = (): readonly Spelling[] => (every ??= inOrder(allFacts()));

const withWords = (words: string): Spelling[] => inOrder(factsWithWords(words)).filter((each) => each.words === words);

export const variantsOf = (words: string): Spelling[] => withWords(words).filter(({ when }) => when);

/** The flag that tells it apart from other verbs with the same words. */
export const flagOfVariant = ({ when }: Spelling): string[] => (when?.flag === undefined ? [] : [`--${when.flag}`]);

/** The words of a verb, and those that follow them. */
export interface TypedCommand {
  readonly spelling: Spelling;
  readonly rest: readonly string[];
}

/** Verbs that only a key tells apart are not told apart here (same-words.ts). */
export function findSpelling(words: readonly string[]): TypedCommand | undefined {
  for (let length = Math.min(3, words.length); length > 0; length--) {
    const [spelling, ...variants] = withWords(words.slice(0, length).join(" "));
    if (!spelling) continue;
    const rest = words.slice(length);
    const meant = variants.find((each) => flagOfVariant(each).some((flag) => rest.includes(flag))) ?? spelling;
    return { spelling: meant, rest: rest.filter((word) => !flagOfVariant(meant).includes(word)) };
  }
  return undefined;
}

/** `leaseMinutes` is `--lease-minutes`; a list of `files` is one `--file` for each. */
export function flagOf(spelling: Spelling, field: string, isList: boolean): string {
  const named = spelling.flags?.[field];
  if (named !== undefined) return named;
  const word = isList && /[^su]s$/.test(field) ? field.slice(0, -1) : field;
  return word.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

const PROGRAM = "planwright";

export const spell = (step: NextStep): string => [PROGRAM, ...tokensOf(step).map(quote)].join(" ");

export const spellWords = (words: readonly string[]): string => [PROGRAM, ...words.map(quote)].join(" ");

/** A step as the words with which this program would be started. */
export const commandWords = (step: NextStep): string[] => tokensOf(step).map(wordOf);

function tokensOf(step: NextStep): unknown[] {
  const spelling = spellingOf(step);
  const given: Record<string, unknown> = { ...step.input };
  // The same word as in the help of the command.
  const labels = findFacts(step.operation)?.labels ?? {};
  for (const field of step.needs ?? []) given[field] = new Placeholder(labels[field] ?? field.toUpperCase());
  for (const field of Object.keys(spelling.fixed ?? {})) delete given[field];
  const positional = (spelling.positional ?? []).flatMap((field) => {
    const value = given[field];
    delete given[field];
    return value === undefined ? [] : [value].flat();
  });
  const flags = Object.entries(given).flatMap(([field, value]) => flagTokens(spelling, field, value));
  return [...spelling.words.split(" "), ...positional, ...flagOfVariant(spelling), ...flags];
}

class Placeholder {
  readonly label: string;
  constructor(label: string) {
    this.label = label;
  }
}

function spellingOf({ operation, input, needs = [] }: NextStep): Spelling {
  const isGiven = (field: string | undefined): boolean =>
    field !== undefined && (input[field] !== undefined || needs.some((needed) => needed === field));
  const known = spellingsOf(factsOf(operation)).filter(
    ({ when, positional }) => !when?.keys || isGiven(positional?.[0]),
  );
  const all = known.some(({ hidden }) => !hidden) ? known.filter(({ hidden }) => !hidden) : known;
  const fits = ({ fixed = {} }: Spelling): boolean =>
    Object.entries(fixed).every(([field, value]) => input[field] === value);
  const found = all.find((each) => each.fixed && fits(each)) ?? all.find((each) => !each.fixed) ?? all[0];
  if (!found) throw new Error(`The operation ${operation} has no spelling.`);
  return found;
}

function flagTokens(spelling: Spelling, field: string, value: unknown): unknown[] {
  if (value === undefined || value === null || value === false) return [];
  const flag = `--${flagOf(spelling, field, Array.isArray(value))}`;
  if (value === true) return [flag];
  return [value].flat().flatMap((each) => [flag, each]);
}

/** Letters, digits and the signs that no shell gives a meaning. */
const PLAIN = /^[\w@%+=:,./-]+$/;

/** A text that was read from a file is typed as the file. */
const wordOf = (value: unknown): string => {
  if (typeof value !== "object" || value === null) return String(value);
  return "path" in value && typeof value.path === "string" ? value.path : JSON.stringify(value);
};

function quote(value: unknown): string {
  if (value instanceof Placeholder) return value.label;
  const text = wordOf(value);
  if (PLAIN.test(text)) return text;
  return /[$`"\\!]/.test(text) ? quoteForShell(text) : `"${text}"`;
}

/** In single quotes, in which a shell gives no sign a meaning. */
export const quoteForShell = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;
