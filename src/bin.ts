// The command `planwright`: runs the program on the words of the command line and ends with its exit code.

import { openCodeCache } from "./code-cache.js";
import type * as program from "./main.js";

/** Exit codes from here on (bad usage, a bug, an interruption) are no answer: the same words hardly come again. */
const NO_ANSWER = 5;

const words = process.argv.slice(2);
const cache = openCodeCache(import.meta.dirname, words);
const { main } = cache.load("./main.cjs") as typeof program;

/** Undefined if the folder was deleted. */
function currentFolder(): string | undefined {
  try {
    return process.cwd();
  } catch {
    return undefined;
  }
}

void main({ words, env: process.env, cwd: currentFolder() }).then((code) => {
  if (code < NO_ANSWER) cache.save();
  process.exit(code);
});
