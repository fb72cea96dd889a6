// Makes V8's code cache for what agents call in a loop: runs those commands on a small plan, all in one
// process, and keeps what V8 compiled. Output goes nowhere; the build starts this.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Script } from "node:vm";

const dist = resolve("dist");
const plainRequire = createRequire(join(dist, "planwright.cjs"));
const scripts = new Map();
const loaded = new Map();

/** As `src/bin.ts` loads a file: the same wrapping, or V8 refuses the cache. */
const wrap = (source) => `(function (exports, require, module, __filename, __dirname) { ${source}\n});`;

function load(id) {
  if (!id.startsWith("./")) return plainRequire(id);
  const known = loaded.get(id);
  if (known) return known.exports;
  const file = join(dist, id);
  const script = new Script(wrap(readFileSync(file, "utf8")), { filename: file });
  const module = { exports: {} };
  scripts.set(file, script);
  loaded.set(id, module);
  script.runInThisContext()(module.exports, load, module, file, dist);
  return module.exports;
}

const PLAN = [
  { id: "MISSION", tier: "mission", title: "A mission" },
  { id: "FEAT-001", tier: "feature", title: "A feature", parent: "MISSION" },
  { id: "TASK-1", title: "First", parent: "FEAT-001", files: ["a.ts"], body: "Some words." },
  { id: "TASK-2", title: "Second", parent: "FEAT-001", dependsOn: ["TASK-1"] },
];

async function train(root) {
  const { add, createStore } = await import(join(dist, "index.mjs"));
  const path = join(root, ".planwright/plan.db");
  const { store } = await createStore({ path, durability: "normal", engine: "auto" });
  const context = { store, actor: "human:a", settings: {}, root, cwd: root, now: () => 1, head: () => null };
  await add(
    context,
    PLAN.map((input, i) => ({ input, where: `line ${i + 1}` })),
  );
  await store.close();
  mkdirSync(join(root, ".git"));
  writeFileSync(join(root, ".git/HEAD"), `${"0".repeat(40)}\n`);

  const { main } = load("./main.cjs");
  const run = (...words) => main({ words, env: { PLANWRIGHT_ACTOR: "human:a" }, cwd: root });
  await run("approve", "FEAT-001");
  for (const format of [[], ["--json"]]) {
    await run("next", "--peek", ...format);
    await run("show", "TASK-2", ...format);
    await run("why", "TASK-2", ...format);
    await run("add", "Third", "--parent", "FEAT-001", "--on", "TASK-2", ...format);
    await run("next", ...format);
    await run("complete", "TASK-1", ...format);
  }
}

const HOT = ["main.cjs", "warm.cjs", "commit.cjs"];
const root = mkdtempSync(join(tmpdir(), "planwright-build-"));
try {
  await train(root);
  for (const name of HOT) writeFileSync(join(dist, `${name}.cache`), scripts.get(join(dist, name)).createCachedData());
} finally {
  rmSync(root, { recursive: true, force: true });
}
