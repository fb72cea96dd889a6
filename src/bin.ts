// The command `planwright`: runs the program on the words of the command line and ends with its exit code.

import { openCodeCache } from "./code-cache.js";
import type * as program from "./main.js";

/** The exit code of a bug in the program: what it compiled until then is not worth keeping. */
const BUG = 70;

const words = process.argv.slice(2);
const cache = openCodeCache(import.meta.dirname, words);
const { main } = cache.load("./main.cjs") as typeof program;

void main({ words, env: process.env, cwd: process.cwd() }).then((code) => {
  if (code !== BUG) cache.save();
  process.exit(code);
});
