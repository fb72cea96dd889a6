// Commands in a spec that can serve as checks: from fences of a shell, and from `Check: …` in an item. What installs,
// publishes, removes or never ends is no check by itself.
//
// Also the files and symbols that the words of a spec name in back-ticks. Nothing is guessed: a task without a named file
// has none.

import type * as z from "zod";
import { dangerIn } from "../../machine/checks/dangers.js";
import { repositoryPath } from "../contracts/common.js";
import type { PlannedFile } from "../contracts/maps.js";
import { draftCheck } from "../contracts/plan-draft.js";
import type { Fence } from "../spec/spec.js";

export type DraftCheck = z.infer<typeof draftCheck>;

const SHELL = /^(?:sh|bash|shell|zsh|console|terminal|shell-?session|command)$/;

const PREPARES =
  /^(?:cd|export|source|set|unset|alias|\.|[A-Z_][A-Z0-9_]*=\S*$|(?:npm|pnpm|yarn|bun) (?:ci|i|install|add)\b|(?:pip3?|uv|poetry|bundle|composer|brew|apt(?:-get)?|cargo|go|gem|apk|dnf)\s+(?:-\S+\s+)*(?:install|add|sync|get|update)\b|git (?:clone|checkout|pull)\b|mkdir|cp|touch)/;
const ENDLESS =
  /\b(?:npm|pnpm|yarn|bun)\s+(?:run\s+)?(?:start|dev|serve|watch)\b|--watch\b|\bdocker[ -]compose up\b(?!.*\s-d\b)|\btail -f\b|\b(?:flask|rails|php artisan) (?:run|server|s|serve)\b|\bhttp\.server\b|\bnodemon\b|&\s*$/;
const CHANGES_THE_WORLD =
  /\bsudo\b|\brm\s+-\w*[rf]|\bgit\s+(?:push|reset|clean)\b|\b(?:npm|pnpm|yarn|cargo|gem|twine)\s+(?:publish|push|upload)\b|\bkubectl\s+(?:apply|delete)\b|\bterraform\s+(?:apply|destroy)\b|\bhelm\s+(?:install|upgrade|uninstall)\b|\bdrop\s+(?:table|database)\b|\|\s*(?:ba|z)?sh\b|\bmake\s+(?:install|deploy|publish|release|uninstall)\b|\bmkfs\b|\bdd\s+if=|\bshutdown\b|\breboot\b/i;
/** What goes over several lines cannot be put into one. */
const BLOCK = /<<|(?:\b(?:do|then|else)|[{(]|&&|\|\|?)\s*$|^\s*(?:if|for|while|case|function|done|fi|esac)\b|^\s*[})]/;
const PLACEHOLDER = /<[a-zA-Z][\w -]*>|\[[A-Za-z_][\w -]*\]|\.\.\.|…/;

const isSafe = (command: string): boolean =>
  !ENDLESS.test(command) && !CHANGES_THE_WORLD.test(command) && dangerIn(command) === undefined;

const isShell = ({ language, code }: Fence): boolean =>
  SHELL.test(language) || (["", "text", "txt"].includes(language) && /^\s*\$ \S/.test(code));

