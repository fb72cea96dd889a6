// The files on the path of a check's command: those that it names, and those that the package scripts behind it start.

import type { Check } from "../node/node.js";

/** Commands that only look at the files that they name: these are the work, not its judge. */
const LOOKING = /^\s*(?:!\s*)?(test|\[|grep|cat|ls|wc|head|tail|stat)\s/;

const commandsOf = (text: string): string[] => text.split(/&&|\|\||[;|&\n]/);

const wordsOf = (command: string): string[] => command.split(/[\s"'`=()<>]+/).filter((word) => word !== "");

const clean = (path: string): string => path.replace(/^(?:\.\/)+/, "").replace(/(?<!\/)\/+$/, "");

const inFolder = (folder: string, path: string): string =>
  folder === "" || folder === "." ? clean(path) : `${folder}/${clean(path)}`;

/** The commands of a check, each with the folder that it runs in. */
function* placedCommands({ run, cwd = "" }: Check): Iterable<{ readonly command: string; readonly folder: string }> {
  let folder = clean(cwd);
  for (const command of commandsOf(run)) {
    const [first, to] = wordsOf(command);
    if (first === "cd" && to !== undefined) folder = inFolder(folder, to);
    yield { command, folder };
  }
}

/**
 * The words of a command that may be files, relative to the top: `node scripts/check.mjs`. `programs`: without those that
 * are only looked at, as in `grep -q usage README.md`.
 */
export function namedFiles(check: Check, which: "all" | "programs"): string[] {
  const found = [...placedCommands(check)].filter(({ command }) => which === "all" || !LOOKING.test(command));
  return found.flatMap(({ command, folder }) => [
    ...wordsOf(command).map((word) => inFolder(folder, word.replace(/::.*$/, ""))),
    ...modulesIn(command).map((path) => inFolder(folder, path)),
  ]);
}

/** `python -m tools.check` starts one of these. */
function modulesIn(command: string): string[] {
  const words = wordsOf(command);
  const python = words.findIndex((word) => /(?:^|\/)python[\d.]*$/.test(word));
  const name = python < 0 ? undefined : words[words.indexOf("-m", python) + 1];
  if (name === undefined || !words.includes("-m", python) || !/^[\w.]+$/.test(name)) return [];
  const path = name.replaceAll(".", "/");
  return [`${path}.py`, `${path}/__init__.py`, `${path}/__main__.py`];
}

/** Where the package files are whose scripts the checks may run. */
export const packageFolders = (checks: readonly Check[]): string[] => [
  ...new Set(checks.flatMap((check) => [...placedCommands(check)].map(({ folder }) => folder))),
];

type Scripts = Readonly<Record<string, unknown>>;

const RUNNER = /^(?:npm|pnpm|yarn|bun)$/;

/** The scripts that a command starts, with those before and after them. */
function scriptNames(command: string): string[] {
  const [runner = "", ...rest] = wordsOf(command);
  if (!RUNNER.test(runner)) return [];
  const said = rest.find((word) => !word.startsWith("-") && word !== "run" && word !== "run-script");
  const name = said === "t" || said === "tst" ? "test" : said;
  return name === undefined ? [] : [`pre${name}`, name, `post${name}`];
}

const PROGRAM =
  /(?:^|\s)(?:node|sh|bash|zsh|dash|python[\d.]*|ruby|perl|php|deno|bun|tsx|ts-node|source|\.)\s+(?:-\S+\s+)*([^\s-]\S*)/g;

/** Options by which a runner takes its settings, or loads a file before the tests. */
const SETTINGS =
  /\s(?:-[crp]|--(?:config|config-file|configuration|rcfile|opts|project|preset|require|import|loader|setup))(?:\s+|=)([^\s-]\S*)/g;

/** The files that a script starts as programs, or that steer these. What it only compiles or reads is the work. */
const programsIn = (command: string): string[] => [
  ...[PROGRAM, SETTINGS].flatMap((named) =>
    [...command.matchAll(named)].map(([, file = ""]) => file.replaceAll(/["']/g, "")),
  ),
  ...wordsOf(command).filter((word, i) => i === 0 && word.includes("/")),
];

/** `scriptsIn`: the scripts of the package in a folder, as the commit has them that the work began from. */
export function scriptPrograms(checks: readonly Check[], scriptsIn: (folder: string) => Scripts): string[] {
  const programs = new Set<string>();
  const visit = (command: string, folder: string, seen: ReadonlySet<string>): void => {
    const scripts = scriptsIn(folder);
    for (const name of scriptNames(command).filter((each) => !seen.has(each))) {
      const text = Object.hasOwn(scripts, name) ? scripts[name] : undefined;
      if (typeof text !== "string") continue;
      for (const inner of commandsOf(text)) {
        for (const file of programsIn(inner)) programs.add(inFolder(folder, file));
        visit(inner, folder, new Set([...seen, name]));
      }
    }
  };
  for (const check of checks)
    for (const { command, folder } of placedCommands(check)) visit(command, folder, new Set());
  return [...programs];
}
