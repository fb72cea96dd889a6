// What an attempt has for itself in addition to its worktree: ports, a temporary folder, a cache, and an environment that tells
// it so. Of the program's own environment it sees what any command needs and what the configuration names.

import { createHash, randomInt } from "node:crypto";
import { existsSync } from "node:fs";
import { chmod, lstat, mkdir, readdir, rename, rm } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { messageOf } from "../../base/errors.js";
import { step } from "../../model/next-step.js";
import { ok, type Result, refused } from "../../model/result.js";
import { commandEnvironment, type Environment } from "../process/environment.js";
import { isRunning } from "../process/group.js";
import { closeRelays } from "../sandbox/relay.js";
import { homesFolder } from "../sandbox/sandbox.js";

export interface AttemptEnvironmentInput {
  /** Unique in the workspace while the attempt lives. */
  readonly slot: number;
  /** Whose ports it gets, if not those of its slot. */
  readonly lane?: number;
  /** Its key, such as `ATT-00001`. */
  readonly attempt: string;
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
  /** For the checks of an attempt, beside what its worker has. */
  readonly isForChecks?: boolean;
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
  const cache = slotCache(root, slot) + (place.isForChecks === true ? CHECKS_SUFFIX : "");
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
    await removeAll(tmp);
    closeRelays(homesFolder(tmp));
    await removeAll(homesFolder(tmp));
  };
  return ok({ variables, tmp, cache, bundle, release: () => ports.release(), dispose });
}

/** What the checks of a slot have ends so. */
export const CHECKS_SUFFIX = "-checks";

export const slotCache = (root: string, slot: number): string => join(root, ".planwright", "cache", `slot-${slot}`);

function noPorts(slot: number, { from, each }: PortSettings): Result<never> {
  const message = `There is no free range of ${each} ports from ${from} on for slot ${slot}. Set execution.ports to another start or a smaller range.`;
  return refused("no-ports", message, { next: [step("config.set", { key: "execution.ports" }, "value")] });
}

/**
 * In the system's temporary folder, because tools look for their settings in the folders above, and for a repository.
 * Its name tells the slot, so that what a killed program has left there is found and removed, and the attempt, so that
 * a program that was only paused removes its own and never that of the next one.
 */
async function ownTmp({
  root,
  slot,
  attempt,
  env,
  again,
  isForChecks,
}: AttemptEnvironmentInput): Promise<Result<string>> {
  const around = aroundTmp(env);
  const slotName = `${ownPrefix(root)}${slot}-${isForChecks === true ? "checks-" : ""}`;
  const tmp = join(around, slotName + attempt.replace(/[^\w-]/g, "_"));
  try {
    if (again !== true) await removeLeftovers(around, slotName);
    await mkdir(tmp, { mode: 0o700 });
    return ok(tmp);
  } catch (error) {
    if (again === true && (await isOurs(tmp))) return ok(tmp);
    const message = `The temporary folder ${tmp} cannot be used: ${messageOf(error)}. Set TMPDIR to a folder of your own.`;
    return refused("no-tmp", message);
  }
}

const aroundTmp = (env: Environment): string => env["TMPDIR"] ?? tmpdir();

const ownPrefix = (root: string): string =>
  `planwright-${createHash("sha256").update(root).digest("hex").slice(0, 12)}-`;

type Workspace = Pick<AttemptEnvironmentInput, "root" | "env">;

const FIRST_REHEARSAL = 1_000_000;

/** No other rehearsal has this slot, not even one on another machine. It has no attempt, so its process is its key. */
export const newRehearsal = (): { slot: number; key: string } => ({
  slot: randomInt(FIRST_REHEARSAL, 2 ** 40),
  key: `dry-run-${process.pid}`,
});

export const isRehearsalSlot = (slot: number): boolean => slot >= FIRST_REHEARSAL;

/** The number in the second group is the process of a rehearsal. */
const OF_SLOT = /^(\d+)-(?:(?:checks-)?ATT-|dry-run-(\d+)(?:\.homes)?$)/;

