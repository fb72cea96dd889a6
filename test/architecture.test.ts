// The dependency rule: which folder may import which. ARCHITECTURE.md explains it; this holds it.

import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { parseAst } from "rolldown/parseAst";
import { describe, expect, it, onTestFinished } from "vitest";
import { VERBS } from "../src/verbs/list.js";
import { SLOWEST } from "./slowest.js";

const SRC = resolve(import.meta.dirname, "../src");

const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  model: [],
  base: [],
  "machine/process": [],
  "machine/sandbox": ["model", "machine/process", "machine/git"],
  "machine/git": ["machine/process"],
  "machine/worktrees": ["model", "machine/process", "machine/sandbox", "machine/git", "machine/checks"],
  "machine/notify": ["model", "machine/process"],
  config: ["machine/git", "machine/process"],
  store: ["model"],
  "machine/checks": ["model", "machine/process"],
  "machine/agents": ["machine/process"],
  plan: ["model", "store", "machine/git", "machine/checks"],
  planning: ["model", "store", "plan", "machine/agents", "machine/git", "machine/checks"],
  engine: ["model", "store", "plan", "machine"],
  exchange: ["model", "store", "machine"],
  verbs: ["model", "store", "plan", "planning", "engine", "exchange", "machine", "config"],
  "doors/cli": ["verbs", "model", "doors"],
  "doors/http": ["verbs", "model", "doors"],
  "doors/mcp": ["verbs", "model", "doors"],
  doors: ["verbs", "model"],
};

/** Of these, doors may import types. */
const TYPES_FOR_DOORS = new Set(["config", "planning", "engine"]);

/** Composition roots and entry points: they know every folder and are imported by nobody. */
const ROOTS = new Set(["main.ts", "bin.ts", "code-cache.ts", "index.ts"]);

/** What opens a file and waits if it is a pipe. */
const OPENS =
  /^import \{[^}]*\b(?:readFileSync|readFile|openSync|open|createReadStream|copyFileSync|copyFile)\b[^}]*\} from "node:fs/m;

/** These may open files with it. Others cannot put a pipe there, or you can and mean it. */
const MAY_WAIT: Readonly<Record<string, string>> = {
  "base/plain-file.ts": "looks what it is before it reads",
  "code-cache.ts": "reads the program's own files and its cache, before anything else is loaded",
  "verbs/hosts/hosts.ts": "reads the program's own files",
  "doors/http/static-files.ts": "reads the program's own files",
  "verbs/terminal/read-text.ts": "you named the file, and `<(command)` is a pipe",
  "verbs/plan/start.ts": "you named the file, and it is looked at first",
  "machine/process/group.ts": "reads /proc",
  "machine/process/scrub-environment.ts": "reads /proc",
  "machine/git/working-tree.ts": "copies an index after a look at what it is",
  "machine/git/checkouts/half-move.ts": "copies a file that it has just written",
  "engine/tick/background.ts": "opens and copies the daemon's own log",
  "planning/roles/reading-folder.ts": "copies a file after a look at what it is",
  "store/open/create.ts": "makes the database",
  "store/open/side-files.ts": "makes a copy of the database",
  "store/dialects/sqlite/replace-file.ts": "copies the database, which SQLite has opened",
  "store/past/kept-states.ts": "copies databases that it has made",
};

interface Import {
  readonly file: string;
  readonly from: string;
  readonly to: string;
  readonly typeOnly: boolean;
}

const sources = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter(
  (file) => file.endsWith(".ts") && !/\.(test|suite|d)\.ts$/.test(file),
);

const folderOf = (file: string): string => {
  const [first = "", second = ""] = dirname(file).split("/");
  return second !== "" && (first === "doors" || first === "machine") ? `${first}/${second}` : first;
};

const IMPORT = /^(?:import|export)\s+(type\s+)?([^;]*?)from\s+"([^"]+)"|import\("([^"]+)"\)/gm;

const onlyTypes = (clause: string): boolean => {
  const names = /\{([^}]*)\}/.exec(clause)?.[1];
  return names !== undefined && names.split(",").every((name) => name.trim() === "" || name.trim().startsWith("type "));
};

const imports = sources.flatMap((file): Import[] =>
  [...readFileSync(join(SRC, file), "utf8").matchAll(IMPORT)].map(([, type, clause = "", path, dynamic]) => {
    const to = (path ?? dynamic) as string;
    return { file, from: folderOf(file), to, typeOnly: type !== undefined || onlyTypes(clause) };
  }),
);

