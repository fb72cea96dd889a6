// The sandbox on Linux. Each command gets a root of its own that holds what `reach.ts` names, with namespaces of its own: it sees no
// process, no socket, no terminal and no folder of anybody else.

import { lstatSync, readlinkSync } from "node:fs";
import { isInside } from "../../base/paths.js";
import { run } from "../process/run.js";
import type { Confinement } from "./confinement.js";
import { type Mount, nameServers, SYSTEM, wordsIn } from "./reach.js";
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

/** `/proc` shows only what was started inside; `/dev` has no disk and no terminal of anybody. */
function root(): string[] {
  const names = nameServers();
  return [
    "--tmpfs",
    "/run",
    "--tmpfs",
    "/var",
    ...system(),
    "--proc",
    "/proc",
    "--dev",
    "/dev",
    ...(names === undefined ? [] : ["--ro-bind-try", names, names]),
  ];
}

/** Nothing if it works here, otherwise what it said: containers often forbid it. Without all of its namespaces it is no sandbox. */
export async function tryBubblewrap(bwrap: string): Promise<string | undefined> {
  const tried = await run({
    command: bwrap,
    args: [...NAMESPACES, ...root(), "--tmpfs", "/tmp", "--", "/bin/sh", "-c", "true"],
    timeoutMs: PROBE_MS,
  });
  return tried.exitCode === 0 ? undefined : tried.output.trim();
}

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

export function bubblewrapArguments(parts: Confinement, command: string, args: readonly string[]): string[] {
  const { own, network, ports, variables } = parts;
  const words = behindRelays(ports, command, args);
  return [
    ...NAMESPACES,
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
  ];
}
