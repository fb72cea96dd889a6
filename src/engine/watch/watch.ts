// Where no sandbox confines a worker, its mistakes are found: what its git did in the repository itself, and files of its task that it
// changed in the main checkout. Nothing here stops a worker that hides: without a sandbox it has your rights.

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { pathFrom } from "../../base/paths.js";
import { findPlainFile } from "../../base/plain-file.js";
import { findRepository } from "../../machine/git/repository.js";
import { workingTreeAt } from "../../machine/git/working-tree.js";
import type { Sandbox } from "../../machine/sandbox/sandbox.js";
import { matchesGlob } from "../../model/conflict/glob.js";
import { type LiveAttempt, noteForNextState } from "../attempt/attempt-state.js";
import type { EngineServices } from "../services.js";
import { type DirtyFiles, dirtyFilesIn, filesWrittenSince } from "./main-checkout.js";

/** What the worker did outside since the attempt began, one sentence each. */
export type OutsideWatch = () => Promise<readonly string[]>;

const NOTHING: OutsideWatch = async () => [];

/** The committer of whatever a worker's git does. Its change set is committed under the user's name. */
export const workerName = (key: string): string => `planwright-worker ${key}`;

/** The files of git's logs of where HEAD and the branches were. */
function logsIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? logsIn(path) : [path];
  });
}

/** Moves of HEAD and of branches in the repository itself, by git's own logs. The worker has a git folder of its own for its work. */
function movesBy(commonDir: string, key: string): string[] {
  const logs = join(commonDir, "logs");
  const files = [join(logs, "HEAD"), ...logsIn(join(logs, "refs", "heads"))];
  const mark = ` ${workerName(key)} <`;
  return files.flatMap((file) => {
    const ref = pathFrom(logs, file);
    const lines = (findPlainFile(file) ?? "").split("\n").filter((line) => line.includes(mark));
    return lines.map((line) => {
      const what = ref === "HEAD" ? "HEAD of the main checkout" : ref;
      const how = line.split("\t")[1];
      return `The worker moved ${what} to ${line.split(" ")[1] ?? ""}${how ? ` (${how})` : ""}.`;
    });
  });
}

const PATHS_SHOWN = 5;

/** People work in their own checkout, so this is no violation. It stays in the record of the attempt. */
function checkoutNotice(key: string, paths: readonly string[]): string {
  const more = paths.length > PATHS_SHOWN ? ` and ${paths.length - PATHS_SHOWN} more` : "";
  const names = `${paths.slice(0, PATHS_SHOWN).join(", ")}${more}`;
  return `While ${key} worked without a sandbox, this changed in the main checkout: ${names}. If that was not you, look at ${key}.`;
}

interface Checkout {
  readonly path: string;
  readonly before: DirtyFiles;
}

async function checkoutOf({ context }: Pick<EngineServices, "context">): Promise<Checkout | null> {
  const main = findRepository(context.root)?.main;
  if (main === undefined || workingTreeAt(main) === undefined) return null;
  return { path: main, before: await dirtyFilesIn(main) };
}

/** What the worker wrote there: its own files are its mistake, others are only noted. */
async function lookAtCheckout(services: EngineServices, live: LiveAttempt, { path, before }: Checkout) {
  const written = await filesWrittenSince(services, path, before, await dirtyFilesIn(path));
  const isItsOwn = (file: string): boolean => live.task.files.some((pattern) => matchesGlob(pattern, file));
  const others = (written ?? []).filter((file) => !isItsOwn(file));
  const known = live.attempt.meanwhile ?? [];
  if (others.some((file) => !known.includes(file))) {
    noteForNextState(live, { meanwhile: [...new Set([...known, ...others])].sort() });
    services.onEvent({ type: "notice", text: checkoutNotice(live.key, others) });
  }
  return (written ?? []).filter(isItsOwn).map((file) => `The worker changed ${file} in the main checkout.`);
}

const watches = new WeakMap<LiveAttempt, OutsideWatch>();

/** People may do in their own repository what they like, and a sandbox lets a worker reach nothing. */
export async function watchAttempt(
  services: EngineServices,
  live: LiveAttempt,
  { kind, why }: Pick<Sandbox, "kind" | "why">,
): Promise<OutsideWatch> {
  const isOwnProgram = live.attempt.worker.kind === "person" || live.attempt.checkout !== undefined;
  if (isOwnProgram || kind !== "none") return NOTHING;
  if (services.policy.sandbox === "auto") noticeOnce(services, unconfined(why));
  // What cannot be looked at, for a pipe or an unreadable file, is not looked at: it is the person's own.
  const checkout = await checkoutOf(services).catch(() => null);
  const look = async (): Promise<readonly string[]> => {
    const written = checkout === null ? [] : await lookAtCheckout(services, live, checkout).catch(() => []);
    return [...movesOf(services, live), ...written];
  };
  watches.set(live, look);
  return look;
}

const movesOf = ({ context }: Pick<EngineServices, "context">, { key }: Pick<LiveAttempt, "key">): string[] => {
  const repository = findRepository(context.root);
  return repository === undefined ? [] : movesBy(repository.commonDir, key);
};

/** All that the attempt did outside, however it ended; nothing if it was not watched. */
export const outsideChangesOf = async (live: LiveAttempt): Promise<readonly string[]> =>
  (await watches.get(live)?.()) ?? [];

/** What is left to see of an attempt whose program was killed. */
export function watchKilled(services: EngineServices, live: LiveAttempt): readonly string[] {
  watches.set(live, async () => movesOf(services, live));
  return movesOf(services, live);
}

const noticed = new Set<string>();

/** Says it once for all attempts in this process. */
function noticeOnce({ context, onEvent }: Pick<EngineServices, "context" | "onEvent">, text: string): void {
  const what = JSON.stringify([context.root, text]);
  if (noticed.has(what)) return;
  noticed.add(what);
  onEvent({ type: "notice", text });
}

/** Warns people who think that there is a sandbox. */
const unconfined = (why: string): string =>
  `No sandbox confines workers here: ${why}. They have your rights; execution.sandbox "require" in planwright.json begins nothing without one.`;
