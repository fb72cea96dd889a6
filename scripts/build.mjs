// Builds the package: the command line as CommonJS, where everything behind a dynamic `import()` is a
// file of its own that is read only when needed; and the library as one ES module.

import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, rmSync } from "node:fs";
import { relative, resolve } from "node:path";
import { build } from "esbuild";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));

const common = {
  bundle: true,
  platform: "node",
  target: "node20.19",
  legalComments: "none",
  loader: { ".md": "text" },
  logLevel: "warning",
  define: { PLANWRIGHT_VERSION: JSON.stringify(version) },
};

const sourceOf = (path, resolveDir) => resolve(resolveDir, path.replace(/\.js$/, ".ts"));

/** From the whole path: two folders may have a file of the same name. */
const nameOf = (source) => relative("src", source).replace(/\.ts$/, "").replaceAll("/", "-");

/** esbuild splits only ES modules, which start 12 ms later; so each dynamic import becomes an entry. */
const splitDynamicImports = (chunks) => ({
  name: "split-dynamic-imports",
  setup: (b) =>
    b.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      if (kind !== "dynamic-import") return undefined;
      const source = sourceOf(path, resolveDir);
      const name = nameOf(source);
      chunks.set(name, source);
      return { path: `./${name}.cjs`, external: true };
    }),
});

const buildCommonJs = (options) =>
  build({
    ...common,
    format: "cjs",
    outdir: "dist",
    outExtension: { ".js": ".cjs" },
    minify: true,
    keepNames: false,
    supported: { "dynamic-import": false },
    metafile: true,
    ...options,
    define: { ...common.define, "import.meta.dirname": "__dirname" },
  });

/** What only `src/bin.ts` loads: each file is one function, as Node would wrap it. */
const buildChunks = (options) =>
  buildCommonJs({
    banner: { js: "(function (exports, require, module, __filename, __dirname) {" },
    footer: { js: "})" },
    ...options,
  });

/** The size in a built file of each module that it holds. */
const modulesIn = ({ metafile }) =>
  Object.values(metafile.outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).map(([file, { bytesInOutput }]) => ({ file, bytes: bytesInOutput })),
  );

/** What would be built, and with which modules. */
const trial = (entryPoints, plugins) => buildCommonJs({ entryPoints, write: false, plugins });

/** What is loaded later would hold much of `main` a second time; so it takes that from there. */
async function findShared() {
  const chunks = new Map();
  const split = [splitDynamicImports(chunks)];
  const whole = modulesIn(await trial({ main: "src/main.ts" }, split));
  const inMain = new Map(whole.map(({ file, bytes }) => [file, bytes]));
  const largest = new Map();
  for (const built = new Set(); built.size < chunks.size; ) {
    const pending = [...chunks].filter(([name]) => !built.has(name));
    for (const { file, bytes } of modulesIn(await trial(Object.fromEntries(pending), split))) {
      largest.set(file, Math.max(largest.get(file) ?? 0, bytes));
    }
    for (const [name] of pending) built.add(name);
  }
  // A module that `main` needs only a little of stays out: every command would carry the rest.
  const shared = [...largest].filter(([file, bytes]) => bytes > 0 && (inMain.get(file) ?? 0) >= bytes * MOSTLY);
  return { chunks, shared: shared.map(([file]) => file) };
}

const MOSTLY = 0.75;

/** The names that each of these modules exports. */
async function exportsOf(files) {
  const { metafile } = await build({
    entryPoints: files,
    outdir: "dist",
    format: "esm",
    write: false,
    metafile: true,
  });
  return new Map(Object.values(metafile.outputs).map(({ entryPoint, exports }) => [entryPoint, exports]));
}

/** From `main`, or from what was loaded in its place: `src/bin.ts` knows which. */
const takeFromEntry = (shared) => ({
  name: "take-from-entry",
  setup: (b) => {
    b.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir, namespace }) => {
      if (namespace === "shared") return { path: "./entry", external: true };
      const file = relative(".", sourceOf(path, resolveDir));
      return kind === "import-statement" && shared.has(file) ? { path: file, namespace: "shared" } : undefined;
    });
    b.onLoad({ filter: /./, namespace: "shared" }, ({ path }) => {
      const { place, names } = shared.get(path);
      const taken = names.map((name, i) => `${name} = from[${i}]`);
      return { contents: `const from = require("./entry").shared(${place}); export const ${taken.join()};` };
    });
  },
});

