// Removes what work left behind and nobody needs any more, one thing after the other: if it is killed in between, the next one
// goes on. What cannot be removed is reported, and the rest goes all the same.

import { readdirSync, rmdirSync, rmSync, type Stats } from "node:fs";
import { join } from "node:path";
import { messageOf } from "../../base/errors.js";
import { statOf } from "../../machine/git/files.js";
import { FORMER_HEADS, formerAt } from "../../machine/git/housekeeping/log-head.js";
import { packObjects } from "../../machine/git/housekeeping/pack-objects.js";
import { listRefs, moveRefs, STRAY_REFS } from "../../machine/git/refs.js";
import { findRepository } from "../../machine/git/repository.js";
import { endOrphans, ownDriver } from "../../machine/process/orphans.js";
import { hasEnded } from "../../model/attempt/attempt.js";
import { ok } from "../../model/result.js";
import { expireKept } from "../../plan/attempt/kept-work.js";
import type { Context } from "../../plan/base/context.js";
import { removeBundle } from "../../plan/bundle/bundle-folder.js";
import { abandonedReadingFolders, removeReadingFolders } from "../../plan/repository/reading-folders.js";
import type { Reader } from "../../store/store.js";
import { runningFolder } from "../attempt/attempt-places.js";

export interface CollectInput extends GarbageInput {
  readonly keepDays: number;
  readonly dryRun?: boolean;
  readonly signal?: AbortSignal;
}

export async function collectGarbage(input: CollectInput) {
  const { context, keepDays, dryRun = false, signal, settings } = input;
  // Says who may, before anything goes.
  const kept = await expireKept(context, { keepDays, dryRun });
  if (!kept.ok) return kept;
  const inGit = findRepository(context.root) !== undefined;
  const found = [...(await oldFiles(input)), ...(inGit ? await oldRefs(input) : [])];
  const removed: Omit<Garbage, "remove">[] = [];
  const problems: string[] = [];
  for (const { remove, ...garbage } of found) {
    if (signal?.aborted) break;
    try {
      if (!dryRun) await remove();
      removed.push(garbage);
    } catch (error) {
      problems.push(`Could not remove ${garbage.name}: ${messageOf(error)}`);
    }
  }
  const packs = inGit && settings.repository === "auto" && !signal?.aborted;
  return ok({
    op: kept.value.op,
    dryRun,
    removed,
    bytes: removed.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0),
    /** Attempts whose unmerged work has expired. */
    expired: kept.value.gone,
    soon: kept.value.soon,
    problems,
    /** Null without a repository, or if the settings say so. */
    repository: packs ? await packObjects(context.root, { dryRun, signal }) : null,
  });
}

async function oldRefs({ context, settings }: GarbageInput): Promise<Garbage[]> {
  const { root, store } = context;
  const before = context.now() - settings.leftoverDays * DAY_MS;
  const former = [...(await listRefs(root, FORMER_HEADS))].filter(([ref]) => (formerAt(ref) ?? Infinity) < before);
  const stray: [string, string][] = [];
  for (const [ref, commit] of await listRefs(root, STRAY_REFS)) {
    const key = ref.slice(STRAY_REFS.length + 1).split("/")[0] ?? "";
    const item = await store.read((reader) => reader.item("attempt", key));
    if ((item?.fields.endedAt ?? Infinity) < before) stray.push([ref, commit]);
  }
  const remove = async (ref: string, from: string): Promise<void> => {
    const moved = await moveRefs(root, [{ ref, from, to: null }]);
    if (!moved.ok) throw new Error(moved.problem);
  };
  return [...former, ...stray].map(([name, commit]) => {
    return { kind: "ref", name, bytes: null, remove: () => remove(name, commit) };
  });
}

const ATTEMPT_TRANSCRIPT = /^([A-Z]+-\d+)(?:\.review)?\.jsonl$/;
const RUN_FOLDER = /^[A-Z]+-\d+$/;
const CALL_TRANSCRIPT = /\.jsonl$/;
const UPGRADE_BACKUP = /^plan-schema-\d+-(.+)\.db$/;
const HALF_BUNDLE = /^bundle\.(?:md|json)\.\d+\.new$/;
const SLOT_FILE = /^(slot-\d+)\.(?:setup\.log|watch\.json)$/;
const SET_ASIDE = /^gone-.+-slot-\d+/;
const EDITED = /^planwright-(?:plan|edit)-\w{6}$/;

