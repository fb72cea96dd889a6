// What a plan is made for: the files of the project, how it is tested, and what its people have written down. The files are
// those of one commit where there is one, because workers begin with commits, too. What people wrote down for planners is read
// from the folder as it is. Nothing is ever changed.

import { readdir } from "node:fs/promises";
import { join, posix, relative, resolve, sep } from "node:path";
import { isRecord } from "../base/json.js";
import { isInside } from "../base/paths.js";
import { findPlainFile } from "../base/plain-file.js";
import { changedFiles, fileAt, filesAt, listFiles } from "../machine/git/files.js";
import { findRepository } from "../machine/git/repository.js";

/** A text of the person or the project that a plan has to respect. */
export interface Material {
  readonly name: string;
  readonly text: string;
}

export type Project = ReturnType<typeof surroundingsOf>;

/** Without git: how deep and how much is looked at. */
const MAX_FILES = 20_000;

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

export async function walkFolder(root: string): Promise<string[]> {
  const found: string[] = [];
  const folders = [""];
  for (let folder = folders.pop(); folder !== undefined && found.length < MAX_FILES; folder = folders.pop()) {
    const entries = await readdir(join(root, folder), { withFileTypes: true }).catch(() => []);
    for (const entry of entries) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.isDirectory() && !SKIPPED.has(entry.name)) folders.push(path);
      else if (entry.isFile()) found.push(path);
    }
  }
  return found.sort();
}

const once = <T>(make: () => Promise<T>): (() => Promise<T>) => {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
};

interface Source {
  list(): Promise<readonly string[]>;
  read(file: string): Promise<string | undefined>;
}

const folderSource = (root: string): Source => ({
  list: async () => (await listFiles(root)) ?? (await walkFolder(root)),
  read: async (file) => {
    const full = resolve(root, file);
    return isInside(full, root) ? findPlainFile(full) : undefined;
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

interface ProjectSource {
  readonly root: string;
  readonly home: string | undefined;
  /** Whether a program is installed here. */
  readonly hasTool: (name: string) => boolean;
  /** The commit to read, and the working tree that has it checked out; without it the folder is read. */
  readonly at?: { readonly commit: string; readonly checkout: string };
}

export function surroundingsOf({ root, home, hasTool, at }: ProjectSource) {
  const source = at ? commitSource(root, at.commit) : folderSource(root);
  const files = once(() => source.list());
  const packageJson = once(async () => parse(await source.read("package.json")));
  const materials = once(async () => readMaterials(root, home));
  const scripts = once(async (): Promise<ReadonlySet<string> | undefined> => {
    const found = await packageJson();
    return found && new Set(Object.keys((found["scripts"] as Record<string, unknown> | undefined) ?? {}));
  });
  return {
    /** The commit whose files these are; null if they are those of the folder, as they are now. */
    commit: at?.commit ?? null,
    files,
    /** Files of your checkout that differ from the commit: no role sees them. */
    unseen: once(async (): Promise<readonly string[]> => {
      const changed = at ? await changedFiles(at.checkout, at.commit, ["."]) : [];
      return (changed ?? []).filter((file) => !READ_FROM_FOLDER.has(file));
    }),
    /** What `npm run` knows; undefined without a package.json. */
    scripts,
    hasTool,
    /** How many lines a file of the project has; undefined if there is no such file. */
    lines: async (file: string): Promise<number | undefined> => (await source.read(file))?.split("\n").length,
    /** How the project is tested, as far as a program can tell. */
    commands: once(async () => testCommands(source, new Set(await files()), await scripts())),
    /** Preference files, a roadmap, a research report. `roadmap`: a file of the project that is one, too. */
    materials: async (roadmap: string | null = null): Promise<readonly Material[]> => {
      const found = await materials();
      const more =
        roadmap === null ? undefined : readMaterial(resolve(root, roadmap), `Roadmap (${roadmap}): for orientation`);
      return more && !found.some(({ text }) => text === more.text) ? [...found, more] : found;
    },
  };
}

function parse(text: string | undefined): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text ?? "");
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

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

function readMaterials(root: string, home: string | undefined): Material[] {
  const places = MATERIALS.map(([file, name]) => [join(root, file), name] as const);
  if (home !== undefined) {
    places.push([
      join(home, ".claude", "CLAUDE.md"),
      "Preferences of the person (~/.claude/CLAUDE.md): violations are findings",
    ]);
  }
  const found = places.flatMap(([file, name]) => readMaterial(file, name) ?? []);
  return found.filter(({ text }, at) => found.findIndex((each) => each.text === text) === at);
}

function readMaterial(file: string, name: string): Material | undefined {
  const text = findPlainFile(file);
  if (text === undefined || text.trim() === "") return undefined;
  if (text.length <= MATERIAL_LIMIT) return { name, text };
  const part = `${name}, its first ${MATERIAL_LIMIT} characters of ${text.length}`;
  return { name: part, text: text.slice(0, MATERIAL_LIMIT) };
}
