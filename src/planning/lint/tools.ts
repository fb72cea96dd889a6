// Which programs and scripts a check needs, and which of them cannot be there.

import { pathWithin } from "../../machine/checks/dangers.js";
import { isShell, readCommands, type ShellCommand } from "../../machine/checks/shell-words.js";

export interface ToolSource {
  hasTool(name: string): boolean;
  /** Files of the repository and files that the plan makes; nothing if not known. */
  readonly files: ReadonlySet<string> | undefined;
  /** Names of scripts such as `npm run` knows them; nothing if not known. */
  readonly scripts: ReadonlySet<string> | undefined;
}

export interface Missing {
  readonly kind: "tool" | "script";
  readonly name: string;
}

const BUILTINS: ReadonlySet<string> = new Set(
  (
    ". : [ [[ alias bg break builtin cd command continue declare dirs echo eval exec exit export false fg getopts hash " +
    "jobs kill let local printf pushd popd pwd read readonly return set shift shopt source test times trap true type " +
    "typeset ulimit umask unalias unset wait (("
  ).split(" "),
);

/** Made by a build, or by installing what the project needs: not there yet, and no reason to worry. */
const MADE = /^(node_modules|dist|build|out|target|bin|\.venv|venv|vendor|\.tox|zig-out|coverage|tmp)\//;

export function missingFor(run: string, cwd: string, around: ToolSource): Missing[] {
  const found = new Map<string, Missing>();
  let here: string | undefined = cwd;
  for (const command of readCommands(run)) {
    if (command.name === "cd") {
      const to: string = command.args[0] ?? "";
      // The value of a variable is not known here.
      here = here === undefined || to.includes("$") || to.startsWith("/") ? undefined : pathWithin(here, to);
    }
    for (const missing of [lacks(command, here, around), lacksScript(command, here, around)]) {
      if (missing) found.set(missing.name, missing);
    }
  }
  return [...found.values()];
}

const unknowable = (word: string): boolean => word === "" || /[$*?{}]/.test(word);

function lacks({ name }: ShellCommand, here: string | undefined, around: ToolSource): Missing | undefined {
  if (unknowable(name) || BUILTINS.has(name)) return undefined;
  if (!name.includes("/")) return around.hasTool(name) ? undefined : { kind: "tool", name };
  if (name.startsWith("/") || name.startsWith("~")) return around.hasTool(name) ? undefined : { kind: "tool", name };
  return lacksFile(name, here, around);
}

function lacksFile(path: string, here: string | undefined, { files }: ToolSource): Missing | undefined {
  if (files === undefined || here === undefined || unknowable(path)) return undefined;
  const full = pathWithin(here, path);
  return full === undefined || files.has(full) || MADE.test(full) || MADE.test(path.replace(/^(\.\/)+/, ""))
    ? undefined
    : { kind: "script", name: full };
}

const INTERPRETERS = /^(node|python[\d.]*|ruby|perl|php|lua|Rscript|tsx|ts-node)$/;
const RUNNERS = /^(npm|pnpm|yarn|bun)$/;

/** `node scripts/x.mjs` needs that file, `npm run x` that script. */
function lacksScript(command: ShellCommand, here: string | undefined, around: ToolSource): Missing | undefined {
  const { name, args } = command;
  if (INTERPRETERS.test(name) || isShell(name)) {
    const [first] = args;
    const isScript =
      first !== undefined && !first.startsWith("-") && /\.[a-z]{1,4}$/i.test(first) && !first.startsWith("/");
    return isScript ? lacksFile(first, here, around) : undefined;
  }
  if (!RUNNERS.test(name) || around.scripts === undefined || here !== "") return undefined;
  const script = args[0] === "run" || args[0] === "run-script" ? args[1] : args[0] === "test" ? "test" : undefined;
  if (script === undefined || script.startsWith("-") || unknowable(script) || around.scripts.has(script))
    return undefined;
  return { kind: "script", name: `${name} run ${script}` };
}