const garbageAt = (kind: Garbage["kind"], entry: FolderEntry): Garbage => ({
  kind,
  name: entry.path,
  bytes: bytesIn(entry),
  remove: async () => rmSync(entry.path, { recursive: true, force: true, maxRetries: 3 }),
});

async function oldFiles(input: GarbageInput): Promise<Garbage[]> {
  const found = await input.context.store.read(async (reader) => [
    ...(await oldTranscripts(input, reader)),
    ...(await oldBundles(input, reader)),
    ...(await planningFolders(input, reader)),
  ]);
  return [...found, ...replacedPlans(input), ...upgradeBackups(input), ...besideWorktrees(input), ...inTmp(input)];
}

const isOlder = ({ context }: GarbageInput, at: number, days: number): boolean => context.now() - at > days * DAY_MS;

async function oldTranscripts(input: GarbageInput, reader: Reader): Promise<Garbage[]> {
  const { context, settings } = input;
  const found: Garbage[] = [];
  const isOld = ({ stat }: FolderEntry): boolean =>
    stat.isFile() && isOlder(input, stat.mtimeMs, settings.transcriptDays);
  for (const entry of entriesOf(join(context.root, ".planwright", "transcripts"))) {
    const attempt = ATTEMPT_TRANSCRIPT.exec(entry.name)?.[1];
    if (attempt !== undefined && isOld(entry) && (await isAttemptOver(reader, attempt))) {
      found.push(garbageAt("transcript", entry));
    }
    if (!RUN_FOLDER.test(entry.name) || !entry.stat.isDirectory() || !(await isRunOver(reader, entry.name))) continue;
    const calls = entriesOf(entry.path);
    // Left by a program that was killed when the last one was gone.
    const empty = { ...garbageAt("transcript", entry), remove: async () => {} };
    if (calls.length === 0) found.push(withFolder(empty, entry));
    for (const call of calls) {
      if (CALL_TRANSCRIPT.test(call.name) && isOld(call)) found.push(withFolder(garbageAt("transcript", call), entry));
    }
  }
  return found;
}

/** The last one takes the folder along. */
const withFolder = (garbage: Garbage, folder: FolderEntry): Garbage => ({
  ...garbage,
  remove: async () => {
    await garbage.remove();
    try {
      rmdirSync(folder.path);
    } catch {
      // Something else is in it.
    }
  },
});

/** While its work is kept, its transcript says how the work came about. */
async function isAttemptOver(reader: Reader, key: string): Promise<boolean> {
  const item = await reader.item("attempt", key);
  return !item || (hasEnded(item.fields.state) && item.fields.kept === null);
}

async function isRunOver(reader: Reader, key: string): Promise<boolean> {
  const item = await reader.item("run", key);
  return !item || item.fields.status === "finished" || item.fields.status === "aborted";
}

/** Folders of finished tasks, and files of a program that was killed while it wrote. The store keeps the texts. */
async function oldBundles(input: GarbageInput, reader: Reader): Promise<Garbage[]> {
  const { context, settings } = input;
  const found: Garbage[] = [];
  for (const entry of entriesOf(join(context.root, ".planwright", "bundles"))) {
    const files = entriesOf(entry.path).filter(({ stat }) => isOlder(input, stat.mtimeMs, settings.leftoverDays));
    for (const file of files) if (HALF_BUNDLE.test(file.name)) found.push(garbageAt("bundle", file));
    const task = await reader.byId(entry.name);
    const written = files.filter(({ name }) => name === "bundle.md" || name === "bundle.json");
    if (!task || (task.outcome === null && task.archive === null) || written.length === 0) continue;
    const bytes = written.reduce((sum, file) => sum + bytesIn(file), 0);
    const remove = async (): Promise<void> => removeBundle(context, entry.name);
    found.push({ kind: "bundle", name: entry.path, bytes, remove });
  }
  return found;
}

const replacedPlans = (input: GarbageInput): Garbage[] =>
  entriesOf(join(input.context.root, ".planwright", "replaced"))
    .filter(({ name }) => isOlder(input, timeOfStamp(name) ?? Infinity, input.settings.leftoverDays))
    .map((entry) => garbageAt("replaced plan", entry));

