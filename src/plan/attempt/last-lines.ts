// The last lines of a transcript, for those who look at what runs.

import { readPlainFile } from "../../base/plain-file.js";

const LAST_LINES = 10;
const LINE = 300;

/** None, if nothing was said yet or the file is gone. */
export function lastLines(file: string): string[] {
  try {
    const lines = readPlainFile(file).split("\n");
    return lines
      .filter((line) => line.trim() !== "")
      .slice(-LAST_LINES)
      .map((line) => (line.length > LINE ? `${line.slice(0, LINE)}…` : line));
  } catch {
    return [];
  }
}
