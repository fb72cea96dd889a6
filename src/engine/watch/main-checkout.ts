// The main checkout beside workers that no sandbox confines: which files there are not as the commit has them, and which
// became so, or ceased to be, while a worker was at work. Landings move the same files; what they move is theirs.

import { lstat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { halfMoved } from "../../machine/git/checkouts/half-move.js";
import { git, problemOf, splitList, succeeded } from "../../machine/git/git.js";
import { pipesAtTop, WaitsForPipes } from "../../machine/git/pipes.js";
import { changedSubmodules } from "../../machine/git/submodules.js";
import { isLanding } from "../../model/attempt/attempt.js";
import { LIVE } from "../../model/item/item.js";
import type { Reader } from "../../store/store.js";
import type { EngineServices } from "../services.js";

/** Maps each path to a stamp that differs if the file was written again. */
export type DirtyFiles = ReadonlyMap<string, string>;

const STATUS = ["--no-optional-locks", "status", "--porcelain", "-z", "--untracked-files=all", "--no-renames"];

/** Our own folder is watched elsewhere. */
const isOurs = (path: string): boolean => path.startsWith(".planwright/");

/**
 * Tracked files that were changed, and files that git does not know; not those that it ignores. It throws `WaitsForPipes` if a pipe
 * there would keep git waiting.
 */
export async function dirtyFilesIn(checkout: string): Promise<DirtyFiles> {
  const atTop = pipesAtTop(checkout);
  if (atTop.length > 0) throw new WaitsForPipes(atTop);
  const result = await git(checkout, STATUS);
  if (result.pipes) throw new WaitsForPipes(result.pipes);
  if (!succeeded(result)) throw new Error(`${checkout} could not be looked at: ${problemOf(result)}`);
  const listed = splitList(result.stdout).map((line) => line.slice(3));
  const paths = [...listed, ...(await changedSubmodules(checkout))].filter((path) => !isOurs(path));
  const stamps = paths.map(async (path): Promise<[string, string]> => [path, await stampOf(join(checkout, path))]);
  return new Map(await Promise.all(stamps));
}

const stampOf = async (file: string): Promise<string> => {
  const found = await lstat(file).catch(() => undefined);
  return found === undefined ? "" : `${found.ino}:${found.size}:${found.mtimeMs}`;
};

/** Changed since, or as the commit has it again; a file that was only committed is unchanged. */
async function newIn(checkout: string, before: DirtyFiles, after: DirtyFiles): Promise<string[]> {
  const changed = [...after].filter(([path, stamp]) => before.get(path) !== stamp).map(([path]) => path);
  for (const [path, stamp] of before) {
    if (!after.has(path) && (await stampOf(join(checkout, path))) !== stamp) changed.push(path);
  }
  return changed;
}

const LOOK_MS = 50;
/** Longer than a landing takes to move the files. What a killed landing left may stay until the next program repairs it. */
const PATIENCE_MS = 10_000;

/**
 * The files that were written since; null if that cannot be known now. A landing in the middle of its move would
 * look the same, so what seems new is looked at again when none is there: its files are then what the branch has, or
 * what they were.
 */
export async function filesWrittenSince(
  { context }: Pick<EngineServices, "context">,
  checkout: string,
  before: DirtyFiles,
  after: DirtyFiles,
): Promise<string[] | null> {
  const seeming = await newIn(checkout, before, after);
  if (seeming.length === 0) return [];
  const until = performance.now() + PATIENCE_MS;
  while ((await context.store.read(isLandingMoving)) || (await halfMoved(checkout)).length > 0) {
    if (performance.now() > until) return null;
    await wait(LOOK_MS);
  }
  const again = await dirtyFilesIn(checkout);
  return seeming.filter((path) => again.get(path) === after.get(path)).sort();
}

/** A landing says so before it moves anything, and until it is settled. */
const isLandingMoving = async (reader: Reader): Promise<boolean> =>
  (await reader.items("attempt", { state: LIVE })).some(
    (item) => item.fields.state === "integrating" && isLanding(item.fields),
  );
