// What has to be known of every verb without loading it (src/verbs/kit/facts.ts), collected from the verbs themselves. The build and
// the tests get it as a module of its own, so it cannot differ from the declarations.

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";

const ROOT = resolve(import.meta.dirname, "..");
const MODULE = "virtual:verb-facts";

/** What is a function, or long and only shown in a verb's own help. */
const LEFT_OUT = new Set(["input", "examples", "description", "on", "flags", "inputs", "reports"]);

const isData = ([name, value]) => typeof value !== "function" && value !== undefined && !LEFT_OUT.has(name);

async function collect() {
  // Below node_modules, so that packages are found from there.
  const cache = join(ROOT, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "verb-facts-"));
  try {
    const bundle = await rolldown({
      input: { list: join(ROOT, "src/verbs/list.ts") },
      platform: "node",
      external: (id) => !/^[./]|^virtual:/.test(id),
      moduleTypes: { ".md": "text" },
      transform: { define: { PLANWRIGHT_VERSION: '""' } },
      plugins: [factsModule(async () => [])],
      checks: { ineffectiveDynamicImport: false },
    });
    await bundle.write({
      dir: folder,
      format: "esm",
      entryFileNames: "[name].mjs",
      chunkFileNames: "[name]-[hash].mjs",
    });
    await bundle.close();
    const { VERBS } = await import(pathToFileURL(join(folder, "list.mjs")).href);
    const verbs = await Promise.all(Object.values(VERBS).map(async (load) => (await load()).verb));
    return verbs.map((verb) => Object.fromEntries(Object.entries(verb).filter(isData)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const factsModule = (facts) => ({
  name: "verb-facts",
  resolveId: (source) => (source === MODULE ? `\0${MODULE}` : undefined),
  load: async (id) => (id === `\0${MODULE}` ? `export default ${JSON.stringify(await facts())};` : undefined),
});

let collected;

/** For the bundler, and for the bundler of the tests. */
export const verbFacts = factsModule(() => (collected ??= collect()));
