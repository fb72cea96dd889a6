// What a plan is made for: the files of the project, how it is tested, and what its people have written down. Read
// once per process, and never changed.

import { accessSync, statSync } from "node:fs";
import { access, constants, readdir, readFile } from "node:fs/promises";
import { delimiter, join, resolve, sep } from "node:path";
import { listFiles } from "../git/files.js";
import type { Material } from "./roles/brief.js";

export interface Project {
  files(): Promise<readonly string[]>;
  /** How many lines a file of the project has; undefined if there is no such file. */
  lines(file: string): Promise<number | undefined>;
  hasTool(name: string): boolean;
  /** What `npm run` knows; undefined without a package.json. */
  scripts(): Promise<ReadonlySet<string> | undefined>;
  /** How the project is tested, as far as a program can tell. */
  commands(): Promise<readonly { readonly purpose: string; readonly run: string }[]>;
  /** Preference files, a roadmap, a research report. `roadmap`: a file of the project that is one, too. */
  materials(roadmap?: string | null): Promise<readonly Material[]>;
}

/** Without git: how deep and how much is looked at. */
const MOST_FILES = 20_000;
const SKIPPED = new Set([".git", ".planwright", "node_modules", "dist", "target", ".venv", "__pycache__"]);

const MATERIALS: readonly (readonly [file: string, name: string])[] = [
  ["AGENTS.md", "Preferences of the project (AGENTS.md): violations are findings"],
  ["CLAUDE.md", "Preferences of the project (CLAUDE.md): violations are findings"],
  [".github/copilot-instructions.md", "Preferences of the project (copilot-instructions.md): violations are findings"],
  ...["", "docs/", "specs/"].flatMap((folder) =>
    ["ROADMAP.md", "roadmap.md", "Roadmap.md"].map(
      (file) => [`${folder}${file}`, `Roadmap (${folder}${file}): for orientation`] as const,
    ),
  ),
];

/** What is longer is given in part, and that is said. */
const MATERIAL_LIMIT = 40_000;

const readText = (path: string): Promise<string | undefined> => readFile(path, "utf8").catch(() => undefined);

async function walk(root: string): Promise<string[]> {
  const found: string[] = [];
  const folders = [""];
  for (let folder = folders.pop(); folder !== undefined && found.length < MOST_FILES; folder = folders.pop()) {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) folders.push(path);
      else if (entry.isFile()) found.push(path);
    }
  }
  return found.sort();
}

function isRunnable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
};

/** `home` is where a person keeps preferences for all projects; `path` the search path for commands. */
export function surroundingsOf(root: string, home: string | undefined, path: string): Project {
  const tools = new Map<string, boolean>();
  const packageJson = once(async () => parse(await readText(join(root, "package.json"))));
  const files = once(async () => (await listFiles(root)) ?? (await walk(root)));
  const materials = once(() => readMaterials(root, home));
  const scripts = once(async () => {
    const found = await packageJson();
    return found && new Set(Object.keys((found["scripts"] as Record<string, unknown> | undefined) ?? {}));
  });
  return {
    files,
    scripts,
    hasTool: (name) => {
      let known = tools.get(name);
      if (known === undefined) {
        known = path.split(delimiter).some((folder) => folder !== "" && isRunnable(join(folder, name)));
        tools.set(name, known);
      }
      return known;
    },
    lines: async (file) => {
      const full = resolve(root, file);
      if (!full.startsWith(root + sep)) return undefined;
      const text = await readText(full);
      return text === undefined ? undefined : text.split("\n").length;
    },
    commands: once(async () => testCommands(root, await scripts())),
    materials: async (roadmap = null) => {
      const found = await materials();
      const more =
        roadmap === null
          ? undefined
          : await readMaterial(resolve(root, roadmap), `Roadmap (${roadmap}): for orientation`);
      return more && !found.some(({ text }) => text === more.text) ? [...found, more] : found;
    },
  };
}

function parse(text: string | undefined): Record<string, unknown> | undefined {
  if (text === undefined) return undefined;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** The customary command of each kind of project. */
async function testCommands(
  root: string,
  scripts: ReadonlySet<string> | undefined,
): Promise<{ purpose: string; run: string }[]> {
  const has = (file: string): Promise<boolean> =>
    access(join(root, file)).then(
      () => true,
      () => false,
    );
  const commands: { purpose: string; run: string }[] = [];
  if (scripts?.has("test")) commands.push({ purpose: "tests", run: "npm test" });
  if (await has("Cargo.toml")) commands.push({ purpose: "tests", run: "cargo test" });
  if (await has("go.mod")) commands.push({ purpose: "tests", run: "go test ./..." });
  if ((await has("pyproject.toml")) || (await has("pytest.ini"))) commands.push({ purpose: "tests", run: "pytest" });
  if (/^test:/m.test((await readText(join(root, "Makefile"))) ?? ""))
    commands.push({ purpose: "tests", run: "make test" });
  return commands;
}

async function readMaterials(root: string, home: string | undefined): Promise<Material[]> {
  const places = MATERIALS.map(([file, name]) => [join(root, file), name] as const);
  if (home !== undefined) {
    places.push([
      join(home, ".claude", "CLAUDE.md"),
      "Preferences of the person (~/.claude/CLAUDE.md): violations are findings",
    ]);
  }
  const found: Material[] = [];
  for (const [file, name] of places) {
    const material = await readMaterial(file, name);
    if (material && !found.some(({ text }) => text === material.text)) found.push(material);
  }
  return found;
}

async function readMaterial(file: string, name: string): Promise<Material | undefined> {
  const text = await readText(file);
  if (text === undefined || text.trim() === "") return undefined;
  if (text.length <= MATERIAL_LIMIT) return { name, text };
  return {
    name: `${name}, its first ${MATERIAL_LIMIT} characters of ${text.length}`,
    text: text.slice(0, MATERIAL_LIMIT),
  };
}
