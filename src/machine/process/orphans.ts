// Children that outlive a program that was killed. While a child runs, a note in a folder of its workspace says when it
// started and who owns it. A later program ends those whose owner is gone. Systems reuse process numbers, so a process
// counts as the noted one only if it also started at that time.

import { AsyncLocalStorage } from "node:async_hooks";
import { createHash } from "node:crypto";
import { mkdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { codeOf } from "../../base/errors.js";
import { namesInFolder } from "../../base/paths.js";
import { readPlainFile } from "../../base/plain-file.js";
import { clockMs } from "./clock.js";
import { descendantsOf, isRunning, killEach, readProcess, signalGroup } from "./group.js";

interface Note {
  readonly child: string;
  readonly owner: number;
  readonly ownerBegan: string;
}

let ownBoot: string | undefined;
let ownStart: string | undefined;

/** The boot and the namespace that process numbers belong to. They do not change while this program runs. */
const boot = (): string =>
  (ownBoot ??= `${readPlainFile("/proc/sys/kernel/random/boot_id").trim()} ${readlinkSync("/proc/self/ns/pid")}`);

/** Identifies a process together with its number. Undefined if it has ended, and on systems without /proc. */
export function beganAt(pid: number): string | undefined {
  const found = readProcess(pid);
  return found === undefined || found.state === "Z" ? undefined : `${boot()} ${found.startTime}`;
}

const notesFolder = new AsyncLocalStorage<string>();

/** Notes every child that `work` starts in this folder. Each flow has its own: a process may have several workspaces open. */
export function noteChildrenIn<T>(folder: string, work: () => T): T {
  mkdirSync(folder, { recursive: true });
  return notesFolder.run(folder, work);
}

/** The result removes the note. Without a note, nothing ends the process later, and that is all. */
export function noteRunning(pid: number | undefined, folder = notesFolder.getStore()): () => void {
  if (folder === undefined || pid === undefined) return () => {};
  ownStart ??= beganAt(process.pid);
  const [child, ownerBegan] = [beganAt(pid), ownStart];
  if (child === undefined || ownerBegan === undefined) return () => {};
  const file = join(folder, `${pid}.json`);
  const note = JSON.stringify({ child, owner: process.pid, ownerBegan } satisfies Note);
  try {
    writeNote(file, note);
  } catch {
    return () => {};
  }
  return () => rmSync(file, { force: true });
}

/** The folder is nearly always there, and an attempt starts a dozen children. */
function writeNote(file: string, note: string): void {
  try {
    writeFileSync(file, note, { mode: 0o600 });
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, note, { mode: 0o600 });
  }
}

function readNote(file: string): Note | undefined {
  try {
    const { child, owner, ownerBegan } = JSON.parse(readPlainFile(file)) as Partial<Note>;
    return typeof child === "string" && typeof owner === "number" && typeof ownerBegan === "string"
      ? { child, owner, ownerBegan }
      : undefined;
  } catch {
    return undefined;
  }
}

/** Between SIGTERM and SIGKILL. Git removes its locks on SIGTERM. */
const GRACE_MS = 1_000;
const LOOK_MS = 10;

/** Ends the children of owners that are gone, with everything that they started. */
export async function endOrphans(folder: string): Promise<void> {
  for (const name of namesInFolder(folder).filter((each) => /^[1-9]\d*\.json$/.test(each))) {
    const file = join(folder, name);
    const note = readNote(file);
    if (note !== undefined && beganAt(note.owner) === note.ownerBegan) continue;
    if (note !== undefined) await endGroup(Number.parseInt(name, 10), note.child);
    rmSync(file, { force: true });
  }
}

async function endGroup(pid: number, began: string): Promise<void> {
  const isThere = (): boolean => beganAt(pid) === began;
  if (!isThere()) return;
  const descendants = descendantsOf(pid);
  // A descendant may lead a group of its own.
  for (const leader of [pid, ...descendants]) signalGroup(leader, "SIGTERM");
  const until = clockMs() + GRACE_MS;
  while (isThere() && clockMs() < until) await sleep(LOOK_MS);
  signalGroup(pid, "SIGKILL");
  killEach(descendants);
  while (isThere() && clockMs() < until + GRACE_MS) await sleep(LOOK_MS);
}

// Whether the program that drives an attempt or a planning run still runs.

/** The start time of a process, shortened. Systems reuse process numbers, so the number alone is not enough. */
const markOf = (pid: number): string | undefined => {
  const began = beganAt(pid);
  return began === undefined ? undefined : createHash("sha256").update(began).digest("hex").slice(0, 12);
};

/** `host/pid@mark`: this program. */
export function ownDriver(): string {
  const mark = markOf(process.pid);
  return `${hostname()}/${process.pid}${mark === undefined ? "" : `@${mark}`}`;
}

/** A process on another machine cannot be seen, so its lease counts. */
export function isAlive(driver: string): boolean {
  const [, host, pid, mark] = /^(.*)\/(\d+)(?:@([0-9a-f]+))?(?:#|$)/.exec(driver) ?? [];
  if (host !== hostname()) return true;
  if (Number(pid) === process.pid) return false;
  if (mark !== undefined) return markOf(Number(pid)) === mark;
  return isRunning(Number(pid));
}
