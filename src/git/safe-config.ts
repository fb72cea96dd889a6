// The user's git settings that are safe while agents work: who the user is and how files are written. Git runs commands
// that settings name (filters, drivers, editors), and a worker may be able to write to the home folder. So an engine
// copies the safe settings when it starts, and its git reads the copy only. The repository's own settings may name a script in
// its files, which a worker can change, so drivers that run a program are switched off as well.

import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { inherit } from "../process/environment.js";
import { isRunning } from "../process/group.js";
import { run } from "../process/run.js";

/** None of these names a command to run. */
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

/** Without Git LFS, git would take a pointer to a large file for its content. */
const LARGE_FILES = new Set([
  "filter.lfs.clean\ngit-lfs clean -- %f",
  "filter.lfs.smudge\ngit-lfs smudge -- %f",
  "filter.lfs.process\ngit-lfs filter-process",
  "filter.lfs.required\ntrue",
]);

const quoted = (text: string): string =>
  `"${text.replace(/[\\"]/g, "\\$&").replaceAll("\n", "\\n").replaceAll("\t", "\\t")}"`;

/** Turns the output of `git config --list --show-scope -z` into a config file that runs nothing. */
export function safeConfigFrom(list: string): string {
  const words = list.split("\0");
  const lines: string[] = [];
  for (let i = 0; i + 1 < words.length; i += 2) {
    const entry = words[i + 1] as string;
    const [name = "", ...value] = entry.split("\n");
    if (words[i] !== "global" || !(HARMLESS.has(name) || LARGE_FILES.has(entry))) continue;
    const [section, ...rest] = name.split(".");
    const key = rest.pop();
    const heading = rest.length === 0 ? section : `${section} "${rest.join(".")}"`;
    // A name without a value means true.
    lines.push(`[${heading}]`, value.length === 0 ? `\t${key}` : `\t${key} = ${quoted(value.join("\n"))}`);
  }
  return `${lines.join("\n")}\n`;
}

/** A driver of the repository that would run a program: `filter.crypt`, `merge.lock`. */
const DRIVER = /^((filter|merge|diff)\.(.+))\.(clean|smudge|process|required|driver|command|textconv)$/;

export interface Drivers {
  /** Settings that switch them off, by their full names. */
  readonly off: Readonly<Record<string, string>>;
  /** The filters among them, as `.gitattributes` names them. */
  readonly filters: ReadonlySet<string>;
}

/** Finds drivers in the output of `git config --list --show-scope -z`, whatever file they come from. */
export function driversIn(list: string): Drivers {
  const words = list.split("\0");
  const off: Record<string, string> = {};
  const filters = new Set<string>();
  for (let i = 0; i + 1 < words.length; i += 2) {
    const entry = words[i + 1] as string;
    const name = entry.split("\n", 1)[0] as string;
    const [, driver = "", kind, own = ""] = DRIVER.exec(name) ?? [];
    if (kind === undefined || LARGE_FILES.has(entry)) continue;
    if (kind === "filter") {
      filters.add(own);
      Object.assign(off, { [`${driver}.clean`]: "", [`${driver}.smudge`]: "", [`${driver}.process`]: "" });
      off[`${driver}.required`] = "false";
    } else if (kind === "merge") {
      // A driver that fails leaves a conflict, which people see.
      off[`${driver}.driver`] = "false";
    } else Object.assign(off, { [`${driver}.command`]: "", [`${driver}.textconv`]: "" });
  }
  return { off, filters };
}

interface SafeConfig {
  readonly file: string;
  readonly drivers: Drivers;
}

const current = new AsyncLocalStorage<SafeConfig>();

/** What git reads in this flow. Undefined outside of `withSafeConfig`. */
export const safeConfig = (): SafeConfig | undefined => current.getStore();

/** The filters that git does not run in this flow. */
export const filtersOff = (): ReadonlySet<string> => current.getStore()?.drivers.filters ?? new Set();

/** Every git that `work` starts reads a copy of the settings, as they are now. The copy lies in this folder meanwhile. */
export async function withSafeConfig<T>(folder: string, work: () => Promise<T>): Promise<T> {
  mkdirSync(folder, { recursive: true });
  removeAbandoned(folder);
  const args = ["config", "--list", "--show-scope", "--includes", "-z"];
  const { stdout } = await run({ command: "git", args, cwd: folder, env: inherit({ LC_ALL: "C" }) });
  const file = join(folder, `${process.pid}-${randomUUID()}.gitconfig`);
  writeFileSync(file, safeConfigFrom(stdout), { mode: 0o600 });
  try {
    return await current.run({ file, drivers: driversIn(stdout) }, work);
  } finally {
    rmSync(file, { force: true });
  }
}

/** Removes what killed programs have left. */
function removeAbandoned(folder: string): void {
  for (const name of readdirSync(folder)) {
    if (/^\d+-/.test(name) && !isRunning(Number.parseInt(name, 10)))
      rmSync(join(folder, name), { recursive: true, force: true });
  }
}
