// All commands, in three files by how often they are called: what agents ask in a loop is read at
// start, what they do with their work when it is needed, and the rest when one of it is asked for.

import type { Command } from "./command.js";
import { HOT } from "./hot.js";

/** What they do in a loop is read without its neighbours, which would take a millisecond. */
const ALONE: ReadonlyMap<string, () => Promise<Command>> = new Map([
  ["add", async () => (await import("./commands/add.js")).add],
]);

const named =
  (word: string) =>
  (command: Command): boolean =>
    command.name === word || (command.aliases?.includes(word) ?? false);

export async function allCommands(): Promise<readonly Command[]> {
  const { WARM } = await import("./warm.js");
  const { COLD } = await import("./cold.js");
  return [...HOT, ...WARM, ...COLD];
}

const WORDS: Readonly<Record<string, string>> = {
  "--help": "help",
  "-h": "help",
  "--version": "version",
  "-v": "version",
};

export async function findCommand(word: string): Promise<Command | undefined> {
  const isIt = named(WORDS[word] ?? word);
  const hot = HOT.find(isIt) ?? (await ALONE.get(word)?.());
  if (hot) return hot;
  const { WARM } = await import("./warm.js");
  return WARM.find(isIt) ?? (await import("./cold.js")).COLD.find(isIt);
}

export async function suggestCommand(word: string): Promise<string | undefined> {
  const { nearest } = await import("./nearest.js");
  const names = (await allCommands()).flatMap((command) => [command.name, ...(command.aliases ?? [])]);
  return nearest(word, names);
}