const targetOf = ({ file, to }: Import): string => folderOf(relative(SRC, resolve(SRC, dirname(file), to)));

function mayImport(entry: Import): boolean {
  if (ROOTS.has(entry.file)) return true;
  if (!entry.to.startsWith(".")) return entry.from !== "model";
  const target = targetOf(entry);
  if (target === entry.from) return true;
  if (target === "base") return entry.from !== "model";
  if (entry.from.startsWith("doors/") && entry.typeOnly && TYPES_FOR_DOORS.has(target)) return true;
  const allowed = MAY_IMPORT[entry.from] ?? [];
  return allowed.includes(target) || allowed.includes(target.split("/", 1)[0] as string);
}

describe("the dependency rule", () => {
  it("reads the imports of every source file", () => {
    expect(sources.length).toBeGreaterThan(30);
    expect(imports.length).toBeGreaterThan(sources.length);
  });

  it("knows every folder", () => {
    const folders = new Set(sources.filter((file) => !ROOTS.has(file)).map(folderOf));
    expect([...folders].filter((folder) => !(folder in MAY_IMPORT))).toEqual([]);
  });

  it("is kept by every import", () => {
    const broken = imports.filter((entry) => !mayImport(entry)).map(({ file, to }) => `${file} imports ${to}`);
    expect(broken).toEqual([]);
  });

  it("lets no group of folders import each other in a circle, not even for a type", () => {
    const importedBy = new Map<string, Set<string>>();
    for (const { file, to } of imports.filter((each) => each.to.startsWith("."))) {
      const [from, target] = [dirname(file), dirname(relative(SRC, resolve(SRC, dirname(file), to)))];
      if (from !== target && from !== ".") importedBy.set(from, (importedBy.get(from) ?? new Set()).add(target));
    }
    const reachable = (folder: string): Set<string> => {
      const seen = new Set<string>();
      const look = (at: string): void => {
        for (const next of importedBy.get(at) ?? [])
          if (!seen.has(next)) {
            seen.add(next);
            look(next);
          }
      };
      look(folder);
      return seen;
    };
    const reach = new Map([...importedBy.keys()].map((folder) => [folder, reachable(folder)]));
    const groups = [...reach.keys()]
      .filter((folder) => reach.get(folder)?.has(folder))
      .map((folder) =>
        [...reach.keys()].filter((other) => reach.get(folder)?.has(other) && reach.get(other)?.has(folder)),
      );
    expect([...new Set(groups.map((group) => group.sort().join(", ")))].sort()).toEqual([]);
  });

  it("lets the page run nothing of the program but pure functions of the model", () => {
    const BOARD = resolve(SRC, "../board/src");
    const files = readdirSync(BOARD, { recursive: true, encoding: "utf8" }).filter((file) => /\.tsx?$/.test(file));
    const running = files.flatMap((file) =>
      [...readFileSync(join(BOARD, file), "utf8").matchAll(IMPORT)]
        .filter(([, type, clause = ""]) => type === undefined && !onlyTypes(clause))
        .map(([, , , path, dynamic]) => relative(SRC, resolve(BOARD, dirname(file), (path ?? dynamic) as string)))
        .filter((target) => !target.startsWith("../") && !target.startsWith("model/"))
        .map((target) => `${file} imports ${target}`),
    );
    expect(running).toEqual([]);
  });

  it("lets only doors and terminals write to the terminal", () => {
    const loud = sources.filter(
      (file) =>
        !file.startsWith("doors/") &&
        !file.startsWith("verbs/terminal/") &&
        file !== "verbs/kit/output.ts" &&
        !ROOTS.has(file) &&
        /\bconsole\.|process\.(stdout|stderr)\b/.test(readFileSync(join(SRC, file), "utf8")),
    );
    expect(loud).toEqual([]);
  });

  it("lets nobody but the roots and the configuration read the environment", () => {
    const readers = sources.filter(
      (file) =>
        !file.startsWith("config/") &&
        !ROOTS.has(file) &&
        // Hands it on to children as it is, and looks at nothing in it.
        file !== "machine/process/environment.ts" &&
        /process\.env\b/.test(readFileSync(join(SRC, file), "utf8")),
    );
    expect(readers).toEqual([]);
  });

  it("lets nobody wait for a pipe that stands where a file should be", () => {
    const opening = sources.filter((file) => !(file in MAY_WAIT) && OPENS.test(readFileSync(join(SRC, file), "utf8")));
    // Read with `base/plain-file.ts` instead.
    expect(opening).toEqual([]);
    const gone = Object.keys(MAY_WAIT).filter((file) => !OPENS.test(readFileSync(join(SRC, file), "utf8")));
    expect(gone).toEqual([]);
  });

  it("lets no message name a command that removes anything", () => {
    const DESTRUCTIVE =
      /planwright (drop|waive|replan|unapprove)\b(?! --help)|planwright archive (?![^`]*--restore)|--force|\brm -/;
    // What a command's own help explains is not a message.
    const messages = (file: string): string =>
      readFileSync(join(SRC, file), "utf8").replace(
        /\n {2}(description|examples):[\s\S]*?(?=\n {2}\w+:|\n {2}run)/g,
        "",
      );
    const naming = sources
      .filter((file) => DESTRUCTIVE.test(messages(file)))
      .filter((file) => !/commands\/(drop|waive|replan|unapprove|archive)\.ts$/.test(file));
    expect(naming).toEqual([]);
  });
});

describe("the doors", () => {
  /** Words that are equal to a verb's name and mean something else. */
  const OTHER_WORDS: Readonly<Record<string, readonly string[]>> = {
    // The field of an answer that says what to do next.
    "doors/http/open-api.ts": ["next"],
    // The kind of event that tells of a check.
    "doors/mcp/server.ts": ["check"],
  };

  interface Parsed {
    readonly type?: string;
    readonly value?: unknown;
  }

  /** Every text in the code, wherever it stands. */
  const textsIn = (node: unknown): string[] => {
    if (typeof node !== "object" || node === null) return [];
    const { type, value } = node as Parsed;
    const own = type === "Literal" ? value : type === "TemplateElement" ? (value as { cooked?: unknown }).cooked : null;
    return [...(typeof own === "string" ? [own] : []), ...Object.values(node).flatMap(textsIn)];
  };

  it("mention no verb by name: what they need to know of one is a fact that it declares", () => {
    const names = new Set<string>(Object.keys(VERBS));
    expect(names.size).toBeGreaterThan(50);
    const doors = sources.filter((file) => file.startsWith("doors/") || file === "main.ts" || file === "index.ts");
    const found = doors.map((file): [string, string[]] => [
      file,
      textsIn(parseAst(readFileSync(join(SRC, file), "utf8"), { lang: "ts" })).filter((text) => names.has(text)),
    ]);
    expect(Object.fromEntries(found.filter(([, texts]) => texts.length > 0))).toEqual(OTHER_WORDS);
  });
});

describe("the rule of git", () => {
  const textOf = (file: string): string => readFileSync(join(SRC, file), "utf8");

  it("holds for every git: others start none, and none waits for a pipe", () => {
    const starting = sources.filter((file) => /command(:| =) "git"|\bgitProgram\(/.test(textOf(file)));
    // One asks only for commits, and obeys nothing.
    expect(starting).toEqual(["machine/git/ask-git.ts", "machine/git/pipes.ts", "machine/git/program.ts"]);
    // A commit of a plan document is made as its user would make it; the copy of the user's settings comes before the rule.
    const allowed = ["machine/git/files.ts", "machine/git/git.ts", "machine/git/safe-config.ts"];
    expect(sources.filter((file) => /(?<!function )\brunGit\(/.test(textOf(file))).sort()).toEqual(allowed);
  });

  it("lets no git look into a submodule", () => {
    expect(
      sources.filter((file) => /--ignore-submodules=(none|untracked)|--recurse-submodules/.test(textOf(file))),
    ).toEqual([]);
    // No option keeps `git add` from looking, so only one module adds, with the submodules left out.
    const withoutComments = (file: string): string => textOf(file).replaceAll(/\/\/.*|\/\*\*.*|^ \*.*/gm, "");
    const adding = sources.filter((file) => /\bgit add |"add", "--all"/.test(withoutComments(file)));
    expect(adding).toEqual(["machine/git/change-set.ts"]);
  });
});

describe("the tests", () => {
  const tests = ["src", "test", "board"].flatMap((folder) =>
    readdirSync(resolve(SRC, "..", folder), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".ts"))
      .map((file) => `${folder}/${file}`),
  );

  it("are skipped only with a reason: see test/needs.ts", () => {
    const SKIPS = /\b(?:it|test|describe|suite)\.(?:skipIf|runIf|skip|todo|only)\b/;
    const bare = tests
      // Tests of real agents have it in their names.
      .filter((file) => !file.startsWith("test/agents/"))
      .filter((file) => SKIPS.test(readFileSync(resolve(SRC, "..", file), "utf8")));
    expect(bare).toEqual([]);
  });
});

describe("the pass over the tests without bubblewrap", () => {
  it("cannot miss a file that only looks for bubblewrap: one module does, and starts what it finds", () => {
    const naming = sources.filter((file) => readFileSync(join(SRC, file), "utf8").includes('"bwrap"'));
    expect(naming).toEqual(["machine/sandbox/sandbox.ts"]);
  });
});

describe("the whole check", () => {
  /** On a machine with nothing but this `bwrap`, where the first part fails because there is no npm. */
  function check(bwrap: string | undefined, env: Readonly<Record<string, string>>): string {
    const path = mkdtempSync(join(tmpdir(), "planwright-check-test-"));
    onTestFinished(() => rmSync(path, { recursive: true, force: true }));
    if (bwrap !== undefined) writeFileSync(join(path, "bwrap"), bwrap, { mode: 0o755 });
    const script = resolve(SRC, "../scripts/check.mjs");
    const options = { env: { PATH: path, ...env }, encoding: "utf8", timeout: 60_000 } as const;
    const { status, stdout, stderr } = spawnSync(process.execPath, [script], options);
    expect(status).toBe(1);
    return stdout + stderr;
  }

  it.each([
    ["is missing", undefined, "bwrap ENOENT"],
    ["is forbidden", "#!/bin/sh\necho 'bwrap: No permissions' >&2\nexit 1\n", "bwrap: No permissions"],
  ])("cannot pass in CI where bubblewrap %s, and goes on elsewhere", (_, bwrap, said) => {
    const refused = check(bwrap, { PLANWRIGHT_TEST_NEEDS: "bubblewrap" });
    expect(refused).toContain("This run needs bubblewrap (PLANWRIGHT_TEST_NEEDS), and it does not work here");
    expect(refused).toContain(said);
    expect(refused).not.toContain("— format");
    expect(check(bwrap, {})).toContain("— format");
  });

  it("is told by CI what it needs", () => {
    expect(readFileSync(resolve(SRC, "../.ci/run"), "utf8")).toContain("export PLANWRIGHT_TEST_NEEDS=bubblewrap\n");
  });
});

describe("the order of the tests", () => {
  it("names only files that are there", () => {
    expect(SLOWEST.filter((file) => !existsSync(resolve(SRC, "..", file)))).toEqual([]);
  });
});

const FIGURES = resolve(import.meta.dirname, "../scripts/figures.mjs");

const checkFigures = (...flags: readonly string[]): { status: number | null; printed: string } => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [FIGURES, "--check", ...flags], { encoding: "utf8" });
  return { status, printed: stdout + stderr };
};

describe("the limits on size and names", () => {
  it("are kept by the source", () => {
    expect(checkFigures()).toEqual({ status: 0, printed: "" });
  });

  it("are checked: a name that is declared twice, a long file, a long function, and a full folder", () => {
    const root = mkdtempSync(join(tmpdir(), "planwright-figures-"));
    onTestFinished(() => rmSync(root, { recursive: true, force: true }));
    for (const folder of ["src/full", "test"]) mkdirSync(join(root, folder), { recursive: true });
    for (let i = 0; i < 26; i++) writeFileSync(join(root, `src/full/part-${i}.ts`), `export const part${i} = ${i};\n`);
    writeFileSync(join(root, "src/one.ts"), "export const twice = 1;\n");
    writeFileSync(join(root, "src/two.ts"), "export interface twice {}\n");
    writeFileSync(join(root, "src/long.ts"), `export function long() {\n${"  work();\n".repeat(400)}}\n`);
    const { status, printed } = checkFigures("--root", root);
    expect(status).toBe(1);
    expect(printed).toContain("twice (one.ts, two.ts)");
    expect(printed).toContain("src/full 26");
    expect(printed).toContain("src/long.ts 402");
    expect(printed).toContain("src/long.ts:1 402");
  });
});