async function tmpFolders({ root, env }: Workspace) {
  const [around, prefix] = [aroundTmp(env), ownPrefix(root)];
  const names = (await readdir(around).catch(() => [])).filter((name) => name.startsWith(prefix));
  return names.flatMap((name) => {
    const [, slot, pid] = OF_SLOT.exec(name.slice(prefix.length)) ?? [];
    const isRehearsing = pid !== undefined && isRunning(Number(pid));
    return slot === undefined ? [] : [{ name: name.slice(prefix.length), slot: Number(slot), isRehearsing }];
  });
}

/** The slots of rehearsals that go on, which no attempt in the plan tells of. */
export const dryRunSlots = async (workspace: Workspace): Promise<Set<number>> =>
  new Set((await tmpFolders(workspace)).flatMap(({ slot, isRehearsing }) => (isRehearsing ? slot : [])));

/** Moves temporary folders away whose slot is free. The caller makes sure that no slot is given out meanwhile. */
export async function setTmpAside(workspace: Workspace, taken: ReadonlySet<number | null>): Promise<void> {
  const prefix = join(aroundTmp(workspace.env), ownPrefix(workspace.root));
  // A rehearsal may have begun since the slots were read.
  const free = (await tmpFolders(workspace)).filter(({ slot, isRehearsing }) => !taken.has(slot) && !isRehearsing);
  for (const { name } of free) {
    // Its own program may just be removing it.
    if (await isOurs(prefix + name))
      await rename(prefix + name, `${prefix}${GONE}${process.pid}-${name}`).catch(() => undefined);
  }
}

/** What cannot be removed now is tried again by the next one. */
export const removeTmpAside = ({ root, env }: Workspace): Promise<void> =>
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

// A range of ports that no other program uses. The ranges of two slots never meet, whatever is taken already. One port more
// than asked for is kept open beside each range while it is in use: another program, even one of another workspace,
// sees that and passes on. The system closes it when its program is killed.

export interface PortSettings {
  readonly from: number;
  readonly each: number;
}

interface PortRange {
  readonly first: number;
  readonly last: number;
  release(): void;
}

const PORTS = 65_536;
/** Slots that can have ports at once; fewer where the ranges are large. */
const LANES = 64;
const LOOPBACK = ["127.0.0.1", "::1"] as const;

/** Where the range of a slot may begin, best first. */
export function rangeStartsFor(slot: number, { from, each }: PortSettings): number[] {
  const width = each + 1;
  const ranges = Math.floor((PORTS - from) / width);
  const lanes = Math.min(LANES, ranges);
  if (slot > lanes) return [];
  const beginnings: number[] = [];
  for (let range = slot - 1; range < ranges; range += lanes) beginnings.push(from + range * width);
  return beginnings;
}

function listen(port: number, host: string): Promise<Server | "taken" | "no-such-host"> {
  return new Promise((done) => {
    const server = createServer((socket) => socket.destroy()).unref();
    server.once("error", ({ code }: NodeJS.ErrnoException) =>
      done(code === "EADDRNOTAVAIL" || code === "EAFNOSUPPORT" ? "no-such-host" : "taken"),
    );
    server.listen({ port, host, exclusive: true }, () => done(server));
  });
}

async function isFree(port: number): Promise<boolean> {
  for (const host of LOOPBACK) {
    const heard = await listen(port, host);
    if (heard === "taken") return false;
    if (heard !== "no-such-host") await new Promise((closed) => heard.close(closed));
  }
  return true;
}

/** The first free range of a slot; undefined if there is none. */
export async function takePorts(slot: number, settings: PortSettings): Promise<PortRange | undefined> {
  for (const first of rangeStartsFor(slot, settings)) {
    const guard = await listen(first + settings.each, LOOPBACK[0]);
    if (typeof guard === "string") continue;
    const ports = Array.from({ length: settings.each }, (_, i) => first + i);
    const free = await Promise.all(ports.map(isFree));
    if (free.every(Boolean)) return { first, last: first + settings.each - 1, release: () => void guard.close() };
    guard.close();
  }
  return undefined;
}
