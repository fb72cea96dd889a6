// What an engine's git takes from the settings of whoever runs it: who they are and how they write files, as it was when
// the engine started. A worker may be able to write into the home folder, and git runs what settings name: filters,
// drivers, editors.

import { rmSync, writeFileSync } from "node:fs";
import { inherit } from "../process/inherit.js";
import { run } from "../process/run.js";

/** None of these names a command. */
const HARMLESS = new Set([
  "user.name",
  "user.email",
  "author.name",
  "author.email",
  "committer.name",
  "committer.email",
  "safe.directory",
  "core.autocrlf",
  "core.eol",
  "core.safecrlf",
  "core.excludesfile",
  "core.attributesfile",
  "core.filemode",
  "core.symlinks",
  "core.longpaths",
  "core.precomposeunicode",
]);

/** Large files lie elsewhere: without these four, pointers to them would be taken for their content. */
const LARGE_FILES = new Set([
  "filter.lfs.clean\ngit-lfs clean -- %f",
  "filter.lfs.smudge\ngit-lfs smudge -- %f",
  "filter.lfs.process\ngit-lfs filter-process",
  "filter.lfs.required\ntrue",
]);

const quoted = (text: string): string =>
  `"${text.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\t", "\\t")}"`;

/** Of what `git config --list --show-scope -z` said, a file of settings that run nothing. */
export function harmlessOf(list: string): string {
  const words = list.split("\0");
  const lines: string[] = [];
  for (let i = 0; i + 1 < words.length; i += 2) {
    const entry = words[i + 1] as string;
    const [name = "", ...value] = entry.split("\n");
    if (words[i] !== "global" || !(HARMLESS.has(name) || LARGE_FILES.has(entry))) continue;
    const [section, ...rest] = name.split(".");
    const key = rest.pop();
    const heading = rest.length === 0 ? section : `${section} "${rest.join(".")}"`;
    // A name without a value means yes.
    lines.push(`[${heading}]`, value.length === 0 ? `\t${key}` : `\t${key} = ${quoted(value.join("\n"))}`);
  }
  return `${lines.join("\n")}\n`;
}

/** Writes them down, as they hold for the repository that this folder is in; gone when the program ends. */
export async function writeOwnConfig(file: string, cwd: string): Promise<string> {
  const args = ["config", "--list", "--show-scope", "--includes", "-z"];
  const { stdout } = await run({ command: "git", args, cwd, env: inherit({ LC_ALL: "C" }) });
  writeFileSync(file, harmlessOf(stdout), { mode: 0o600 });
  process.once("exit", () => rmSync(file, { force: true }));
  return file;
}
