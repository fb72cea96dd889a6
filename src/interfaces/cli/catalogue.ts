// The commands that are not in the catalogue of operations yet.

import type { Command } from "./command.js";

const named =
  (word: string) =>
  (command: Command): boolean =>
    command.name === word || (command.aliases?.includes(word) ?? false);

const WORDS: Readonly<Record<string, string>> = {
  "--help": "help",
  "-h": "help",
  "--version": "version",
  "-v": "version",
};

export async function findCommand(word: string): Promise<Command | undefined> {
  const isIt = named(WORDS[word] ?? word);
  return (await import("./cold.js")).COLD.find(isIt);
}
