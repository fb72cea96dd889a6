// Prints the size and shape of the source code. `--at REV` does so for a commit; given several times, commits stand beside
// each other. `--check` prints only what breaks a limit, and fails if there is anything. `--root FOLDER` looks there.

import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { parseAst } from "rolldown/parseAst";

const LONGEST_FILE = 400;
const LONGEST_FUNCTION = 60;
const LARGEST_FOLDER = 25;
const MOST_CASTS = 8;

const ROOT = resolve(import.meta.dirname, "..");
const FUNCTIONS = new Set(["FunctionDeclaration", "FunctionExpression", "ArrowFunctionExpression"]);

/** What gives a function its name. A callback that stands in a call is part of the function around it. */
const NAMERS = new Set(["MethodDefinition", "PropertyDefinition", "Property", "VariableDeclarator"]);

const filesBelow = (root, folder, pattern) =>
  readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((name) => pattern.test(name))
    .sort();

const readLines = (path) => readFileSync(path, "utf8").trimEnd().split("\n");

function walk(node, parent, visit) {
  if (Array.isArray(node)) for (const each of node) walk(each, parent, visit);
  else if (typeof node?.type === "string") {
    visit(node, parent);
    for (const value of Object.values(node)) if (typeof value === "object") walk(value, node, visit);
  }
}

const isCast = ({ type, typeAnnotation }) => type === "TSAsExpression" && typeAnnotation.typeName?.name !== "const";

const isNamedFunction = ({ type }, parent) =>
  FUNCTIONS.has(type) && (type === "FunctionDeclaration" || NAMERS.has(parent?.type));

/** What a file declares and exports; what it only passes on is declared elsewhere. */
function exportedBy({ body }) {
  const imports = body.filter(({ type }) => type === "ImportDeclaration").flatMap(({ specifiers }) => specifiers);
  const imported = new Set(imports.map(({ local }) => local.name));
  const declarations = body.filter(({ type, source }) => type === "ExportNamedDeclaration" && !source);
  const names = declarations.flatMap(({ declaration, specifiers }) =>
    declaration
      ? (declaration.declarations ?? [declaration]).map(({ id }) => id?.name)
      : specifiers.filter(({ local }) => !imported.has(local.name)).map(({ exported }) => exported.name),
  );
  return new Set(names.filter((name) => name !== undefined));
}

function readSource(root, file) {
  const text = readFileSync(join(root, file), "utf8");
  const program = parseAst(text, { lang: "ts" });
  const lineCount = ({ start, end }) => text.slice(start, end).split("\n").length;
  const functions = [];
  let casts = 0;
  walk(program, undefined, (node, parent) => {
    if (isCast(node)) casts++;
    if (isNamedFunction(node, parent)) {
      const named = parent?.type === "MethodDefinition" ? parent : node;
      functions.push({ where: `${file}:${text.slice(0, node.start).split("\n").length}`, lines: lineCount(named) });
    }
  });
  return { file, lines: text.trimEnd().split("\n").length, casts, functions, names: exportedBy(program) };
}

function quantile(numbers, part) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))];
}

const sum = (numbers) => numbers.reduce((total, each) => total + each, 0);

function groupCounts(keys) {
  const counts = new Map();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
}

/** Every file of a verb exports both (src/verbs/list.ts). */
const OF_EVERY_VERB = new Set(["verb", "input"]);

function findDuplicates(sources) {
  const repeated = groupCounts(sources.flatMap(({ names }) => [...names])).filter(
    ([name, count]) => count > 1 && !OF_EVERY_VERB.has(name),
  );
  return repeated.map(([name]) => {
    const files = sources.filter(({ names }) => names.has(name)).map(({ file }) => file.replace(/^src\//, ""));
    return `${name} (${files.join(", ")})`;
  });
}

function measure(root) {
  const sources = filesBelow(root, "src", /(?<!\.(test|suite|d))\.ts$/).map((file) => readSource(root, file));
  const tests = [...filesBelow(root, "src", /\.(test|suite)\.ts$/), ...filesBelow(root, "test", /\.(ts|mjs)$/)];
  const functions = sources.flatMap((source) => source.functions);
  const lines = sum(sources.map((source) => source.lines));
  const testLines = sum(tests.map((file) => readLines(join(root, file)).length));
  const folders = groupCounts(sources.map(({ file }) => dirname(file)));
  const [folder, filesInFolder] = folders[0];
  const casts = (1000 * sum(sources.map((source) => source.casts))) / lines;
  const shape = (numbers) => `${quantile(numbers, 0.5)}, ${quantile(numbers, 0.9)}`;
  return {
    figures: {
      "source lines outside tests": lines,
      "source files": sources.length,
      "test lines": testLines,
      "test lines / source lines": (testLines / lines).toFixed(2),
      "largest folder, source files": `${filesInFolder} ${folder}`,
      "casts per 1,000 lines": casts.toFixed(1),
      "function length, median and p90": shape(functions.map((each) => each.lines)),
      "file length, median and p90": shape(sources.map((source) => source.lines)),
    },
    lists: {
      "exported names that are declared twice": findDuplicates(sources),
      [`files over ${LONGEST_FILE} lines`]: sources
        .filter((source) => source.lines > LONGEST_FILE)
        .map((source) => `${source.file} ${source.lines}`),
      [`functions over ${LONGEST_FUNCTION} lines`]: functions
        .filter((each) => each.lines > LONGEST_FUNCTION)
        .map((each) => `${each.where} ${each.lines}`),
      [`folders with more than ${LARGEST_FOLDER} source files`]: folders
        .filter(([, count]) => count > LARGEST_FOLDER)
        .map(([name, count]) => `${name} ${count}`),
      [`more than ${MOST_CASTS} casts per 1,000 lines`]: casts > MOST_CASTS ? [casts.toFixed(1)] : [],
    },
  };
}

function measureAt(revision) {
  const folder = mkdtempSync(join(tmpdir(), "planwright-figures-"));
  try {
    const archive = execFileSync("git", ["archive", revision, "src", "test"], { cwd: ROOT, maxBuffer: 1 << 28 });
    execFileSync("tar", ["-x", "-C", folder], { input: archive });
    return measure(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function print(titles, measured) {
  const [first] = measured;
  const rows = [
    ["", ...titles],
    ...Object.keys(first.figures).map((name) => [name, ...measured.map(({ figures }) => String(figures[name]))]),
    ...Object.keys(first.lists).map((name) => [name, ...measured.map(({ lists }) => String(lists[name].length))]),
  ];
  const widths = rows[0].map((_, i) => Math.max(...rows.map((row) => row[i].length)));
  for (const row of rows)
    console.log(
      row
        .map((cell, i) => cell.padEnd(widths[i]))
        .join("  ")
        .trimEnd(),
    );
  printLists(measured.at(-1));
}

function printLists({ lists }) {
  for (const [name, entries] of Object.entries(lists)) {
    if (entries.length > 0) console.log(`\n${name}\n  ${entries.join("\n  ")}`);
  }
}

const { values } = parseArgs({
  options: {
    at: { type: "string", multiple: true, default: [] },
    check: { type: "boolean", default: false },
    root: { type: "string", default: ROOT },
  },
});
if (values.check) {
  const measured = measure(values.root);
  printLists(measured);
  process.exitCode = Object.values(measured.lists).some((entries) => entries.length > 0) ? 1 : 0;
} else if (values.at.length > 0) print(values.at, values.at.map(measureAt));
else print(["now"], [measure(values.root)]);
