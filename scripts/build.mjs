// Builds the package. The program and the library share their files: CommonJS, which starts 12 ms sooner than ES modules
// on Node 20. What is behind a dynamic `import()` is a file of its own, read only when needed.

import { createHash } from "node:crypto";
import { chmodSync, cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { build } from "rolldown";
import { verbFacts } from "./verb-facts.mjs";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));

/**
 * What one command reads together becomes one file: 40 small ones would add 4 ms. A group has these modules and everything that
 * they import, unless an earlier group has it. Of several lists, it has only what at least two of them read, so that a command runs no
 * verb but its own: 3 ms.
 */
const WRITE = [
  "src/store/write/commit.ts",
  "src/store/people/seal-changes.ts",
  "src/verbs/consent/person.ts",
  "src/plan/claim/start.ts",
  "src/verbs/task/complete.ts",
  "src/verbs/task/hand-in.ts",
];
const WHY = ["src/verbs/look/why.ts", "src/verbs/look/why-node.ts", "src/verbs/consent/why-nothing-runs.ts"];
const GROUPS = {
  program: [["src/main.ts"]],
  look: [
    ["src/verbs/node/show.ts"],
    ["src/verbs/look/status.ts"],
    WHY,
    ["src/verbs/task/next.ts"],
    // What writes needs little of what `next` reads, and `status` little of what writes.
    WRITE,
    ["src/verbs/node/add.ts"],
  ],
  next: [["src/verbs/task/next.ts"]],
  write: [WRITE],
  show: [["src/verbs/node/show.ts"]],
  status: [["src/verbs/look/status.ts"]],
  why: [WHY],
  add: [["src/verbs/node/add.ts"]],
  // `show` of a task that was planned.
  origin: [["src/planning/run/source-of-node.ts"]],
};

/** Which group each module is in. `chunks` are those of a build without groups: unlike imports, they tell what is really used. */
function assignGroups(chunks) {
  const groupOf = new Map();
  const readBy = (files) => {
    const found = new Set();
    const visit = (chunk) => {
      if (found.has(chunk)) return;
      found.add(chunk);
      for (const name of chunk.imports) {
        const imported = chunks.find(({ fileName }) => fileName === name);
        if (imported) visit(imported);
      }
    };
    for (const file of files) {
      const chunk = chunks.find(({ moduleIds }) => moduleIds.includes(resolve(file)));
      if (!chunk) throw new Error(`There is no module ${file}: correct GROUPS in scripts/build.mjs.`);
      visit(chunk);
    }
    return [...found].flatMap(({ moduleIds }) => moduleIds);
  };
  for (const [group, lists] of Object.entries(GROUPS)) {
    const read = lists.map(readBy);
    const readOften = (id) => read.filter((ids) => ids.includes(id)).length >= Math.min(2, lists.length);
    for (const id of read.flat()) if (!groupOf.has(id) && readOften(id)) groupOf.set(id, group);
  }
  return groupOf;
}

/**
 * Every command loads zod/mini; planning loads zod, which has the same core. In one copy each command would also load all that
 * planning uses of it: 1.7 ms. So zod/mini gets a copy of its own.
 */
const COPY = "?mini";
const copyMini = {
  name: "copy-mini",
  async resolveId(source, importer) {
    if (source !== "zod/mini" && !importer?.endsWith(COPY)) return undefined;
    const { id } = await this.resolve(source, importer?.replace(COPY, ""), { skipSelf: true });
    return `${id}${COPY}`;
  },
  load: (id) =>
    id.endsWith(COPY)
      ? { code: readFileSync(id.slice(0, -COPY.length), "utf8"), moduleSideEffects: false, moduleType: "js" }
      : undefined,
};

/**
 * Functions of Node's modules that take long to load. Our own files get them from here, and the module is loaded at the first
 * call: `show` and `why` take 6 ms less processor time, `next --peek` and `status` 9 ms.
 */
const LAZY = {
  "node:crypto": [
    "createHash",
    "createHmac",
    "createPublicKey",
    "diffieHellman",
    "generateKeyPairSync",
    "randomBytes",
    "randomInt",
    "randomUUID",
    "timingSafeEqual",
    "verify",
  ],
  "node:child_process": ["execFileSync", "spawn", "spawnSync"],
  "node:fs/promises": [
    "chmod",
    "copyFile",
    "cp",
    "lstat",
    "mkdir",
    "readdir",
    "readlink",
    "realpath",
    "rename",
    "rm",
    "stat",
    "symlink",
    "utimes",
    "writeFile",
  ],
  "node:os": ["endianness", "homedir", "hostname", "tmpdir", "userInfo"],
  "node:timers/promises": ["setImmediate", "setTimeout"],
};
/** The width of wide characters: its tables take 24 ms, and most plans have no such character. */
const WIDTHS = "string-width";
const lazyModules = {
  name: "lazy-modules",
  resolveId: (source, importer) =>
    (source in LAZY || source === WIDTHS) && importer?.startsWith(resolve("src")) ? `lazy:${source}` : undefined,
  load(id) {
    const source = id.startsWith("lazy:") && id.slice("lazy:".length);
    if (!source) return undefined;
    // A module that is required is run by the first call.
    if (source === WIDTHS) return `export default (...given) => require(${JSON.stringify(WIDTHS)}).default(...given);`;
    const get = `process.getBuiltinModule(${JSON.stringify(source)})`;
    return LAZY[source].map((name) => `export const ${name} = (...given) => ${get}.${name}(...given);`).join("\n");
  },
};

