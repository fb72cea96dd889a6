// What to answer when a word is no command, or no subcommand of one.

import { type Result, usage } from "../../model/result.js";
import { SPELLINGS } from "../../verbs/kit/spell.js";

/** A command without one of its subcommands, or a word that may have been meant otherwise. */
export async function unknownCommand([word = "", second]: readonly string[]): Promise<Result<never>> {
  const unknown = unknownSubcommand(word, second);
  if (unknown) return unknown;
  const { suggest } = await import("../../verbs/router/suggest.js");
  const meant = suggest(word);
  const did = meant.length === 0 ? "See planwright help." : `Did you mean ${oneOf(meant)}?`;
  return usage("unknown-command", `There is no command "${word.slice(0, 60)}". ${did}`, { details: { meant } });
}

/** `record` or `record lsit`: a command that only has subcommands is no sentence. */
export const isSubcommandMissing = ([word = "", second]: readonly string[]): boolean =>
  unknownSubcommand(word, second) !== undefined;

/** Undefined if the command has no subcommands. */
export function unknownSubcommand(command: string, typed: string | undefined): Result<never> | undefined {
  const subcommands = SPELLINGS.filter(({ words, hidden }) => !hidden && words.startsWith(`${command} `)).map(
    ({ words }) => words.slice(command.length + 1),
  );
  if (subcommands.length === 0) return undefined;
  const what = typed === undefined ? `${command} needs a subcommand.` : `Unknown subcommand "${typed.slice(0, 60)}".`;
  return usage("unknown-subcommand", `${what} Use ${oneOf(subcommands)}.`, { details: { subcommands } });
}

const oneOf = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1) as string}`;
