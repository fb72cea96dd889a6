// The texts that hosts get. They are files of the package, in its folder `hosts`, so that a host can also install them from there.

import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";

let found: string | undefined;

/** The folder `hosts` of this package, wherever this file was built to. */
export function hostsFolder(): string {
  for (let folder = import.meta.dirname; found === undefined; folder = dirname(folder)) {
    const candidate = join(folder, "hosts");
    if (existsSync(join(candidate, ".claude-plugin", "marketplace.json"))) found = candidate;
    else if (dirname(folder) === folder) throw new Error("This package is incomplete: its folder hosts is missing.");
  }
  return found;
}

export const hostText = (path: string): string => readFileSync(join(hostsFolder(), path), "utf8");

/** Every file below a folder, by its path from there, with slashes. */
export function hostTexts(folder: string): (readonly [path: string, text: string])[] {
  const top = join(hostsFolder(), folder);
  return readdirSync(top, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(top, join(entry.parentPath, entry.name)).split(sep).join("/"))
    .sort()
    .map((path) => [path, hostText(`${folder}/${path}`)] as const);
}

/** The version of the texts, which is that of the package. */
export const textsVersion = (): string =>
  (JSON.parse(hostText("claude/.claude-plugin/plugin.json")) as { version: string }).version;
