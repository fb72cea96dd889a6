// The sandbox on Linux. Each command gets a root of its own that holds what `reach.ts` names, with namespaces of its own: it sees no
// process, no socket, no terminal and no folder but its own.

import { existsSync, lstatSync, mkdtempSync, readlinkSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isInside } from "../../base/paths.js";
import { run } from "../process/run.js";
import type { Command, Confinement } from "./confinement.js";
import { keyFilterIn } from "./kernel-keys.js";
import { linkedFromSystem, type Mount, SYSTEM, wordsIn } from "./reach.js";
import { behindRelays, RELAYS_INSIDE } from "./relay.js";

/** As root it would otherwise keep rights by which it could undo what follows. */
const NAMESPACES = `--unshare-user --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try
  --cap-drop ALL --new-session --die-with-parent`.split(/\s+/);

const PROBE_MS = 20_000;

/** Links at the top, such as that from `/bin` to `usr/bin`, are the same inside. */
function system(): string[] {
  return SYSTEM.flatMap((path) => {
    const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
    return isLink ? ["--symlink", readlinkSync(path), path] : ["--ro-bind-try", path, path];
  });
}

/**
 * `/proc` shows only what was started inside; `/dev` has no disk, and no terminal but its own. Settings of the kernel in `/proc` belong to
 * root. If root starts this, root inside could write them too, under any user id: so for root nothing in `/proc` can be written.
 */
function root(): string[] {
  return [
    "--tmpfs",
    "/run",
    "--tmpfs",
    "/var",
    ...system(),
    "--proc",
    "/proc",
    ...["/proc/keys", "/proc/key-users"].flatMap((file) => (existsSync(file) ? ["--ro-bind", "/dev/null", file] : [])),
    ...(process.getuid?.() === 0 ? ["--remount-ro", "/proc"] : []),
    "--dev",
    "/dev",
    ...bound(linkedFromSystem()),
  ];
}

/** Nothing if it works here, otherwise what it said: containers often forbid it. Without all of its namespaces it is no sandbox. */
export async function tryBubblewrap(bwrap: string): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "planwright-probe-"));
  try {
    const args = [...root(), "--tmpfs", "/tmp", "--", "/bin/sh", "-c", "true"];
    const tried = await run({ ...filtered(bwrap, folder, args), timeoutMs: PROBE_MS });
    return tried.exitCode === 0 ? undefined : tried.output.trim();
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** bubblewrap reads its filter from an open file. The shell opens it, and is replaced. */
const filtered = (bwrap: string, folder: string, args: readonly string[]) => ({
  command: "/bin/sh",
  args: ["-c", 'exec "$@" 9< "$0"', keyFilterIn(folder), bwrap, "--seccomp", "9", ...NAMESPACES, ...args],
});

/** A device is one only if it is let in as one. */
const option = ({ at, access }: Mount): string =>
  at.startsWith("/dev/") ? "--dev-bind-try" : access === "write" ? "--bind-try" : "--ro-bind-try";

const bound = (mounts: readonly Mount[]): string[] => mounts.flatMap((mount) => [option(mount), mount.from, mount.at]);

/** What a command names comes along, unless it lies where the worker itself may write. */
function withWords({ own, reach }: Confinement, words: readonly string[]): Mount[] {
  const writable = reach.filter(({ access }) => access === "write");
  // Asked of the word itself: a link that a worker made there may lead anywhere.
  const isItsOwn = (word: string): boolean => writable.some((mount) => isInside(word, mount.at));
  const program = wordsIn(
    words.filter((word) => !isItsOwn(word)),
    own.home,
  );
  return [...program, ...reach].sort((a, b) => a.at.length - b.at.length);
}

export function bubblewrap(bwrap: string, parts: Confinement, command: string, args: readonly string[]): Command {
  const { own, network, ports, variables } = parts;
  const words = behindRelays(ports, command, args);
  return filtered(bwrap, own.around, [
    ...(network === "all" ? [] : ["--unshare-net"]),
    ...root(),
    ...["/tmp", "/var/tmp"].flatMap((at) => ["--bind", own.tmp, at]),
    ...own.homes.flatMap((home) => ["--bind", own.homeFolder, home]),
    ...bound(withWords(parts, words)),
    ...Object.entries(variables).flatMap(([name, value]) =>
      value === null ? ["--unsetenv", name] : ["--setenv", name, value],
    ),
    ...(ports.length === 0 ? [] : ["--ro-bind", own.relays, RELAYS_INSIDE]),
    "--",
    ...words,
  ]);
}
