// Processes that outlive a program that was killed outright. Each is noted in a folder while it runs, with the moment it
// began and whose it is; a later program ends those whose owner is gone. A number alone says nothing, since systems
// give it out again: only a process of that number that began at that moment is meant.

import { mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { descendantsOf, killEach, signalGroup } from "./group.js";

interface Note {
  readonly child: string;
  readonly owner: number;
  readonly ownerBegan: string;
}

let space: string | undefined;

/** The boot and the space of numbers that this program lives in: they do not change. */
const ownSpace = (): string =>
  (space ??= `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${readlinkSync("/proc/self/ns/pid")}`);

/** Since which boot, in which space of numbers, and when; undefined where the system does not tell (Linux does). */
export function beganAt(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // After the name in brackets, which may contain anything: the state, and as the twentieth the time it began.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] === "Z" || fields[19] === undefined ? undefined : `${ownSpace()} ${fields[19]}`;
  } catch {
    return undefined;
  }
}

let everywhere: string | undefined;

/** From now on everything that this program starts is noted in this folder, unless it says another. */
export function noteAllIn(folder: string): void {
  mkdirSync(folder, { recursive: true });
  everywhere = folder;
}

let self: string | undefined;

/** Gives back the way to take the note away. Without it nothing is wrong: then nobody ends the process later. */
export function noteRunning(given: string | undefined, pid: number | undefined): () => void {
  const folder = given ?? everywhere;
  if (folder === undefined || pid === undefined) return () => {};
  self ??= beganAt(process.pid);
  const [child, ownerBegan] = [beganAt(pid), self];
  if (child === undefined || ownerBegan === undefined) return () => {};
  const file = join(folder, `${pid}.json`);
  try {
    if (given !== undefined) mkdirSync(given, { recursive: true });
    writeFileSync(file, JSON.stringify({ child, owner: process.pid, ownerBegan } satisfies Note), { mode: 0o600 });
  } catch {
    return () => {};
  }
  return () => rmSync(file, { force: true });
}

function read(file: string): Note | undefined {
  try {
    const { child, owner, ownerBegan } = JSON.parse(readFileSync(file, "utf8")) as Partial<Note>;
    return typeof child === "string" && typeof owner === "number" && typeof ownerBegan === "string"
      ? { child, owner, ownerBegan }
      : undefined;
  } catch {
    return undefined;
  }
}

function notesIn(folder: string): string[] {
  try {
    return readdirSync(folder).filter((name) => /^[1-9]\d*\.json$/.test(name));
  } catch {
    return [];
  }
}

/** Between asking and ending: git takes its locks away when it is asked. */
const GRACE_MS = 1_000;
const LOOK_MS = 10;

/** Ends what owners that are gone have left running, with everything that it started. */
export async function endOrphans(folder: string): Promise<void> {
  // Most are this program's own.
  const own = beganAt(process.pid);
  const isThere = ({ owner, ownerBegan }: Note): boolean =>
    (owner === process.pid ? own : beganAt(owner)) === ownerBegan;
  for (const name of notesIn(folder)) {
    const file = join(folder, name);
    const note = read(file);
    if (note !== undefined && isThere(note)) continue;
    if (note !== undefined) await endGroup(Number.parseInt(name, 10), note.child);
    rmSync(file, { force: true });
  }
}

async function endGroup(pid: number, began: string): Promise<void> {
  const isThere = (): boolean => beganAt(pid) === began;
  if (!isThere()) return;
  const below = descendantsOf(pid);
  // A command that leads a group of its own is asked, too.
  for (const leader of [pid, ...below]) signalGroup(leader, "SIGTERM");
  const until = performance.now() + GRACE_MS;
  while (isThere() && performance.now() < until) await new Promise((wake) => setTimeout(wake, LOOK_MS));
  signalGroup(pid, "SIGKILL");
  killEach(below);
  while (isThere() && performance.now() < until + GRACE_MS) await new Promise((wake) => setTimeout(wake, LOOK_MS));
}