/** Each module is a function that makes a list: an object with all names of all modules takes 0.5 ms. */
function entryWith(shared, has = () => true) {
  const modules = [...shared].map(([file, { place, names }]) =>
    has(file)
      ? {
          imports: `import { ${names.map((name) => `${name} as ${name}_${place}`).join()} } from "./${file}";`,
          list: `() => [${names.map((name) => `${name}_${place}`).join()}]`,
        }
      : { imports: "", list: `() => require("./main.cjs").shared(${place})` },
  );
  return [
    'export { main } from "./src/main.ts";',
    ...modules.map(({ imports }) => imports),
    `const modules = [${modules.map(({ list }) => list).join()}];`,
    "export const shared = (place) => modules[place]();",
  ].join("\n");
}

/** The same program, which knows only these of its hot commands and is never asked for another. */
const knowOnly = (commands) => ({
  name: "know-only",
  setup: (b) => {
    let told = false;
    b.onEnd(() => (told ? undefined : { errors: [{ text: "The list of hot commands was not found." }] }));
    b.onResolve({ filter: /^\.\/main\.cjs$/ }, ({ path }) => ({ path, external: true }));
    b.onLoad({ filter: /[/\\]cli[/\\]hot\.ts$/ }, () => {
      told = true;
      const imports = commands.map((command) => `import { ${command} } from "./commands/${command}.js";`);
      return { contents: `${imports.join("")}export const HOT = [${commands.join()}];` };
    });
  },
});

async function tryOnly(...commands) {
  const chunks = new Map();
  const built = await trial({ main: "src/main.ts" }, [splitDynamicImports(chunks), knowOnly(commands)]);
  return { chunks, files: modulesIn(built).map(({ file }) => file) };
}

/**
 * Half of what `main` holds is for the other commands, and reading it would take a tenth of what this one adds to Node.
 * What the command itself loads later must find everything here: it would load the whole as well.
 */
async function buildAlone(command, shared, takenBy) {
  const [nobody, alone] = [await tryOnly(), await tryOnly(command)];
  const later = [...alone.chunks.keys()].filter((name) => !nobody.chunks.has(name));
  const files = new Set([...alone.files, ...later.flatMap(takenBy)]);
  await buildChunks({
    stdin: { contents: entryWith(shared, (file) => files.has(file)), resolveDir: "." },
    outdir: undefined,
    outfile: `dist/only-${command}.cjs`,
    plugins: [splitDynamicImports(alone.chunks), knowOnly([command])],
  });
}

rmSync("dist", { recursive: true, force: true });
await buildCommonJs({ entryPoints: { planwright: "src/bin.ts" }, banner: { js: "#!/usr/bin/env node" } });
const { chunks, shared: files } = await findShared();
const names = await exportsOf(files);
const shared = new Map(files.map((file, place) => [file, { place, names: names.get(file) }]));
await buildChunks({
  stdin: { contents: entryWith(shared), resolveDir: "." },
  outdir: undefined,
  outfile: "dist/main.cjs",
  plugins: [splitDynamicImports(chunks)],
});
const later = await buildChunks({
  entryPoints: Object.fromEntries(chunks),
  plugins: [splitDynamicImports(chunks), takeFromEntry(shared)],
});
const takenBy = (name) =>
  Object.keys(later.metafile.outputs[`dist/${name}.cjs`].inputs)
    .filter((input) => input.startsWith("shared:"))
    .map((input) => input.slice("shared:".length));
for (const command of ["next", "show", "why"]) await buildAlone(command, shared, takenBy);
chmodSync("dist/planwright.cjs", 0o755);

await build({
  ...common,
  format: "esm",
  entryPoints: { index: "src/index.ts" },
  // What plans is read when it is asked for.
  splitting: true,
  outdir: "dist",
  outExtension: { ".js": ".mjs" },
});

const training = spawnSync(process.execPath, ["scripts/code-cache.mjs"], { encoding: "utf8" });
if (training.status !== 0) console.warn(`There is no code cache, so the program starts slower.\n${training.stderr}`);
