// From the words that were typed to an operation's input. Only the form is read here: whether a value is allowed is the
// operation's own schema to say.

import { helpOf, type Field as Schema, unwrap } from "./schema.js";
import { flagOf, type Spelling } from "./spell.js";
import type { Verb } from "./verb.js";

export type Input = Record<string, unknown>;

/** The caller's focus can replace a node. */
export const FOCUS: Readonly<Record<string, string>> = {
  active: "the node in focus",
  story: "the story around the focus",
  feature: "the feature around the focus",
};

export type Read = { readonly input: Input } | WordsProblem;

export interface WordsProblem {
  readonly problem: string;
  readonly unknown?: string;
  readonly extra?: string;
}

export const takesNode = ({ positional }: CliFields): boolean => positional.some(({ names }) => names === "node");

/** An argument, or a flag with its value. */
export interface Piece {
  /** As it was typed. */
  readonly words: readonly string[];
  /** The flag without its value; undefined for an argument. */
  readonly flag?: string;
  readonly field?: CliField | undefined;
  readonly value?: string | undefined;
}

/** `--flag value`, `--flag=value`, `-f value`, and `--` before words that only look like flags. */
export function* splitArguments(words: readonly string[], flags: readonly CliField[]): Generator<Piece> {
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string;
    if (word === "--") {
      for (const each of words.slice(i + 1)) yield { words: [each] };
      return;
    }
    if (!word.startsWith("-") || word === "-") {
      yield { words: [word] };
      continue;
    }
    const equals = word.startsWith("--") ? word.indexOf("=") : -1;
    const flag = equals < 0 ? word : word.slice(0, equals);
    const field = flags.find((each) => flag === `--${each.flag}` || (each.short && flag === `-${each.short}`));
    if (equals >= 0) yield { words: [word], flag, field, value: word.slice(equals + 1) };
    else if (!field || field.type === "boolean") yield { words: [word], flag, field };
    else yield { words: words.slice(i, i + 2), flag, field, value: words[++i] };
  }
}

/** A flag such as `--active`, which stands for a node. */
export const isFocusFlag = (flag: string): boolean => flag.startsWith("--") && Object.hasOwn(FOCUS, flag.slice(2));

export function readWords(spelling: Spelling, fields: CliFields, words: readonly string[]): Read {
  const input: Input = { ...spelling.fixed };
  const loose: string[] = [];
  for (const { words: typed, flag, field, value } of splitArguments(words, fields.flags)) {
    if (flag === undefined) loose.push(...typed);
    else if (!field && takesNode(fields) && isFocusFlag(flag)) loose.unshift(flag);
    else if (!field) return { problem: `has no flag ${flag}`, unknown: flag };
    else if (field.type === "boolean") {
      if (value !== undefined) return { problem: `takes no value for ${flag}` };
      input[field.name] = true;
    } else if (value === undefined) return { problem: `needs a value after ${flag}` };
    else put(input, field, value);
  }
  return assignPositional(input, fields.positional, loose);
}

function assignPositional(input: Input, positional: readonly CliField[], loose: readonly string[]): Read {
  const rest = [...loose];
  for (const field of positional) {
    if (field.many) for (const word of rest.splice(0)) put(input, field, word);
    else if (rest.length > 0 && field === positional.at(-1) && isProse(field))
      put(input, field, rest.splice(0).join(" "));
    else if (rest.length > 0) put(input, field, rest.shift() as string);
  }
  const [extra] = rest;
  if (extra === undefined) return { input };
  const most = positional.length === 0 ? "no arguments" : `at most ${positional.length}`;
  return { problem: `takes ${most}, so "${extra}" is one too many`, extra };
}

/** Words need no quotes where nothing else can follow. */
const isProse = ({ type, names, choices }: CliField) => type === "string" && names === null && choices.length === 0;

/** A number that is none stays text, so that the schema can say what it must be. */
function put(input: Input, { name, type, many }: CliField, text: string): void {
  const number = text.trim() === "" ? Number.NaN : Number(text);
  const value = type === "number" && !Number.isNaN(number) ? number : text;
  if (many) input[name] = [...((input[name] as unknown[] | undefined) ?? []), value];
  else input[name] = value;
}

export interface CliField {
  readonly name: string;
  readonly flag: string;
  readonly short?: string;
  readonly type: "boolean" | "number" | "string";
  readonly many: boolean;
  readonly required: boolean;
  readonly choices: readonly string[];
  readonly help: string;
  readonly label: string;
  /** What kind of thing it names, for completion: `node`, `run`. */
  readonly names: string | null;
}

export interface CliFields {
  readonly positional: readonly CliField[];
  readonly flags: readonly CliField[];
}

/** A flag that is no field of the input; with a label it takes a value. */
export function viewFlag(spelling: Spelling, flag: string, [help, label = ""]: readonly [string, string?]): CliField {
  const type = label === "" ? "boolean" : "string";
  const short = shortOf(spelling, flag);
  return { name: flag, flag, ...short, type, many: false, required: false, choices: [], help, label, names: null };
}

function shortOf(spelling: Spelling, name: string): Pick<CliField, "short"> {
  const found = Object.entries(spelling.short ?? {}).find(([, field]) => field === name);
  return found ? { short: found[0] } : {};
}

/** Fields that the words themselves decide are not asked for. */
export function cliFieldsOf(operation: Verb, spelling: Spelling): CliFields {
  const shape: Readonly<Record<string, Schema>> = operation.input.shape;
  const all = Object.entries(shape)
    .filter(([name]) => !(name in (spelling.fixed ?? {})))
    .map(([name, schema]) => fieldOf(spelling, name, schema));
  const positional = (spelling.positional ?? []).flatMap((name) => all.find((field) => field.name === name) ?? []);
  return { positional, flags: all.filter((field) => !positional.includes(field)) };
}

/** The fields of the input, and the flags that only the verb's view knows. */
export function allFieldsOf(verb: Verb, spelling: Spelling): CliFields {
  const declared = cliFieldsOf(verb, spelling);
  const shown = Object.entries(verb.flags ?? {}).map(([flag, help]) => [flag, [help]] as const);
  const own = [...Object.entries(verb.inputs ?? {}), ...shown].filter(
    ([flag]) => !declared.flags.some((field) => field.flag === flag),
  );
  return { ...declared, flags: [...declared.flags, ...own.map(([flag, help]) => viewFlag(spelling, flag, help))] };
}

function fieldOf(spelling: Spelling, name: string, schema: Schema): CliField {
  const bare = unwrap(schema);
  const many = bare._zod.def.type === "array";
  const item = many && "element" in bare._zod.def ? unwrap(bare._zod.def.element as Schema) : bare;
  const help = helpOf(schema);
  const type = typeOf(item);
  const choices = "entries" in item._zod.def ? Object.values(item._zod.def.entries as Record<string, string>) : [];
  return {
    name,
    flag: flagOf(spelling, name, many),
    ...shortOf(spelling, name),
    type,
    many,
    required: schema._zod.optin === undefined,
    choices,
    help: help?.help ?? "",
    label: help?.label ?? (choices.length > 0 ? choices.join("|") : type === "number" ? "N" : "TEXT"),
    names: help?.names ?? null,
  };
}

function typeOf(schema: Schema): CliField["type"] {
  const { type } = schema._zod.def;
  return type === "boolean" || type === "number" ? type : "string";
}
