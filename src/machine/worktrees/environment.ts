// What an attempt has for itself in addition to its worktree: ports, a temporary folder, a cache, and an environment that tells
// it so. Of the program's own environment it sees what any command needs and what the configuration names.

import { createHash, randomInt } from "node:crypto";
import { existsSync, lstatSync } from "node:fs";
import { chmod, lstat, mkdir, readdir, rename, rm, rmdir, unlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf } from "../../base/errors.js";
import { step } from "../../model/next-step.js";
import { ok, type Result, refused } from "../../model/result.js";
import { commandEnvironment, type Environment } from "../process/environment.js";
import { isRunning } from "../process/group.js";
import { type PortSettings, takePorts } from "./ports.js";

export interface AttemptEnvironmentInput {
  /** Unique in the workspace while the attempt lives. */
  readonly slot: number;
  /** Whose ports it gets, if not those of its slot. */
  readonly lane?: number;
  /** Its key, such as `ATT-00001`. */
  readonly attempt: string;
  /** The id of its task. */
  readonly task: string;
  /** The folder that holds `.planwright`. */
  readonly root: string;
  readonly worktree: string;
  readonly settings: { readonly env: readonly string[]; readonly ports: PortSettings };
  /** The program's own. */
  readonly env: Environment;
  /** Who the worker is when it asks for something; without it, the attempt gives the name. */
  readonly actor?: string;
  /** It was made before, and what is in its temporary folder stays. */
  readonly again?: boolean;
}

export interface AttemptEnvironment {
  /** The whole environment of the worker, the checks and the set-up commands. */
  readonly variables: Readonly<Record<string, string>>;
  /** Emptied before the attempt and gone after it. */
  readonly tmp: string;
  /** Empty at the beginning: what another worker put there may be poisoned. */
  readonly cache: string;
  /** The file in which the worker looks for its task; the program that packs the task writes it. */
  readonly bundle: string;
  /** Gives back the ports. */
  release(): void;
  /** Gives back the ports and removes the temporary folder. */
  readonly dispose: () => Promise<void>;
}

export async function attemptEnvironment(place: AttemptEnvironmentInput): Promise<Result<AttemptEnvironment>> {
  const { slot, lane = slot, attempt, task, root, worktree, settings, env } = place;
  const made = await ownTmp(place);
  if (!made.ok) return made;
  const tmp = made.value;
  const ports = await takePorts(lane, settings.ports);
  if (!ports) {
    await removeAll(tmp);
    return noPorts(lane, settings.ports);
  }
  const cache = slotCache(root, slot);
  if (place.again !== true && existsSync(cache)) await removeAll(cache);
  if (!existsSync(cache)) await mkdir(cache, { recursive: true });
  const bundle = join(tmp, "bundle.md");
  const variables = {
    ...commandEnvironment(env, settings.env),
    TMPDIR: tmp,
    TMP: tmp,
    TEMP: tmp,
    PLANWRIGHT_ACTOR: place.actor ?? `agent:${attempt}`,
    PLANWRIGHT_ATTEMPT: attempt,
    PLANWRIGHT_BUNDLE: bundle,
    PLANWRIGHT_CACHE: cache,
    PLANWRIGHT_PORT: String(ports.first),
    PLANWRIGHT_PORTS: `${ports.first}-${ports.last}`,
    PLANWRIGHT_TASK: task,
    PLANWRIGHT_TMP: tmp,
    PLANWRIGHT_WORKSPACE: root,
    PLANWRIGHT_WORKTREE: worktree,
  };
  const dispose = async (): Promise<void> => {
    ports.release();
    if (!(await removeEmpty(tmp, bundle))) await removeAll(tmp);
  };
  return ok({ variables, tmp, cache, bundle, release: () => ports.release(), dispose });
}

export const slotCache = (root: string, slot: number): string => join(root, ".planwright", "cache", `slot-${slot}`);

const noPorts = (slot: number, { from, each }: PortSettings): Result<never> =>
  refused(
    "no-ports",
    `There is no free range of ${each} ports from ${from} on for slot ${slot}. Set execution.ports to another start or a smaller range.`,
    {
      next: [step("config.set", { key: "execution.ports" }, "value")],
    },
  );

/**
 * In the system's temporary folder, because tools look for their settings in the folders above, and for a repository.
 * Its name tells the slot, so that what a killed program has left there is found and removed, and the attempt, so that
 * a program that was only paused removes its own and never that of the next one.
 */