/** The newest stays, however old it is. */
function upgradeBackups(input: GarbageInput): Garbage[] {
  const timeOf = ({ name }: FolderEntry): number | undefined => timeOfStamp(UPGRADE_BACKUP.exec(name)?.[1] ?? "");
  return entriesOf(join(input.context.root, ".planwright", "backups"))
    .flatMap((entry) => ({ entry, at: timeOf(entry) ?? Infinity }))
    .filter(({ entry, at }) => entry.stat.isFile() && at !== Infinity)
    .sort((a, b) => b.at - a.at)
    .slice(1)
    .filter(({ at }) => isOlder(input, at, input.settings.leftoverDays))
    .map(({ entry }) => garbageAt("upgrade backup", entry));
}

/** What the set-up of a worktree said, once the worktree is gone, and worktrees that a killed program was removing. */
function besideWorktrees(input: GarbageInput): Garbage[] {
  const entries = entriesOf(input.worktrees);
  const names = new Set(entries.map(({ name }) => name));
  return entries
    .filter(({ name, stat }) => {
      const slot = SLOT_FILE.exec(name)?.[1];
      if (slot !== undefined) return !names.has(slot) && isOlder(input, stat.mtimeMs, input.settings.leftoverDays);
      return SET_ASIDE.test(name) && isOlder(input, stat.mtimeMs, 1);
    })
    .map((entry) => garbageAt("worktree leftover", entry));
}

/** Folders in which agents of planning runs read whose program was killed, at any age: nothing in them is anybody's work. */
async function planningFolders({ context, isAlive }: GarbageInput, reader: Reader): Promise<Garbage[]> {
  const paths = await abandonedReadingFolders(context, reader, isAlive);
  const remove = async (): Promise<void> => {
    await endOrphans(runningFolder({ context }));
    await removeReadingFolders(context, { process: ownDriver(), isAlive });
  };
  return paths.map((name) => {
    const stat = statOf(name);
    return { kind: "worktree leftover", name, bytes: stat ? bytesIn({ name, path: name, stat }) : 0, remove };
  });
}

/** Folders in which you edited something, if they have nothing but such texts in them. */
const inTmp = (input: GarbageInput): Garbage[] =>
  entriesOf(input.tmp)
    .filter(({ name, stat }) => EDITED.test(name) && stat.isDirectory() && stat.uid === process.getuid?.())
    .filter(({ stat }) => isOlder(input, stat.mtimeMs, input.settings.leftoverDays))
    .filter(({ path }) => entriesOf(path).every(({ name, stat }) => stat.isFile() && name.endsWith(".md")))
    .map((entry) => garbageAt("temporary folder", entry));

export const DAY_MS = 86_400_000;

type FileKind = "transcript" | "bundle" | "replaced plan" | "upgrade backup" | "worktree leftover" | "temporary folder";

export interface Garbage {
  readonly kind: FileKind | "ref";
  /** A path or the full name of a ref. */
  readonly name: string;
  /** Null for refs: git shares objects. */
  readonly bytes: number | null;
  /** Does nothing if it is gone already. */
  readonly remove: () => Promise<void>;
}

interface GarbageInput {
  readonly context: Context;
  readonly settings: {
    readonly transcriptDays: number;
    readonly leftoverDays: number;
    readonly repository: "auto" | "off";
  };
  /** The folder of worktrees, as an absolute path. */
  readonly worktrees: string;
  readonly tmp: string;
  /** Whether the program that drives a planning run still runs. */
  readonly isAlive: (driver: string) => boolean;
}

interface FolderEntry {
  readonly name: string;
  readonly path: string;
  readonly stat: Stats;
}

/** Nothing if it is not a folder, or is a link to one. */
function entriesOf(folder: string): FolderEntry[] {
  if (!statOf(folder)?.isDirectory()) return [];
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    const stat = statOf(path);
    return stat ? [{ name, path, stat }] : [];
  });
}

const bytesIn = ({ path, stat }: FolderEntry): number =>
  stat.isDirectory() ? entriesOf(path).reduce((sum, entry) => sum + bytesIn(entry), 0) : stat.size;

/** `2026-01-31T12-00-00-000Z`, as names of files have it. Undefined if it is no time. */
export function timeOfStamp(stamp: string): number | undefined {
  const [, day, hour, minute, rest, ms] = /^(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)-(\d{3})Z$/.exec(stamp) ?? [];
  const time = Date.parse(`${day}T${hour}:${minute}:${rest}.${ms}Z`);
  return Number.isNaN(time) ? undefined : time;
}
