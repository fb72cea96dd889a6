// What the outline planner finds in each document of test/fixtures/specs, against what a person found there.
//
//   node bench/outline.mjs            a line per document
//   node bench/outline.mjs --wrong    also each task that is no work, and each work that is no task
//
// NAME.work.txt lists the work in NAME.md, written by hand while reading it: one line for each task, with words that its
// title or its first quote must hold. Reviews are not counted: the planner makes them from acceptance criteria.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { build } from "esbuild";

const ROOT = resolve(import.meta.dirname, "..");
const SPECS = join(ROOT, "test/fixtures/specs");

/** The planner is no part of the library, so it is bundled from its source. */
async function loadPlanner() {
  const folder = mkdtempSync(join(tmpdir(), "planwright-outline-"));
  const outfile = join(folder, "planner.mjs");
  const contents = [
    'export * from "./src/planning/outline/outline.ts";',
    'export { parseSpec } from "./src/planning/spec/parse.ts";',
    'export { lintDraft } from "./src/planning/lint/lint.ts";',
  ].join("\n");
  await build({
    stdin: { contents, resolveDir: ROOT, loader: "ts" },
    bundle: true,
    platform: "node",
    format: "esm",
    outfile,
    logLevel: "error",
    banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
  });
  try {
    return await import(pathToFileURL(outfile).href);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function planOf(planner, text) {
  const spec = planner.parseSpec(text);
  const map = planner.outlineCapabilities(spec);
  const files = planner.outlineFiles(spec, map, { files: [] });
  const draft = planner.outlineTasks(spec, map, files, {});
  const rules = { hasTool: () => true, asStated: true, level: "lenient", mode: "full" };
  return { draft, coverage: planner.lintDraft({ draft, map, files, spec, ...rules }).coverage };
}

const plain = (text) => text.toLowerCase().replaceAll(/[*_`]/g, "").replaceAll(/\s+/g, " ");

/** Each task stands for one line at most. The longest lines choose first, since a short one may be a part of a longer one. */
function compare(tasks, expected) {
  const open = new Set(tasks);
  const missed = [];
  for (const words of expected.toSorted((a, b) => b.length - a.length)) {
    const holds = ({ title, quotes }) => plain(`${title}\n${quotes[0] ?? ""}`).includes(plain(words));
    const found = [...open].find(holds);
    if (found === undefined) missed.push(words);
    else open.delete(found);
  }
  return { missed, extra: [...open].map(({ title }) => title) };
}

const percent = (part, whole) => (whole === 0 ? "100 %" : `${Math.round((part / whole) * 100)} %`);
const expectedIn = (file) => readFileSync(file, "utf8").split("\n").filter(Boolean);

const planner = await loadPlanner();
const files = readdirSync(SPECS);
const sum = { tasks: 0, right: 0, expected: 0 };
const row = (...cells) =>
  console.log(cells.map((cell, at) => (at === 0 ? cell.padEnd(20) : cell.padStart(11))).join(""));
row("document", "tasks", "planned", "precision", "recall");
for (const name of files.filter((file) => file.endsWith(".md")).map((file) => file.slice(0, -3))) {
  const { draft, coverage } = planOf(planner, readFileSync(join(SPECS, `${name}.md`), "utf8"));
  const tasks = draft.tasks.filter(({ kind }) => kind !== "review");
  const planned = `${coverage?.planned ?? 0} %`;
  if (!files.includes(`${name}.work.txt`)) {
    row(name, `${tasks.length}`, planned, "–", "–");
    continue;
  }
  const expected = expectedIn(join(SPECS, `${name}.work.txt`));
  const { missed, extra } = compare(tasks, expected);
  const right = tasks.length - extra.length;
  sum.tasks += tasks.length;
  sum.right += right;
  sum.expected += expected.length;
  row(name, `${tasks.length}`, planned, percent(right, tasks.length), percent(right, expected.length));
  if (!process.argv.includes("--wrong")) continue;
  for (const title of extra) console.log(`    no work: ${title}`);
  for (const words of missed) console.log(`    no task: ${words}`);
}
row("all", `${sum.tasks}`, "", percent(sum.right, sum.tasks), percent(sum.right, sum.expected));
