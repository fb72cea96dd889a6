// Reads and writes the files of an installation.

import { existsSync, mkdirSync, rmdirSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { readPlainBytes } from "../../base/plain-file.js";
import type { Environment } from "../../machine/process/environment.js";
import { UnfitText } from "./json-entries.js";
import { type HostManifest, removeManifest, writeManifest } from "./manifest.js";
import type { Files, InstallPlan } from "./plan-install.js";
import { targetOf, whyNotWritable, writeWhole } from "./write-whole.js";

/** The byte order mark stays part of the text. */
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export const diskFiles: Files = {
  hasFolder: existsSync,
  read: (path) => {
    const found = statSync(path, { throwIfNoEntry: false });
    if (!found) return null;
    if (!found.isFile()) throw new UnfitText("is not a file");
    try {
      return UTF8.decode(readPlainBytes(path));
    } catch {
      throw new UnfitText("cannot be read as UTF-8 text");
    }
  },
};

export interface InstallTarget {
  readonly env: Environment;
  readonly host: string;
  /** The project, or your home folder. */
  readonly base: string;
}

/** Begins only if every file can be written, and notes everything first, old and new: a program that is killed in between can be started again, and undone. */
export function applyPlan(
  plan: InstallPlan,
  before: HostManifest | undefined,
  { env, host, base }: InstallTarget,
): void {
  for (const { path } of plan.changes) {
    const problem = whyNotWritable(path);
    if (problem !== undefined) throw new UnfitText(`${path} ${problem}`);
  }
  if (plan.manifest) writeManifest(env, host, base, both(before, plan.manifest));
  for (const { path, after } of plan.changes) {
    if (after === null) {
      rmSync(targetOf(path), { force: true });
      continue;
    }
    mkdirSync(dirname(targetOf(path)), { recursive: true });
    writeWhole(path, after);
  }
  if (plan.manifest) return writeManifest(env, host, base, plan.manifest);
  for (const folder of emptied(plan, before)) removeIfEmpty(folder);
  removeManifest(env, host, base);
}

function both(before: HostManifest | undefined, after: HostManifest): HostManifest {
  if (!before) return after;
  const partsBefore = (path: string) => before.additions.find((addition) => addition.path === path)?.parts ?? [];
  const placed = new Set(after.additions.map(({ path }) => path));
  const listed = new Set(after.files.map(({ path }) => path));
  return {
    ...after,
    files: [...after.files, ...before.files.filter(({ path }) => !listed.has(path))],
    additions: [
      ...after.additions.map((addition) => ({
        ...addition,
        parts: [...partsBefore(addition.path), ...addition.parts],
      })),
      ...before.additions.filter(({ path }) => !placed.has(path)),
    ],
  };
}

/** Innermost first: those that were made for it, and those of our own name. */
function emptied({ changes }: InstallPlan, before: HostManifest | undefined): string[] {
  const own = changes
    .filter(({ after }) => after === null)
    .map(({ path }) => dirname(path))
    .filter((folder) => /[\\/]planwright([\\/]|$)/.test(folder));
  const around = own.flatMap((folder) => [folder, dirname(folder)]).filter((folder) => /planwright/.test(folder));
  return [...new Set([...(before?.folders ?? []), ...around])].sort((a, b) => b.length - a.length);
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Something else is in it.
  }
}
