// The sandbox on macOS: a profile of what may be read and written, which the system's own `sandbox-exec` applies. It has no namespaces:
// processes of others can be seen, and the temporary folders of the system are shared. It has not been tried on a Mac yet.

import { isInside, realPath } from "../../base/paths.js";
import { run } from "../process/run.js";
import type { Command, Confinement } from "./confinement.js";
import { type Mount, wordsIn } from "./reach.js";

const PROBE_MS = 20_000;

/** What programs need of the system to start at all. */
const SYSTEM =
  `/usr /bin /sbin /opt /etc /private/etc /System /Library /Applications /dev/fd /private/var/db/timezone /private/var/select`.split(
    /\s+/,
  );

/** Names, users, certificates. By others, such as that which opens applications, a worker would get out. */
const SERVICES = `com.apple.system.opendirectoryd.libinfo com.apple.system.opendirectoryd.membership
  com.apple.system.notification_center com.apple.system.logger com.apple.logd com.apple.trustd com.apple.trustd.agent
  com.apple.SecurityServer com.apple.SystemConfiguration.configd com.apple.SystemConfiguration.DNSConfiguration
  com.apple.dnssd.service com.apple.networkd`.split(/\s+/);

/** Not the terminals of others. */
const DEVICES = ["/dev/null", "/dev/zero", "/dev/tty", "/dev/dtracehelper"];
const RANDOM = ["/dev/random", "/dev/urandom"];

const quoted = (path: string): string => `"${path.replace(/[\\"]/g, "\\$&")}"`;
const files = (paths: readonly string[]): string => paths.map((path) => `(literal ${quoted(path)})`).join(" ");
const folders = (paths: readonly string[]): string => paths.map((path) => `(subpath ${quoted(path)})`).join(" ");

/** Addresses only: everybody else's sockets are files (tmux, an agent with keys, containers). Names are looked up through one of them. */
const NETWORK = {
  all: '(allow network* (local ip "*:*") (remote ip "*:*")) (allow network-outbound (literal "/private/var/run/mDNSResponder"))',
  loopback: '(allow network* (local ip "localhost:*") (remote ip "localhost:*"))',
  none: "",
};

/** Everything is denied that is not named. */
export function seatbeltProfile({ own, reach, network }: Confinement, words: readonly string[]): string {
  const places = (access: Mount["access"]): string[] =>
    reach.filter((mount) => mount.access === access).map(({ from }) => from);
  const writable = [...places("write"), realPath(own.homeFolder), realPath(own.tmp)];
  const readable = [
    ...SYSTEM,
    ...places("read"),
    ...wordsIn(
      words.filter((word) => !writable.some((path) => isInside(word, path))),
      own.home,
    ).map(({ from }) => from),
    ...writable,
  ];
  return [
    "(version 1)",
    "(deny default)",
    '(import "system.sb")',
    "(allow process-fork) (allow process-exec) (allow signal (target same-sandbox))",
    "(allow sysctl-read) (allow ipc-posix-shm*)",
    `(allow mach-lookup ${SERVICES.map((name) => `(global-name ${quoted(name)})`).join(" ")})`,
    "(allow file-read-metadata)",
    `(allow file-read* ${files(["/", ...DEVICES, ...RANDOM])} ${folders(readable)})`,
    `(allow file-write* ${folders(writable)} ${files(DEVICES)})`,
    `(allow network-bind network-outbound ${folders(writable)})`,
    NETWORK[network],
  ].join("\n");
}

/** The home folder cannot be laid over another one here, so the variable says where it is. */
export function seatbelt(program: string, parts: Confinement, command: string, args: readonly string[]): Command {
  const all = Object.entries({ ...parts.variables, HOME: parts.own.homeFolder });
  const removed = all.flatMap(([name, value]) => (value === null ? ["-u", name] : []));
  const set = all.flatMap(([name, value]) => (value === null ? [] : [`${name}=${value}`]));
  const profile = seatbeltProfile(parts, [command, ...args]);
  return { command: program, args: ["-p", profile, "/usr/bin/env", ...removed, ...set, command, ...args] };
}

export async function trySeatbelt(program: string): Promise<string | undefined> {
  const args = ["-p", "(version 1) (allow default)", "/usr/bin/true"];
  const tried = await run({ command: program, args, timeoutMs: PROBE_MS });
  return tried.exitCode === 0 ? undefined : tried.output.trim();
}
