// What has to be known of every verb without loading it (src/verbs/kit/facts.ts), collected from the verbs themselves. The build and
// the tests get it as a module of its own, so it cannot differ from the declarations.

import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { rolldown } from "rolldown";
import { parseAst } from "rolldown/parseAst";

const ROOT = resolve(import.meta.dirname, "..");
const MODULE = "virtual:verb-facts";

/** The fields of the interface VerbFacts. */
function factNames() {
  const { body } = parseAst(readFileSync(join(ROOT, "src/verbs/kit/verb.ts"), "utf8"), { lang: "ts" });
  const facts = body.map(({ declaration }) => declaration).find((each) => each?.id?.name === "VerbFacts");
  return facts.body.body.map(({ key }) => key.name);
}

/** What stands for the values of a verb's fields on a command line. */
function labelsOf(verb, { cliFieldsOf }) {
  const { positional, flags } = cliFieldsOf(verb, { words: "" });
  const named = [...positional, ...flags].filter(
    ({ type, name, label }) => type !== "boolean" && label !== name.toUpperCase(),
  );
  return Object.fromEntries(named.map(({ name, label }) => [name, label]));
}

async function collect() {
  // Below node_modules, so that packages are found from there.
  const cache = join(ROOT, "node_modules/.cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "verb-facts-"));
  try {
    const bundle = await rolldown({
      input: { list: join(ROOT, "src/verbs/list.ts"), words: join(ROOT, "src/verbs/kit/read-words.ts") },
      platform: "node",
      external: (id) => !/^[./]|^virtual:/.test(id),
      moduleTypes: { ".md": "text", ".sql": "text" },
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
    const { VERBS, loadVerb } = await import(pathToFileURL(join(folder, "list.mjs")).href);
    const verbs = await Promise.all(Object.keys(VERBS).map(loadVerb));
    const words = await import(pathToFileURL(join(folder, "words.mjs")).href);
    const names = factNames();
    return verbs.map((verb) => ({
      ...Object.fromEntries(names.map((name) => [name, verb[name]])),
      labels: labelsOf(verb, words),
    }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** All words of a verb. */
const wordsOf = ({ command: { words, aliases = [] } }) => [words, ...aliases.map((alias) => alias.words ?? alias)];

/** The names of the verbs with the same words, in order: one text for each, so that the table costs next to nothing. */
function namesOf(verbs) {
  const names = {};
  for (const verb of verbs) for (const words of wordsOf(verb)) (names[words] ??= []).push(verb.name);
  return Object.entries(names).map(([words, known]) => `${JSON.stringify(words)}: ${JSON.stringify(known.join(" "))}`);
}

/**
 * The facts of each verb are text, which a command reads for its own verb only: all 146 would take 3 ms. Each text is in a function,
 * so that the code cache of a command holds no other.
 */
const asModule = (verbs) =>
  [
    `export const names = {${namesOf(verbs).join(",\n")}};`,
    `export const facts = {${verbs.map((verb) => `${JSON.stringify(verb.name)}: () => ${JSON.stringify(JSON.stringify(verb))}`).join(",\n")}};`,
  ].join("\n");

const factsModule = (facts) => ({
  name: "verb-facts",
  resolveId: (source) => (source === MODULE ? `\0${MODULE}` : undefined),
  load: async (id) => (id === `\0${MODULE}` ? asModule(await facts()) : undefined),
});

let collected;

/** For the bundler, and for the bundler of the tests. */
export const verbFacts = factsModule(() => (collected ??= collect()));
