// Starts the program, from V8's code cache where the build left one: compiling would cost a short command
// a tenth of its time. V8 itself refuses a cache that another Node made; then this compiles as usual.

import type * as program from "./main.js";

type Require = (id: string) => unknown;
type Wrapped = (exports: object, require: Require, module: { exports: object }, file: string, folder: string) => void;

declare const require: Require;

// Node's own modules are at hand already; asking `require` for each takes 0.15 ms.
const { readFileSync } = process.getBuiltinModule("node:fs");
const { Script } = process.getBuiltinModule("node:vm");

const folder = import.meta.dirname;
const loaded = new Map<string, object>();

function requireFast(id: string): unknown {
  if (id.startsWith("./")) return load(id);
  return id.startsWith("node:") ? process.getBuiltinModule(id) : require(id);
}

/**
 * What is loaded later takes much of `main.cjs`, so all of them come through here and none is there twice. Each file is
 * one function already: wrapping its text here would copy it.
 */
function load(id: string): object {
  const known = loaded.get(id);
  if (known) return known;
  const file = `${folder}/${id.slice(2)}`;
  const module = { exports: {} };
  const script = new Script(readFileSync(file, "utf8"), { filename: file, cachedData: readCache(file) });
  (script.runInThisContext() as Wrapped)(module.exports, requireFast, module, file, folder);
  loaded.set(id, module.exports);
  return module.exports;
}

function readCache(file: string): Buffer | undefined {
  try {
    return readFileSync(`${file}.cache`);
  } catch {
    return undefined;
  }
}

const { main } = load("./main.cjs") as typeof program;

/** What `process.exit` itself ends with, after asking whoever listens: without listeners that is 0.2 ms for nothing. */
const leaving = process as { reallyExit?: (code: number) => never };

// Everything is written when `main` answers; leaving at once saves tearing down what nobody needs.
void main({ words: process.argv.slice(2), env: process.env, cwd: process.cwd() }).then((code) => {
  if (process.listenerCount("exit") === 0) leaving.reallyExit?.(code);
  process.exit(code);
});
