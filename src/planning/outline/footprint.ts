// The files and symbols that the words of a spec name in back-ticks. Nothing is guessed: a task without a named file has none.

import { repositoryPath } from "../contracts/common.js";
import type { PlannedFile } from "../contracts/maps.js";

const CODE_SPAN = /`([^`\n]{1,300})`/g;
const EXTENSION =
  /\.(?:[cm]?[jt]sx?|py|go|rs|java|kts?|rb|php|c|h|cc|cpp|hpp|cs|swift|sh|bash|ps1|sql|json|jsonc|ya?ml|toml|mdx?|txt|html?|css|scss|less|vue|svelte|astro|xml|ini|cfg|conf|lock|proto|graphql|tf|csv|ipynb|exs?|erl|hs|ml|clj|lua|r|pl|dart|zig|gradle|service|d\.ts)$/i;
const NAMES =
  /(?:^|\/)(?:Dockerfile|Makefile|Justfile|Procfile|LICENSE|CODEOWNERS|\.gitignore|\.dockerignore|\.editorconfig)$/;
const PATH = /^(?:\.\/)?[\w@.[\]()-]+(?:\/[\w@.[\]()-]+)*$/;
/** Names of libraries that look like files. */
const PRODUCTS = /^(?:node|next|vue|nuxt|express|react|three|d3|ember|backbone|require|nest|chart|socket)\.js$/i;
const SYMBOL = /^[A-Za-z_$][\w$]*(?:(?:\.|::|#|->)[A-Za-z_$][\w$]*)*\([^()]{0,200}\)$/;
const TEST = /(?:^|\/)(?:tests?|__tests__|specs?|e2e)\/|\.(?:test|spec)\.\w+$|_test\.\w+$|(?:^|\/)test_[^/]+$/i;

const spans = (text: string): string[] => Array.from(text.matchAll(CODE_SPAN), ([, span = ""]) => span.trim());

const isPath = (span: string): boolean =>
  PATH.test(span) &&
  (EXTENSION.test(span) || NAMES.test(span)) &&
  !PRODUCTS.test(span) &&
  repositoryPath.safeParse(span).success;

export const statedPaths = (text: string): string[] => [
  ...new Set(
    spans(text)
      .filter(isPath)
      .map((path) => path.replace(/^(?:\.\/)+/, "")),
  ),
];

/** `parse()` and `Store.open(path)`, without what is in the parentheses. */
export const statedSymbols = (text: string): string[] => [
  ...new Set(
    spans(text)
      .filter((span) => SYMBOL.test(span))
      .map((span) => span.replace(/\(.*$/, "()")),
  ),
];

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

  planned(stated: string): PlannedFile {
    const same = this.#files.has(stated) || stated.includes("/") ? undefined : this.#byName.get(stated);
    const path = same !== undefined && repositoryPath.safeParse(same).success ? same : stated;
    const layer = layerOf(path);
    const action = this.#files.has(path) ? "modify" : "create";
    return { path, action, ...(layer === undefined ? {} : { layer }), purpose: "" };
  }
}