async function ownTmp({ root, slot, attempt, env, again }: AttemptEnvironmentInput): Promise<Result<string>> {
  const around = aroundTmp(env);
  const slotName = `${ownPrefix(root)}${slot}-`;
  const tmp = join(around, slotName + attempt.replace(/[^\w-]/g, "_"));
  try {
    if (again !== true) await removeLeftovers(around, slotName);
    await mkdir(tmp, { mode: 0o700 });
    return ok(tmp);
  } catch (error) {
    if (again === true && (await isOurs(tmp))) return ok(tmp);
    return refused(
      "no-tmp",
      `The temporary folder ${tmp} cannot be used: ${messageOf(error)}. Set TMPDIR to a folder of your own.`,
    );
  }
}

const aroundTmp = (env: Environment): string => env["TMPDIR"] ?? tmpdir();

const ownPrefix = (root: string): string =>
  `planwright-${createHash("sha256").update(root).digest("hex").slice(0, 12)}-`;

type Around = Pick<AttemptEnvironmentInput, "root" | "env">;

/** The attempt of a rehearsal has no key; it is known by its process. */
export const dryRunKey = (): string => `dry-run-${process.pid}`;

const FIRST_REHEARSAL = 1_000_000;

/** No other rehearsal has it, not even one on another machine. */
export const newRehearsalSlot = (): number => randomInt(FIRST_REHEARSAL, 2 ** 40);

export const isRehearsalSlot = (slot: number): boolean => slot >= FIRST_REHEARSAL;

const REHEARSAL = /^(\d+)-dry-run-(\d+)$/;

/** The slots of rehearsals that go on, which no attempt in the plan tells of. */
export async function dryRunSlots({ root, env }: Around): Promise<Set<number>> {
  const prefix = ownPrefix(root);
  const slots = new Set<number>();
  for (const name of await readdir(aroundTmp(env)).catch(() => [])) {
    const [, slot, pid] = (name.startsWith(prefix) && REHEARSAL.exec(name.slice(prefix.length))) || [];
    if (slot !== undefined && isRunning(Number(pid))) slots.add(Number(slot));
  }
  return slots;
}

/** Of attempts whose slot is free. The caller makes sure that no slot is given out meanwhile. */
export async function setTmpAside({ root, env }: Around, taken: ReadonlySet<number | null>): Promise<void> {
  const [around, prefix] = [aroundTmp(env), ownPrefix(root)];
  for (const name of await readdir(around).catch(() => [])) {
    const [, slot] = (name.startsWith(prefix) && /^(\d+)-(?:ATT-|dry-run-)/.exec(name.slice(prefix.length))) || [];
    if (slot === undefined || taken.has(Number(slot)) || !(await isOurs(join(around, name)))) continue;
    // One that began meanwhile.
    const pid = REHEARSAL.exec(name.slice(prefix.length))?.[2];
    if (pid !== undefined && isRunning(Number(pid))) continue;
    const aside = join(around, `${prefix}${GONE}${process.pid}-${name.slice(prefix.length)}`);
    // Its own program may just be removing it.
    await rename(join(around, name), aside).catch(() => undefined);
  }
}

/** What cannot be removed now is tried again by the next one. */
export const removeTmpAside = ({ root, env }: Around): Promise<void> =>
  removeLeftovers(aroundTmp(env), ownPrefix(root) + GONE).catch(() => undefined);

const GONE = "gone-";

async function removeLeftovers(around: string, slotName: string): Promise<void> {
  for (const name of await readdir(around)) {
    const path = join(around, name);
    // Another user of the temporary folder could have made it, as a link to one of our folders.
    if (name.startsWith(slotName) && (await isOurs(path))) await removeAll(path);
  }
}

async function isOurs(folder: string): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined);
  return found?.isDirectory() === true && (process.getuid === undefined || found.uid === process.getuid());
}

/** Most workers leave nothing there but what they were given. False if there is more. */
async function removeEmpty(tmp: string, bundle: string): Promise<boolean> {
  try {
    // A link would lead elsewhere.
    if (!lstatSync(tmp).isDirectory()) return false;
    await unlink(bundle);
    await rmdir(tmp);
    return true;
  } catch {
    return false;
  }
}

/** Tests leave folders that may not be written to; these are made writable first. */
async function removeAll(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch {
    await makeWritable(path);
    await rm(path, { recursive: true, force: true });
  }
}

async function makeWritable(folder: string): Promise<void> {
  await chmod(folder, 0o700);
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await makeWritable(join(folder, entry.name));
  }
}
