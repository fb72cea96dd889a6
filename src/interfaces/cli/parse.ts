// From the words that were typed to an Input, or to a usage failure that says what to type instead.

import { ok, type Result, usage } from "../../app/vocabulary.js";
import type { Command, Flag, Input } from "./command.js";

export const COMMON: Readonly<Record<string, Flag>> = {
  json: { type: "boolean", help: "answer in JSON: one object with ok and data or error" },
  as: { type: "string", value: "ACTOR", help: "who asks: human:NAME or agent:NAME" },
  workspace: { type: "string", short: "C", value: "DIR", help: "work on the plan around this folder" },
  help: { type: "boolean", short: "h", help: "show this help" },
};

const FOCUS: Readonly<Record<string, Flag>> = {
  active: { type: "boolean", help: "the node in focus" },
  story: { type: "boolean", help: "the story around the focus" },
  feature: { type: "boolean", help: "the feature around the focus" },
};

export const takesReference = (command: Command): boolean => command.arguments?.some((a) => a.reference) ?? false;

/** A command's own flags, those for references, and those that every command has. */
export const flagsOf = (command: Command): Record<string, Flag> => ({
  ...command.flags,
  ...(takesReference(command) ? FOCUS : {}),
  ...COMMON,
});

type Values = Record<string, string | true | string[]>;

export async function parse(command: Command, words: readonly string[]): Promise<Result<Input>> {
  const flags = flagsOf(command);
  const split = separate(words, flags);
  if (typeof split === "string") return wrong(command, split);
  const { values, positionals, unknown } = split;
  if (unknown !== undefined) return unknownFlag(command, unknown, Object.keys(flags));
  const args = takesReference(command) ? [...focusTokens(values), ...positionals] : positionals;
  if (values["help"]) return ok(inputFrom(values, args));
  const problem = judgeFlags(values, flags) ?? judgeArguments(command, args);
  return problem === undefined ? ok(inputFrom(values, args)) : wrong(command, problem);
}

interface Separated {
  readonly values: Values;
  readonly positionals: string[];
  /** A flag that nobody declared, as it was typed. */
  readonly unknown?: string;
}

/** `--flag value`, `--flag=value`, `-f value`, `--` before words that only look like flags; a text says what is wrong.
 *  Our own, because loading parseArgs took a quarter of the time that a command may take. */
function separate(words: readonly string[], flags: Readonly<Record<string, Flag>>): Separated | string {
  const values: Values = {};
  const positionals: string[] = [];
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as string;
    if (word === "--") return { values, positionals: [...positionals, ...words.slice(i + 1)] };
    if (!word.startsWith("-") || word === "-") {
      positionals.push(word);
      continue;
    }
    const equals = word.startsWith("--") ? word.indexOf("=") : -1;
    const typed = equals < 0 ? word : word.slice(0, equals);
    const name = word.startsWith("--") ? typed.slice(2) : nameOfShort(typed.slice(1), flags);
    const flag = name === undefined ? undefined : flags[name];
    if (name === undefined || !flag) return { values, positionals, unknown: typed };
    if (flag.type === "boolean") {
      if (equals >= 0) return `takes no value for --${name}`;
      values[name] = true;
      continue;
    }
    const value = equals < 0 ? words[++i] : word.slice(equals + 1);
    if (value === undefined) return `needs a value after --${name}`;
    if (flag.multiple) values[name] = [...((values[name] as string[] | undefined) ?? []), value];
    else values[name] = value;
  }
  return { values, positionals };
}

const nameOfShort = (letter: string, flags: Readonly<Record<string, Flag>>): string | undefined =>
  Object.keys(flags).find((name) => flags[name]?.short === letter);

const focusTokens = (values: Values): string[] =>
  Object.keys(FOCUS)
    .filter((name) => values[name])
    .map((name) => `--${name}`);

const inputFrom = (values: Values, args: string[]): Input => ({
  args,
  json: values["json"] === true,
  has: (flag) => values[flag] !== undefined,
  text: (flag) => values[flag] as string | undefined,
  number: (flag) => (values[flag] === undefined ? undefined : Number(values[flag])),
  list: (flag) => (values[flag] ?? []) as string[],
});

function judgeFlags(values: Values, flags: Readonly<Record<string, Flag>>): string | undefined {
  for (const [name, flag] of Object.entries(flags)) {
    for (const value of [values[name]].flat()) {
      if (typeof value !== "string") continue;
      const problem = judgeValue(value, flag);
      if (problem !== undefined) return `--${name} ${problem}, not "${value.slice(0, 60)}"`;
    }
  }
  return undefined;
}

function judgeValue(value: string, { type, min, max, whole, choices }: Flag): string | undefined {
  if (choices && !choices.includes(value)) return `must be one of ${choices.join(", ")}`;
  if (type !== "number") return undefined;
  const number = value.trim() === "" ? Number.NaN : Number(value);
  const fits = Number.isFinite(number) && number >= (min ?? -Infinity) && number <= (max ?? Infinity);
  if (fits && (!whole || Number.isInteger(number))) return undefined;
  const range = min !== undefined && max !== undefined ? ` from ${min} to ${max}` : "";
  return `must be a ${whole ? "whole " : ""}number${range}`;
}

function judgeArguments(command: Command, args: readonly string[]): string | undefined {
  const declared = command.arguments ?? [];
  const needed = declared.filter((a) => !a.optional);
  const missing = needed[args.length];
  if (missing) return `needs ${missing.name}`;
  if (args.length > declared.length && !declared.at(-1)?.many) {
    return `takes ${declared.length === 0 ? "no arguments" : `at most ${declared.length}`}, so "${args[declared.length] as string}" is one too many`;
  }
  return undefined;
}

const wrong = (command: Command, problem: string): Result<never> =>
  usage("usage", `planwright ${command.name} ${problem}.`, {
    hint: `\`planwright ${command.name} --help\` shows how.`,
  });

async function unknownFlag(command: Command, typed: string, names: readonly string[]): Promise<Result<never>> {
  const { nearest } = await import("./nearest.js");
  const meant = nearest(typed.replace(/^-+/, ""), names);
  const hint =
    meant === undefined ? `\`planwright ${command.name} --help\` lists its flags.` : `Did you mean --${meant}?`;
  return usage("unknown-flag", `planwright ${command.name} has no flag ${typed}.`, { hint });
}
