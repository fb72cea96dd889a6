// Builds the package: the command line as CommonJS, where everything behind a dynamic `import()` is a
// file of its own that is read only when needed; and the library as one ES module.

import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, rmSync } from "node:fs";
import { basename, resolve } from "node:path";
import { build } from "esbuild";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));

const common = {
  bundle: true,
  platform: "node",
  target: "node20.19",
  legalComments: "none",
  logLevel: "warning",
  define: { PLANWRIGHT_VERSION: JSON.stringify(version) },
};

const chunks = new Map();

/** esbuild splits only ES modules, which start 12 ms later; so each dynamic import becomes an entry. */
const splitDynamicImports = {
  name: "split-dynamic-imports",
  setup: (b) =>
    b.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir }) => {
      if (kind !== "dynamic-import") return undefined;
      const name = basename(path, ".js");
      chunks.set(name, resolve(resolveDir, path.replace(/\.js$/, ".ts")));
      return { path: `./${name}.cjs`, external: true };
    }),
};

const buildCommonJs = (entryPoints, options = {}) =>
  build({
    ...common,
    format: "cjs",
    entryPoints,
    outdir: "dist",
    outExtension: { ".js": ".cjs" },
    minify: true,
    keepNames: false,
    supported: { "dynamic-import": false },
    define: { ...common.define, "import.meta.dirname": "__dirname" },
    banner: { js: options.shebang ?? "" },
    plugins: [splitDynamicImports],
  });

rmSync("dist", { recursive: true, force: true });
await buildCommonJs({ planwright: "src/bin.ts" }, { shebang: "#!/usr/bin/env node" });
await buildCommonJs({ main: "src/main.ts" });
for (const built = new Set(); built.size < chunks.size; ) {
  const pending = [...chunks].filter(([name]) => !built.has(name));
  await buildCommonJs(Object.fromEntries(pending));
  for (const [name] of pending) built.add(name);
}
chmodSync("dist/planwright.cjs", 0o755);

await build({
  ...common,
  format: "esm",
  entryPoints: { index: "src/index.ts" },
  outdir: "dist",
  outExtension: { ".js": ".mjs" },
});

const training = spawnSync(process.execPath, ["scripts/code-cache.mjs"], { encoding: "utf8" });
if (training.status !== 0) console.warn(`There is no code cache, so the program starts slower.\n${training.stderr}`);
