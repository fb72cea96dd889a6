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

/** Since which boot, in which space of numbers, and when; undefined where the system does not tell (Linux does). */
export function beganAt(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // After the name in brackets, which may contain anything: the state, and as the twentieth the time it began.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (fields[0] === "Z" || fields[19] === undefined) return undefined;
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot} ${readlinkSync("/proc/self/ns/pid")} ${fields[19]}`;
  } catch {
    return undefined;
  }
}

/** Gives back the way to take the note away. Without it nothing is wrong: then nobody ends the process later. */
export function noteRunning(folder: string | undefined, pid: number | undefined): () => void {
  const [child, ownerBegan] = [pid === undefined ? undefined : beganAt(pid), beganAt(process.pid)];
  if (folder === undefined || child === undefined || ownerBegan === undefined) return () => {};
  const file = join(folder, `${pid}.json`);
  try {
    mkdirSync(folder, { recursive: true });
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

/** Ends what owners that are gone have left running, with everything that it started. */
export function endOrphans(folder: string): void {
  for (const name of notesIn(folder)) {
    const file = join(folder, name);
    const note = read(file);
    if (note !== undefined && beganAt(note.owner) === note.ownerBegan) continue;
    const pid = Number.parseInt(name, 10);
    if (note !== undefined && beganAt(pid) === note.child) {
      const below = descendantsOf(pid);
      signalGroup(pid, "SIGKILL");
      killEach(below);
    }
    rmSync(file, { force: true });
  }
}
