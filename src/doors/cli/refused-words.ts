// What is wrong with the words that were typed, in the words of the command line: flags instead of fields.

import { type Failure, type Result, usage } from "../../model/result.js";
import { type CliField, type CliFields, cliFieldsOf, type WordsProblem } from "../../verbs/kit/read-words.js";
import type { Issue } from "../../verbs/kit/schema.js";
import { allSpellings, type Spelling, spell, variantsOf } from "../../verbs/kit/spell.js";
import type { Verb } from "../../verbs/kit/verb.js";
import { joined } from "../../verbs/kit/wording.js";
import { loadVerb } from "../../verbs/list.js";

export async function unreadable(spelling: Spelling, { positional, flags }: CliFields, read: WordsProblem) {
  const subcommand = positional.length === 0 ? unknownSubcommand(spelling.words, read.extra) : undefined;
  if (read.extra !== undefined && subcommand?.ok === false) return subcommand.error;
  const failure: Failure = { kind: "usage", reason: "usage", message: `${spelling.words} ${read.problem}.` };
  if (read.unknown === undefined) return failure;
  const owners = await argumentsWithFlag(spelling, read.unknown);
  if (owners.length > 0) {
    const message = `${spelling.words} takes ${read.unknown} only with ${joined(owners, "or")}, not with ${argumentOf(spelling, positional)}.`;
    return { ...failure, reason: "unknown-flag", message };
  }
  const { nearestFlag } = await import("../../verbs/router/suggest.js");
  const meant = nearestFlag(read.unknown.replace(/^-+/, ""), flags);
  const did =
    meant === undefined
      ? ` See planwright help ${spelling.words}.`
      : ` Did you mean --${meant.flag}${meant.help === "" ? "" : ` (${meant.help})`}?`;
  return { ...failure, reason: "unknown-flag", message: `${failure.message}${did}` };
}

/** What stands for the arguments of the other verbs with these words that have the flag. */
async function argumentsWithFlag({ operation, words }: Spelling, typed: string): Promise<string[]> {
  const owners: string[] = [];
  for (const other of allSpellings().filter((each) => each.words === words && each.operation !== operation)) {
    const { flags, positional } = cliFieldsOf(await loadVerb(other.operation), other);
    if (flags.some(({ flag }) => `--${flag}` === typed)) owners.push(argumentOf(other, positional));
  }
  return owners;
}

const argumentOf = ({ when }: Spelling, [first]: CliFields["positional"]): string =>
  when?.keys ? examplesOf(when.keys) : when?.flag === undefined ? (first?.label ?? "it") : `--${when.flag}`;

const examplesOf = (prefixes: readonly string[]): string =>
  joined(
    prefixes.map((prefix) => `${prefix}-001`),
    "or",
  );

/** An input that was refused, in the words of the command line: flags instead of fields. */
export function inCommandWords(failure: Failure, operation: Verb, spelling: Spelling, fields: CliFields): Failure {
  if (failure.reason !== "invalid-input") return failure;
  const issues = (failure.details?.["issues"] ?? []) as readonly Issue[];
  const missing = issues.find(({ problem, path }) => problem === "is missing" && path.length === 1);
  const example = operation.examples[0];
  if (missing && example) {
    const command = spell({ operation: operation.name, input: example.input });
    const others = variantsOf(spelling.words).flatMap(({ when }) => when?.keys ?? []);
    const keys = others.length === 0 ? "" : `, or a key such as ${examplesOf(others)}`;
    return {
      ...failure,
      message: `${spelling.words} needs ${wordFor(missing, fields)}${keys}. For example: ${command}`,
    };
  }
  const named = issues.map((issue) => {
    const { path, problem } = issue;
    const { name = "", many = false, choices = [] } = fieldAt(issue, fields) ?? {};
    const what = wordFor(issue, fields) ?? spelling.words;
    if (choices.length > 0 && problem.startsWith("must be one of"))
      // What stands for the value in the usage may be the list of the choices.
      return `${what.includes("|") ? name.toUpperCase() : what} must be ${joined(choices, "or")}`;
    const at = path.length < 2 || (path.length === 2 && many) ? "" : ` (${path.slice(1).join(".")})`;
    return `${what}${at} ${problem}`;
  });
  return { ...failure, message: `${named.join(", and ")}.` };
}

const fieldAt = ({ path: [first] }: Issue, { flags, positional }: CliFields): CliField | undefined =>
  [...flags, ...positional].find(({ name }) => name === first);

function wordFor(issue: Issue, fields: CliFields): string | undefined {
  const field = fieldAt(issue, fields);
  if (!field) return issue.path[0]?.toString();
  return fields.flags.includes(field) ? `--${field.flag}` : field.label;
}

// What to answer when a word is no command, or no subcommand of one.

/** A command without one of its subcommands, or a word that may have been meant otherwise. */
export async function unknownCommand([word = "", second]: readonly string[]): Promise<Result<never>> {
  const unknown = unknownSubcommand(word, second);
  if (unknown) return unknown;
  const { suggest } = await import("../../verbs/router/suggest.js");
  const meant = suggest(word);
  const did = meant.length === 0 ? "See planwright help." : `Did you mean ${joined(meant, "or")}?`;
  return usage("unknown-command", `There is no command "${word.slice(0, 60)}". ${did}`, { details: { meant } });
}

/** `record` or `record lsit`: a command that only has subcommands is no sentence. */
export const isSubcommandMissing = ([word = "", second]: readonly string[]): boolean =>
  unknownSubcommand(word, second) !== undefined;

function unknownSubcommand(command: string, typed: string | undefined): Result<never> | undefined {
  const subcommands = allSpellings()
    .filter(({ words, hidden }) => !hidden && words.startsWith(`${command} `))
    .map(({ words }) => words.slice(command.length + 1));
  if (subcommands.length === 0) return undefined;
  const what = typed === undefined ? `${command} needs a subcommand.` : `Unknown subcommand "${typed.slice(0, 60)}".`;
  return usage("unknown-subcommand", `${what} Use ${joined(subcommands, "or")}.`, { details: { subcommands } });
}
