// What installing or removing would change, before anything is written: for each file its text before and after.

import { existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { readPlainBytes } from "../../base/plain-file.js";
import { sha256 } from "../../store/sha256.js";
import type { Placement } from "./hosts.js";
import { entryState, insertEntry, isBlankJson, removeEntry, UnfitText } from "./json-entries.js";
import { type AddedPart, type AddedText, type HostManifest, type OwnFile } from "./manifest.js";
import { hasBlock, putBlock, removeBlock } from "./text-chunk.js";

interface FileChange {
  readonly path: string;
  readonly before: string | null;
  readonly after: string | null;
}

interface Changes {
  readonly changes: FileChange[];
  /** Files of yours that are in the way and stay as they are; why, in one sentence. */
  readonly left: { readonly path: string; readonly why: string }[];
}

export interface InstallPlan extends Changes {
  readonly manifest: HostManifest | null;
}

/** The byte order mark stays part of the text. */
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Null if there is none. Throws `UnfitText`, with the file's name, if it is no text. */
function readText(path: string): string | null {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return null;
  if (!found.isFile()) throw new UnfitText(`${path} is not a file`);
  try {
    return UTF8.decode(readPlainBytes(path));
  } catch {
    throw new UnfitText(`${path} cannot be read as UTF-8 text`);
  }
}

export function planInstall(placements: readonly Placement[], installed: HostManifest | undefined, version: string) {
  const planned: Changes = { changes: [], left: [] };
  const own: OwnFile[] = [];
  const additions: AddedText[] = [];
  for (const placement of placements) {
    if (placement.kind === "file") own.push(...planFile(placement, installed, planned));
    else additions.push(...planAddition(placement, installed, planned));
  }
  planRemovals(withoutPlaced(installed, placements), planned);
  const folders = [...(installed?.folders ?? []), ...newFolders(planned.changes)];
  return { ...real(planned), manifest: { version, files: own, additions, folders: [...new Set(folders)] } };
}

const real = ({ changes, left }: Changes): Changes => ({
  changes: changes.filter(({ before, after }) => before !== after),
  left,
});

function inFile<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw error instanceof UnfitText ? new UnfitText(`${path} ${error.message}`) : error;
  }
}

type OwnPlacement = Extract<Placement, { kind: "file" }>;
type AddedPlacement = Exclude<Placement, { kind: "file" }>;

const CHANGED = "You changed this file, so it stays as it is.";
const FOREIGN = "It is not known who wrote this file, so it stays as it is. Delete it to have it installed.";

function planFile({ path, text }: OwnPlacement, installed: HostManifest | undefined, { changes, left }: Changes) {
  const before = readText(path);
  const known = installed?.files.find((file) => file.path === path);
  if (known && before !== null && before !== text && sha256(before) !== known.hash) {
    left.push({ path, why: CHANGED });
    return [known];
  }
  // Written by hand, or by another version on the machine of a colleague who may have changed it.
  if (!known && before !== null && before !== text) {
    left.push({ path, why: FOREIGN });
    return [];
  }
  changes.push({ path, before, after: text });
  return [{ path, hash: sha256(text) }];
}

function planAddition(placement: AddedPlacement, installed: HostManifest | undefined, { changes, left }: Changes) {
  const { path } = placement;
  const before = readText(path);
  const known = installed?.additions.find((addition) => addition.path === path);
  const existed = known?.existed ?? before !== null;
  const { text, parts } = inFile(path, () => withPlacement(placement, before ?? "", known, left));
  if (parts.length > 0 || before !== null) changes.push({ path, before, after: text });
  return parts.length === 0 ? [] : [{ path, existed, parts }];
}

function withPlacement(placement: AddedPlacement, before: string, known: AddedText | undefined, left: Changes["left"]) {
  const { path } = placement;
  if (placement.kind === "block") {
    const { block, marks, problem } = placement;
    const wrong = hasBlock(before, marks) ? undefined : problem?.(before);
    if (wrong !== undefined) {
      left.push({ path, why: wrong });
      return { text: before, parts: [] };
    }
    const { text, chunk } = putBlock(before, block, marks, known?.parts[0]?.chunk);
    return { text, parts: [{ chunk, marks }] };
  }
  let text = takeParts(before, known?.parts ?? []);
  const parts: AddedPart[] = [];
  for (const entry of placement.entries) {
    const state = entryState(text, entry);
    if (state === "other")
      left.push({ path, why: `You have your own entry ${entry.keys.join(".")}, so it stays as it is.` });
    if (state !== "absent") continue;
    const inserted = insertEntry(text, entry);
    text = inserted.text;
    parts.push({ chunk: inserted.chunk, entry });
  }
  return { text, parts };
}

/** What was put in last goes first: it may stand inside of what was put in before. */
function takeParts(text: string, parts: readonly AddedPart[]): string {
  return parts.reduceRight(
    (left, part) =>
      "entry" in part ? removeEntry(left, part.entry, part.chunk) : removeBlock(left, part.marks, part.chunk),
    text,
  );
}

function withoutPlaced(installed: HostManifest | undefined, placements: readonly Placement[]) {
  if (!installed) return undefined;
  const placed = new Set(placements.map(({ path }) => path));
  const gone = <T extends { readonly path: string }>(all: readonly T[]): T[] =>
    all.filter(({ path }) => !placed.has(path));
  return { ...installed, files: gone(installed.files), additions: gone(installed.additions) };
}

function planRemovals(installed: HostManifest | undefined, { changes, left }: Changes): void {
  for (const { path, hash } of installed?.files ?? []) {
    const before = readText(path);
    if (before === null) continue;
    if (sha256(before) === hash) changes.push({ path, before, after: null });
    else left.push({ path, why: CHANGED });
  }
  for (const { path, existed, parts } of installed?.additions ?? []) {
    const before = readText(path);
    if (before === null) continue;
    const text = inFile(path, () => takeParts(before, parts));
    changes.push({ path, before, after: !existed && isBlankJson(text) ? null : text });
  }
}

export function planUninstall(placements: readonly Placement[], installed: HostManifest | undefined): InstallPlan {
  const planned: Changes = { changes: [], left: [] };
  planRemovals(installed ?? recogniseInstallation(placements), planned);
  return { ...real(planned), manifest: null };
}

/** How it was put in is not known. */
const UNKNOWN = { inserted: "" };

/** Somebody else's installation, in a project that you share: exactly what would be installed now. */
function recogniseInstallation(placements: readonly Placement[]): HostManifest {
  const own: OwnFile[] = [];
  const additions: AddedText[] = [];
  for (const placement of placements) {
    const { path } = placement;
    const text = readText(path);
    if (text === null) continue;
    if (placement.kind === "file") {
      if (text === placement.text) own.push({ path, hash: sha256(text) });
    } else if (placement.kind === "block")
      additions.push({ path, existed: true, parts: [{ chunk: UNKNOWN, marks: placement.marks }] });
    else {
      const same = inFile(path, () => placement.entries.filter((entry) => entryState(text, entry) === "same"));
      additions.push({ path, existed: true, parts: same.map((entry) => ({ entry, chunk: UNKNOWN })) });
    }
  }
  return { version: "", files: own, additions, folders: [] };
}

function newFolders(changes: readonly FileChange[]): string[] {
  const found = new Set<string>();
  for (const { path, before, after } of changes) {
    if (before !== null || after === null) continue;
    const missing: string[] = [];
    for (let folder = dirname(path); folder !== dirname(folder) && !existsSync(folder); folder = dirname(folder))
      missing.unshift(folder);
    for (const folder of missing) found.add(folder);
  }
  return [...found];
}
