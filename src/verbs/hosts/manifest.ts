// Writes a file whole or not at all, with the rights that it had. A link stays a link, and its target is written.

import { randomUUID } from "node:crypto";
import {
  accessSync,
  constants,
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { dirname, join, resolve } from "node:path";
import { readPlainFile } from "../../base/plain-file.js";
import { stateFolder } from "../../config/state-folder.js";
import type { Environment } from "../../machine/process/environment.js";
import { sha256 } from "../../store/sha256.js";
import type { JsonEntry } from "./json-entries.js";
import type { Chunk, Marks } from "./text-chunk.js";

const MODE = 0o777;

export function writeWhole(path: string, text: string, mode?: number): void {
  const target = targetOf(path);
  const rights = statSync(target, { throwIfNoEntry: false })?.mode ?? mode;
  const fresh = `${target}.${randomUUID()}`;
  try {
    writeFileSync(fresh, text, { flag: "wx", ...(rights === undefined ? {} : { mode: rights & MODE }) });
    renameSync(fresh, target);
  } finally {
    rmSync(fresh, { force: true });
  }
}

/** Where a link leads, even if nothing is there yet. */
export function targetOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const link = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : undefined;
    return link === undefined ? path : resolve(dirname(path), link);
  }
}

/** Why this file cannot be written, removed or made; undefined if it can. */
export function whyNotWritable(path: string): string | undefined {
  const target = targetOf(path);
  const found = statSync(target, { throwIfNoEntry: false });
  if (found && (found.mode & WRITABLE) === 0) return "is read-only";
  let folder = dirname(target);
  while (!existsSync(folder) && dirname(folder) !== folder) folder = dirname(folder);
  try {
    accessSync(folder, constants.W_OK);
    if (found) accessSync(target, constants.W_OK);
    return statSync(folder).isDirectory() ? undefined : `cannot be made, because ${folder} is not a folder`;
  } catch {
    return "cannot be written";
  }
}

const WRITABLE = 0o222;

export interface OwnFile {
  readonly path: string;
  readonly hash: string;
}

export type AddedPart = { readonly chunk: Chunk } & ({ readonly entry: JsonEntry } | { readonly marks: Marks });

export interface AddedText {
  readonly path: string;
  readonly existed: boolean;
  /** In the order in which they were put in. */
  readonly parts: readonly AddedPart[];
}

export interface HostManifest {
  readonly version: string;
  readonly files: readonly OwnFile[];
  readonly additions: readonly AddedText[];
  /** Folders that were made, outermost first. */
  readonly folders: readonly string[];
}

/** `base`: the project, or your home folder. */
export const manifestFile = ({ env, base }: { readonly env: Environment; readonly base: string }, host: string) =>
  join(stateFolder(env), "hosts", `${host}-${sha256(base).slice(0, 12)}.json`);

export function readManifest(file: string): HostManifest | undefined {
  try {
    const found = JSON.parse(readPlainFile(file)) as HostManifest;
    return Array.isArray(found.files) && Array.isArray(found.additions) && Array.isArray(found.folders)
      ? found
      : undefined;
  } catch {
    return undefined;
  }
}

/** Before any file is changed, so that a program that is killed in between leaves nothing that nobody knows of. */
export function writeManifest(file: string, manifest: HostManifest): void {
  mkdirSync(dirname(file), { recursive: true });
  writeWhole(file, JSON.stringify(manifest, null, 2), 0o600);
}
