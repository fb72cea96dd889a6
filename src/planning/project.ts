// What a plan is made for: the files of the project, how it is tested, and what its people have written down. The files are
// those of one commit where there is one, because workers begin with commits, too. What people wrote down for planners is read
// from the folder as it is. Nothing is ever changed.

import { accessSync, statSync } from "node:fs";
import { constants, readdir } from "node:fs/promises";
import { delimiter, join, posix, relative, resolve, sep } from "node:path";
import { findPlainFile } from "../base/plain-file.js";
import { changedFiles, fileAt, filesAt, listFiles } from "../machine/git/files.js";
import { findRepository } from "../machine/git/repository.js";

/** A text of the person or the project that a plan has to respect. */
export interface Material {
  readonly name: string;
  readonly text: string;
}

export interface Project {
  /** The commit whose files these are; null if they are those of the folder, as they are now. */
  readonly commit: string | null;
  files(): Promise<readonly string[]>;
  /** Files of your checkout that differ from the commit: no role sees them. */
  unseen(): Promise<readonly string[]>;
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

/** Read from the folder, whatever the commit has: the texts above, and the settings of this program. */
const READ_FROM_FOLDER: ReadonlySet<string> = new Set(["planwright.json", ...MATERIALS.map(([file]) => file)]);

/** What is longer is given in part, and that is said. */
const MATERIAL_LIMIT = 40_000;

const readText = async (path: string): Promise<string | undefined> => findPlainFile(path);

export async function walkFolder(root: string): Promise<string[]> {
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

/** Where the files of a project come from. */
interface Source {
  list(): Promise<readonly string[]>;
  /** Undefined if there is no such file. */
  read(file: string): Promise<string | undefined>;
}

const folderSource = (root: string): Source => ({
  list: async () => (await listFiles(root)) ?? (await walkFolder(root)),
  read: async (file) => {
    const full = resolve(root, file);
    return full.startsWith(root + sep) ? readText(full) : undefined;
  },
});

/** A workspace may be a folder of its repository, and git names files from the top. */
function commitSource(root: string, commit: string): Source {
  const prefix = relative(findRepository(root)?.top ?? root, root)
    .split(sep)
    .join("/");
  const list = once(() => filesAt(root, commit));
  const names = once(async () => new Set(await list()));
  return {
    list,
    read: async (file) => {
      const path = posix.normalize(file);
      // Of a folder, git would show a list.
      if (!(await names()).has(path)) return undefined;
      return (await fileAt(root, commit, posix.join(prefix, path))) ?? undefined;
    },
  };
}

interface ProjectPlace {
  readonly root: string;
  /** Where a person keeps preferences for all projects. */
  readonly home: string | undefined;
  /** The search path for commands. */
  readonly path: string;
  /** The commit to read, and the working tree that has it checked out; without it the folder is read. */
  readonly at?: { readonly commit: string; readonly checkout: string };
}

export function surroundingsOf({ root, home, path, at }: ProjectPlace): Project {
  const tools = new Map<string, boolean>();
  const source = at ? commitSource(root, at.commit) : folderSource(root);
  const files = once(() => source.list());
  const packageJson = once(async () => parse(await source.read("package.json")));
  const materials = once(() => readMaterials(root, home));
  const scripts = once(async () => {
    const found = await packageJson();
    return found && new Set(Object.keys((found["scripts"] as Record<string, unknown> | undefined) ?? {}));
  });
  return {
    commit: at?.commit ?? null,
    files,
    unseen: once(async () => {
      const changed = at ? await changedFiles(at.checkout, at.commit, ["."]) : [];
      return (changed ?? []).filter((file) => !READ_FROM_FOLDER.has(file));
    }),
    scripts,
    hasTool: (name) => {
      let known = tools.get(name);
      if (known === undefined) {
        known = path.split(delimiter).some((folder) => folder !== "" && isRunnable(join(folder, name)));
        tools.set(name, known);
      }
      return known;
    },
    lines: async (file) => (await source.read(file))?.split("\n").length,
    commands: once(async () => testCommands(source, new Set(await files()), await scripts())),
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
  source: Source,
  files: ReadonlySet<string>,
  scripts: ReadonlySet<string> | undefined,
): Promise<{ purpose: string; run: string }[]> {
  const makefile = files.has("Makefile") ? await source.read("Makefile") : undefined;
  const known: readonly (readonly [is: boolean | undefined, run: string])[] = [
    [scripts?.has("test"), "npm test"],
    [files.has("Cargo.toml"), "cargo test"],
    [files.has("go.mod"), "go test ./..."],
    [files.has("pyproject.toml") || files.has("pytest.ini"), "pytest"],
    [/^test:/m.test(makefile ?? ""), "make test"],
  ];
  return known.flatMap(([is, run]) => (is ? [{ purpose: "tests", run }] : []));
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
