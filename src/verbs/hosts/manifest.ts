// What was installed for a host, kept in your state folder: which files are ours, and how each addition to a file of yours reads.

import { createHash } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { readPlainFile } from "../../base/plain-file.js";
import { stateFolder } from "../../config/state-folder.js";
import type { Environment } from "../../machine/process/environment.js";
import type { JsonEntry } from "./json-entries.js";
import type { Marks } from "./marked-block.js";
import type { Chunk } from "./text-chunk.js";
import { writeWhole } from "./write-whole.js";

export interface OwnFile {
  readonly path: string;
  /** Of what was written. */
  readonly hash: string;
}

/** An entry with what it says, or a block with its marks. */
export type AddedPart = { readonly chunk: Chunk } & ({ readonly entry: JsonEntry } | { readonly marks: Marks });

export interface AddedText {
  readonly path: string;
  /** There was a file before. */
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

export const textHash = (text: string): string => createHash("sha256").update(text).digest("hex");

const fileFor = (env: Environment, host: string, base: string): string =>
  join(stateFolder(env), "hosts", `${host}-${textHash(base).slice(0, 12)}.json`);

export function readManifest(env: Environment, host: string, base: string): HostManifest | undefined {
  try {
    const found = JSON.parse(readPlainFile(fileFor(env, host, base))) as HostManifest;
    return Array.isArray(found.files) && Array.isArray(found.additions) && Array.isArray(found.folders)
      ? found
      : undefined;
  } catch {
    return undefined;
  }
}

/** Before any file is changed, so that a program that is killed in between leaves nothing that nobody knows of. */
export function writeManifest(env: Environment, host: string, base: string, manifest: HostManifest): void {
  mkdirSync(join(stateFolder(env), "hosts"), { recursive: true });
  writeWhole(fileFor(env, host, base), JSON.stringify(manifest, null, 2), 0o600);
}

export const removeManifest = (env: Environment, host: string, base: string): void =>
  rmSync(fileFor(env, host, base), { force: true });