/** With `$ ` before the commands, the other lines are what they print. */
function stepsOf(code: string): { command: string; output: string[] }[] {
  const lines = code.replaceAll(/\\\n\s*/g, " ").split("\n");
  const isPrompted = lines.some((line) => /^\s*[$%] \S/.test(line));
  const steps: { command: string; output: string[] }[] = [];
  for (const line of lines.filter((each) => each.trim() !== "")) {
    const command = (isPrompted ? /^\s*[$%] (\S.*)$/ : /^\s*([^\s#].*)$/).exec(line)?.[1];
    if (command !== undefined) steps.push({ command: command.trim().replace(/(?<!\s)\s+#\s.*$/, ""), output: [] });
    else if (isPrompted) steps.at(-1)?.output.push(line.trim());
  }
  return steps;
}

/** Whether all quotation marks are closed; an apostrophe inside of a double-quoted text is fine. */
const isBalanced = (command: string): boolean =>
  ['"', "'", "`"].every((sign) => command.replaceAll(/\\./g, "").split(sign).length % 2 === 1) ||
  /^[^']*"[^"]*"[^']*$/.test(command);

/** `expected`: the first line of what it prints. */
function checkOf(command: string, expected?: string): DraftCheck[] {
  if (PLACEHOLDER.test(command) || !isBalanced(command)) return [];
  const isPlain =
    expected !== undefined && expected.length <= 200 && !PLACEHOLDER.test(expected) && !/^exit \d/.test(expected);
  const { success, data } = draftCheck.safeParse(isPlain ? { run: command, expect: expected } : { run: command });
  return success ? [data] : [];
}

/** The checks in a fence; none if it is work or no shell, or holds anything that a check must not do. */
export function fenceChecks(fence: Fence): DraftCheck[] {
  if (fence.isWork || !isShell(fence)) return [];
  const steps = stepsOf(fence.code);
  if (steps.length === 0 || steps.some(({ command }) => !isSafe(command) || BLOCK.test(command))) return [];
  if (steps.every(({ command }) => PREPARES.test(command))) return [];
  // A step that prepares the next ones only works in the same shell.
  if (steps.some(({ command }) => PREPARES.test(command))) {
    const run = steps.map(({ command }) => command).join(" && ");
    return checkOf(run, steps.at(-1)?.output[0]);
  }
  return steps.flatMap(({ command, output }) => checkOf(command, output[0])).slice(0, 20);
}

const LABELLED =
  /\b(?:checks?|verify|verified|verification|acceptance|accepted when|prove|proof|tested|test)\s*(?:(?:with|by|using|via)\s*)?(?:(?::\**|\*+)\s*)?`([^`\n]{1,2000})`/gi;
const TOOLS =
  /^(?:npm|npx|pnpm|yarn|bun|bunx|deno|node|make|just|cargo|go|pytest|python3?|tox|nox|uv|poetry|mvn|gradle|\.\/\S+|bash|sh|dotnet|bundle|rake|rspec|mix|swift|phpunit|composer|ctest|cmake|bazel|docker|curl|grep|test|\[|cat|ls|diff|cmp|jq|head|echo|printf|true|git|find|wc|sed|awk|sqlite3|psql|cd|jest|vitest|mocha|ruff|mypy|eslint|tsc|biome|shellcheck|golangci-lint|terraform|helm|kubectl)(?:\s|$)/;

/** Whether a command starts with a tool that people have, rather than with what is being built. */
export const startsWithTool = (command: string): boolean => TOOLS.test(command) || PREPARES.test(command);

/** `Check: \`npm test\`` and the like in the words of an item. */
export const labelledChecks = (text: string): DraftCheck[] =>
  Array.from(text.matchAll(LABELLED), ([, command = ""]) => command.trim())
    .filter((command) => isSafe(command) && (command.includes(" ") || TOOLS.test(command)))
    .flatMap((run) => checkOf(run));

/** Commands in back-ticks, where a section is about checking: each starts with a tool that is known. */
export const toolCommands = (text: string): DraftCheck[] =>
  Array.from(text.matchAll(/`([^`\n]{1,500})`/g), ([, command = ""]) => command.trim())
    .filter((command) => TOOLS.test(command) && isSafe(command) && !PREPARES.test(command))
    .flatMap((run) => checkOf(run));

/** A sentence that is little more than its commands: "Run `make test`." */
export function isCommandLine(text: string): boolean {
  const others = text
    .replaceAll(/`[^`]*`/g, "")
    .split(/\s+/)
    .filter((word) => word.length > 3);
  return others.length < 8 && toolCommands(text).length > 0;
}

/** Each command once, at most as many as a task may have. */
export const distinctChecks = (checks: readonly DraftCheck[]): DraftCheck[] =>
  [...new Map(checks.toReversed().map((check) => [check.run, check])).values()].toReversed().slice(0, 20);

const EXTENSION =
  /\.(?:[cm]?[jt]sx?|py|go|rs|java|kts?|rb|php|c|h|cc|cpp|hpp|cs|swift|sh|bash|ps1|sql|json|jsonc|ya?ml|toml|mdx?|txt|html?|css|scss|less|vue|svelte|astro|xml|ini|cfg|conf|lock|proto|graphql|tf|csv|ipynb|exs?|erl|hs|ml|clj|lua|r|pl|dart|zig|gradle|service|d\.ts)$/i;
const NAMES =
  /(?:^|\/)(?:Dockerfile|Makefile|Justfile|Procfile|LICENSE|CODEOWNERS|\.gitignore|\.dockerignore|\.editorconfig)$/;
const PATH = /^(?:\.\/)?[\w@.[\]()-]+(?:\/[\w@.[\]()-]+)*$/;
/** Names of libraries that look like files. */
const PRODUCTS = /^(?:node|next|vue|nuxt|express|react|three|d3|ember|backbone|require|nest|chart|socket)\.js$/i;
const SYMBOL = /^[A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$][\w$]*)*\([^()]{0,200}\)$/;
const TEST = /(?:^|\/)(?:tests?|__tests__|specs?|e2e)\/|\.(?:test|spec)\.\w+$|_test\.\w+$|(?:^|\/)test_[^/]+$/i;

const codeSpans = (text: string): string[] =>
  Array.from(text.matchAll(/`([^`\n]{1,300})`/g), ([, span = ""]) => span.trim());

const isPath = (span: string): boolean =>
  PATH.test(span) &&
  (EXTENSION.test(span) || NAMES.test(span)) &&
  !PRODUCTS.test(span) &&
  repositoryPath.safeParse(span).success;

const distinct = (words: readonly string[]): string[] => [...new Set(words)];

export const statedPaths = (text: string): string[] =>
  distinct(codeSpans(text).flatMap((span) => (isPath(span) ? span.replace(/^(?:\.\/)+/, "") : [])));

/** `parse()` and `Store.open(path)`, without what is in the parentheses. */
export const statedSymbols = (text: string): string[] =>
  distinct(codeSpans(text).flatMap((span) => (SYMBOL.test(span) ? span.replace(/^([^(]*)\(.*$/, "$1()") : [])));

export const isTestPath = (path: string): boolean => TEST.test(path);

/** Only where the path leaves no doubt. */
export function layerOf(path: string): PlannedFile["layer"] {
  if (isTestPath(path)) return "test";
  if (/^docs?\/|\.mdx?$/i.test(path)) return "docs";
  if (/(?:^|\/)(?:Dockerfile|Makefile|Procfile)$|^\.github\/|\.tf$|\.service$/.test(path)) return "infra";
  if (/\.(?:sql|prisma)$|(?:^|\/)migrations?\//.test(path)) return "data";
  if (/\.(?:tsx|jsx|vue|svelte|css|scss|html)$|(?:^|\/)components\//.test(path)) return "ui";
  if (/(?:^|\/)(?:api|routes|controllers|handlers)\//.test(path)) return "api";
  return undefined;
}

/** Finds stated paths in the repository; a bare name that only one file has means that file. */
/** A path without what a sentence puts around it. */
function bare(word: string): string {
  const from = word.search(/[^.(]/);
  const start = from >= 0 && word[from] === "/" ? from + 1 : Math.max(0, word.search(/[^(]/));
  let end = word.length;
  while (end > start && ".)".includes(word[end - 1] as string)) end--;
  return word.slice(start, end);
}

export class KnownFiles {
  readonly #files: ReadonlySet<string>;
  readonly #byName = new Map<string, string | undefined>();

  constructor(files: readonly string[]) {
    this.#files = new Set(files);
    for (const file of files) {
      const name = file.slice(file.lastIndexOf("/") + 1);
      this.#byName.set(name, this.#byName.has(name) ? undefined : file);
    }
  }

  /** Files of the repository that a text names, with or without back-ticks: by their path, or by a name that only one has. */
  named(text: string): string[] {
    const words = Array.from(text.matchAll(/[\w@.[\]()/-]+/g), ([word]) => bare(word));
    return distinct(
      words.flatMap((word) => {
        if (this.#files.has(word) && /[./]/.test(word)) return [word];
        const same = EXTENSION.test(word) && !PRODUCTS.test(word) ? this.#byName.get(word) : undefined;
        return same === undefined ? [] : [same];
      }),
    ).filter((path) => repositoryPath.safeParse(path).success);
  }

  planned(stated: string): PlannedFile {
    const same = this.#files.has(stated) || stated.includes("/") ? undefined : this.#byName.get(stated);
    const path = same !== undefined && repositoryPath.safeParse(same).success ? same : stated;
    const layer = layerOf(path);
    const action = this.#files.has(path) ? "modify" : "create";
    return { path, action, ...(layer === undefined ? {} : { layer }), purpose: "" };
  }
}
