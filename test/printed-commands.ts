// The commands that the program printed as next steps while the end-to-end tests ran. The check reads them back with the real
// command line (printed-commands.test.ts), so no hint can be one that cannot be typed.

import { appendFileSync } from "node:fs";

/** Names a file in which commands are noted, one in a line. */
export const PRINTED = "PLANWRIGHT_PRINTED_COMMANDS";

/** A step on a terminal, and a step in an answer as JSON. */
const ON_A_LINE = /^ {2}(planwright .*?)(?: {3}.*)?$/gm;
const IN_JSON = /"command":("planwright (?:[^"\\]|\\.)*")/g;

export function notePrinted(...texts: readonly string[]): void {
  const file = process.env[PRINTED];
  if (file === undefined) return;
  const found = texts.flatMap((text) => [
    ...[...text.matchAll(ON_A_LINE)].map(([, command = ""]) => command),
    ...[...text.matchAll(IN_JSON)].map(([, command = '""']) => JSON.parse(command) as string),
  ]);
  const lines = found.filter((command) => !command.includes("\n")).map((command) => `${command}\n`);
  if (lines.length > 0) appendFileSync(file, lines.join(""));
}
