// Builds the package. The program and the library share their files: CommonJS, which starts 12 ms sooner than ES modules
// on Node 20. What is behind a dynamic `import()` is a file of its own, read only when needed.

import { createHash } from "node:crypto";
import { chmodSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { build } from "rolldown";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));

/**
 * Modules that one command reads together become one file: 40 small ones would add 4 ms. A group takes these modules and
 * everything that they import, unless an earlier group has it.
 */
const GROUPS = {
  program: ["src/main.ts"],
  change: [
    "src/store/commit.ts",
    "src/interfaces/cli/warm.ts",
    "src/interfaces/cli/commands/add.ts",
    "src/app/operations/task.ts",
    "src/actions/claim/complete.ts",
    "src/interfaces/cli/views/task.ts",
  ],
};

const groupOf = new Map();

const assignGroups = {
  name: "assign-groups",
  buildEnd(error) {
    if (error) return;
    const assign = (id, group) => {
      if (groupOf.has(id)) return;
      groupOf.set(id, group);
      for (const imported of this.getModuleInfo(id).importedIds)
        if (!imported.startsWith("node:")) assign(imported, group);
    };
    for (const [group, files] of Object.entries(GROUPS)) {
      for (const file of files) assign(resolve(file), group);
    }
  },
};

/** Text that is all ASCII takes V8 one byte a character. */
const minify = { codegen: { asciiOnly: true } };

/** The program is loaded as scripts, in which `import()` does not work: even Node's own modules come by `require`. */
const bundle = ({ target, define, output, ...options }) =>
  build({
    platform: "node",
    moduleTypes: { ".md": "text" },
    transform: { target, define: { "import.meta.dirname": "__dirname", ...define } },
    checks: { ineffectiveDynamicImport: false },
    ...options,
    output: {
      dir: "dist",
      format: "cjs",
      dynamicImportInCjs: false,
      minify,
      comments: false,
      entryFileNames: "[name].cjs",
      ...output,
    },
  });

rmSync("dist", { recursive: true, force: true });
const { output: files } = await bundle({
  input: { main: "src/main.ts", index: "src/index.ts" },
  target: "node20.19",
  define: { PLANWRIGHT_VERSION: JSON.stringify(version) },
  plugins: [assignGroups],
  output: {
    chunkFileNames: "[name]-[hash].cjs",
    codeSplitting: { groups: Object.keys(GROUPS).map((name) => ({ name, test: (id) => groupOf.get(id) === name })) },
  },
});

const hash = createHash("sha256");
for (const { fileName, code } of files) hash.update(fileName).update(code);
await bundle({
  input: { planwright: "src/bin.ts" },
  target: "es2015",
  define: { PLANWRIGHT_BUILD: JSON.stringify(hash.digest("hex").slice(0, 16)) },
  output: { banner: `#!/usr/bin/env node\n${readFileSync("src/refuse-old-node.cjs", "utf8")}` },
});
chmodSync("dist/planwright.cjs", 0o755);

const { exports } = files.find(({ fileName }) => fileName === "index.cjs");
writeFileSync(
  "dist/index.mjs",
  `import library from "./index.cjs";\nexport const { ${exports.join(", ")} } = library;\n`,
);
