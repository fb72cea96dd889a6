// Starts the program, from V8's code cache where the build left one: compiling would cost a short command
// a tenth of its time. V8 itself refuses a cache that another Node made; then this compiles as usual.

import type * as program from "./main.js";

type Require = (id: string) => unknown;
type Wrapped = (exports: object, require: Require, module: { exports: object }, file: string, folder: string) => void;

declare const require: Require;

// Node's own modules are at hand already; asking `require` for each takes 0.15 ms.
const { closeSync, openSync, readFileSync, readvSync } = process.getBuiltinModule("node:fs");
const { Script } = process.getBuiltinModule("node:vm");

const folder = import.meta.dirname;
const loaded = new Map<string, object>();

/** These are built alone as well (scripts/build.mjs): less is read for them than for the whole program. */
const ALONE = ["next", "show", "why"];

function requireFast(id: string): unknown {
  if (id === "./entry") return entry;
  if (id.startsWith("./")) return load(id);
  return id.startsWith("node:") ? process.getBuiltinModule(id) : require(id);
}

/**
 * What is loaded later takes much from what was loaded first, so all of them come through here and none is there twice.
 * Each file is one function already: wrapping its text here would copy it.
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

/** More than the caches of short commands take; what is not filled costs nothing. */
const ROOM = 1 << 18;

/** By `readvSync`, for which Node compiles the least of its own: `readFileSync` would take 0.2 ms more. */
function readCache(file: string): Uint8Array | undefined {
  try {
    const cache = openSync(`${file}.cache`, "r");
    const room = new Uint8Array(ROOM);
    const size = readvSync(cache, [room]);
    closeSync(cache);
    return size < ROOM ? room.subarray(0, size) : readFileSync(`${file}.cache`);
  } catch {
    return undefined;
  }
}

const words = process.argv.slice(2);
const entry = load(ALONE.includes(words[0] ?? "") ? `./only-${words[0]}.cjs` : "./main.cjs") as typeof program;

/** What `process.exit` itself ends with, after asking whoever listens: without listeners that is 0.2 ms for nothing. */
const leaving = process as { reallyExit?: (code: number) => never };

// Everything is written when `main` answers; leaving at once saves tearing down what nobody needs.
void entry.main({ words, env: process.env, cwd: process.cwd() }).then((code) => {
  if (process.listenerCount("exit") === 0) leaving.reallyExit?.(code);
  process.exit(code);
});
