// All commands, in three files by how often they are called: what agents ask in a loop is read at
// start, what they do with their work when it is needed, and the rest when one of it is asked for.

import type { Command } from "./command.js";
import { HOT } from "./hot.js";

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
  const hot = HOT.find(isIt);
  if (hot) return hot;
  const { WARM } = await import("./warm.js");
  return WARM.find(isIt) ?? (await import("./cold.js")).COLD.find(isIt);
}