/**
 * SQLite for Nodes that have none of their own that is new enough. The package that they come from has 29 MB: its sources, and two
 * more platforms, where Node 24.15 or newer is needed.
 */
const ENGINES = ["linux-x64.glibc", "linux-x64.musl", "linux-arm64.glibc", "darwin-arm64", "darwin-x64", "win32-x64"];

function copyEngines() {
  const from = "node_modules/@photostructure/sqlite";
  for (const engine of ENGINES) {
    const [platform, libc = "glibc"] = engine.split(".");
    cpSync(`${from}/prebuilds/${platform}/@photostructure+sqlite.${libc}.node`, `dist/sqlite/${platform}.${libc}.node`);
  }
  cpSync(`${from}/LICENSE`, "dist/sqlite/LICENSE");
}

/**
 * The bundler exports by getters. What never changes once the file has run is exported as a value instead: `program` alone has 420
 * exports, and their getters are a fifth of what a command reads from the code cache. It takes 1 ms less processor time.
 */
const GETTER =
  /Object\.defineProperty\(exports, (?:'|")([\w$]+)(?:'|"), \{\s*enumerable: true,\s*get: function \(\) \{\s*return ([\w$]+);\s*\}\s*\}\);/g;
const FIXED = /^(?:(?:async )?function\*? ?|class |const )([\w$]+)/gm;
const VARIABLE = /^var ([\w$]+) = /gm;

const namesIn = (code, pattern) => [...code.matchAll(pattern)].map(([, name]) => name);

function isSetOnce(code, name) {
  const set = new RegExp(`(?<![\\w$.])${name.replaceAll("$", "\\$&")}\\s*(?:[-+*/%&|^?<>]*=(?![=>])|\\+\\+|--)`, "g");
  return [...code.matchAll(set)].length === 1;
}

const plainExports = {
  name: "plain-exports",
  renderChunk(code) {
    const fixed = new Set([
      ...namesIn(code, FIXED),
      ...namesIn(code, VARIABLE).filter((name) => isSetOnce(code, name)),
    ]);
    const plain = code.replace(GETTER, (getter, name, of) => (fixed.has(of) ? `exports.${name} = ${of};` : getter));
    return { code: plain, map: null };
  },
};

/** Text that is all ASCII takes V8 one byte a character. */
const minify = { codegen: { asciiOnly: true } };

/** The program is loaded as scripts, in which `import()` does not work: even Node's own modules come by `require`. */
const bundle = ({ target, define, output, ...options }) =>
  build({
    platform: "node",
    moduleTypes: { ".md": "text", ".sql": "text" },
    // Its usual file looks for the others by itself, so no bundler can follow it.
    resolve: { alias: { "jsonc-parser": resolve("node_modules/jsonc-parser/lib/esm/main.js") } },
    transform: { target, define: { "import.meta.dirname": "__dirname", ...define } },
    // On a busy machine the bundler warns that it is slow.
    checks: { ineffectiveDynamicImport: false, bundlerTimings: false },
    // The package has no dependencies at run time: what is not bundled would be missing on every other machine.
    onwarn(warning) {
      throw new Error(warning.message);
    },
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

/**
 * Each file is a function already, so that the code cache compiles the text as it was read: a copy with the wrapper around it would
 * bring on a garbage collection of 2.4 ms. `require` calls the function; a script without a `module` only names it.
 */
const PARAMETERS = "exports,require,module,__filename,__dirname";
const wrapped = {
  banner: `(f=>typeof module>"t"?f:f(${PARAMETERS}))(function(${PARAMETERS}){`,
  footer: "})",
};

const buildProgram = ({ output, ...options }) =>
  bundle({
    input: { main: "src/main.ts", index: "src/index.ts" },
    target: "node20.19",
    define: { PLANWRIGHT_VERSION: JSON.stringify(version) },
    plugins: [verbFacts, copyMini, lazyModules, plainExports],
    ...options,
    output: { ...wrapped, ...output },
  });

// The page of the board has its own step, and stays until its sources change.
for (const name of existsSync("dist") ? readdirSync("dist") : []) {
  if (name !== "board") rmSync(`dist/${name}`, { recursive: true, force: true });
}
const { output: chunks } = await buildProgram({ write: false });
const groupOf = assignGroups(chunks);
const groups = Object.keys(GROUPS).map((name) => ({ name, test: (id) => groupOf.get(id) === name }));
const { output: files } = await buildProgram({
  output: { chunkFileNames: "[name]-[hash].cjs", codeSplitting: { groups } },
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
copyEngines();
