// A place in which only what it needs is within a worker's reach: the system to read, its own worktree and folders to write. bubblewrap
// makes it on Linux; on macOS a profile comes close. What has no such place runs with your rights, and says so.

import { lstatSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { realPath } from "../../base/paths.js";
import { step } from "../../model/next-step.js";
import { ok, type Result, refused } from "../../model/result.js";
import { findCommand } from "../process/environment.js";
import type { Wrap } from "../process/start.js";
import { bubblewrap, tryBubblewrap } from "./bubblewrap.js";
import type { Network, OwnFolders } from "./confinement.js";
import { lettingKeyIn, type ReachInput, reach } from "./reach.js";
import { openRelays } from "./relay.js";
import { seatbelt, trySeatbelt } from "./seatbelt.js";
import { SIGN_IN_VARIABLES } from "./sign-in.js";

export type SandboxMode = "auto" | "off" | "require";

export interface SandboxInput extends ReachInput {
  /** The worker's own, from `attemptEnvironment`: it names the folders that are its own. */
  readonly env: Readonly<Record<string, string>>;
  readonly network?: Network;
  /** Ports of this machine that `loopback` lets it reach. */
  readonly ports?: readonly number[];
  /** Whose home folder it is: two that share a worktree share nothing else. */
  readonly who?: "worker" | "reviewer";
}

export interface Sandbox {
  readonly kind: "bubblewrap" | "seatbelt" | "none";
  readonly wrap: Wrap;
  /** Why there is none; empty if there is one. */
  readonly why: string;
  /** The folder of this machine that is the home folder inside. Null without a sandbox. */
  readonly home: string | null;
}

type Kind = Exclude<Sandbox["kind"], "none">;
type Ability = { readonly kind: Kind; readonly program: string } | { readonly kind: "none"; readonly why: string };

const none = (why: string): Sandbox => ({
  kind: "none",
  wrap: (command, args) => ({ command, args }),
  why,
  home: null,
});

export async function sandboxFor(wish: SandboxMode, place: SandboxInput): Promise<Result<Sandbox>> {
  const found = await findSandbox(wish, place.env["PATH"]);
  if (!found.ok) return found;
  const { value } = found;
  if (value.kind === "none") return ok(none(value.why));
  const asked = lettingKeyIn(place);
  return asked === undefined ? ok(confine(value, place)) : keyWithin(asked, place.hidden ?? "");
}

function keyWithin(asked: string, folder: string): Result<never> {
  const message = `execution.readable or execution.writable names ${asked}, which holds ${folder}: your settings folder, with the key that proves you. No worker may reach it. Name what workers need, and nothing around it.`;
  return refused("key-within-reach", message, { next: [step("config.list")] });
}

/** Whether there is one, without making it. */
export async function findSandbox(wish: SandboxMode, path: string | undefined): Promise<Result<Ability>> {
  if (wish === "off") return ok({ kind: "none", why: "execution.sandbox is off" });
  const found = await abilityHere(path);
  if (found.kind !== "none" || wish === "auto") return ok(found);
  return refused(
    "no-sandbox",
    `execution.sandbox is "require", and ${found.why}. ${howToConfine()} Or set it to "auto".`,
    {
      next: [step("config.set", { key: "execution.sandbox", value: "auto" })],
    },
  );
}

export const howToConfine = (platform: NodeJS.Platform = process.platform): string =>
  platform === "linux"
    ? "Install bubblewrap (apt-get install bubblewrap, dnf install bubblewrap); in a container, allow user namespaces."
    : "There is no sandbox for this system: use a container or a virtual machine for work that you do not trust.";

const abilities = new Map<string, Promise<Ability>>();

/** Containers often forbid what it needs: whether it works is tried once, and then known. */
function abilityHere(path: string | undefined): Promise<Ability> {
  const isMac = process.platform === "darwin";
  const program = findCommand(isMac ? "sandbox-exec" : "bwrap", path, "/");
  if (program === undefined) {
    const why = isMac ? "sandbox-exec is not there" : "bubblewrap (bwrap) is not installed";
    return Promise.resolve({ kind: "none", why });
  }
  const known = abilities.get(program) ?? tryOut(isMac ? "seatbelt" : "bubblewrap", program);
  abilities.set(program, known);
  return known;
}

async function tryOut(kind: Kind, program: string): Promise<Ability> {
  const trouble = await (kind === "seatbelt" ? trySeatbelt(program) : tryBubblewrap(program));
  return trouble === undefined ? { kind, program } : { kind: "none", why: `${kind} cannot run here: ${trouble}` };
}

/** Where the person's own things would be looked for, and by which a program could be led to another folder. */
const FOLDERS_ELSEWHERE = ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR"];

/** Tools keep caches in the home folder. In a sandbox they use the attempt's own. */
const CACHES = {
  XDG_CACHE_HOME: "xdg",
  npm_config_cache: "npm",
  PIP_CACHE_DIR: "pip",
  GOCACHE: "go",
  YARN_CACHE_FOLDER: "yarn",
};

function variablesInside({ PLANWRIGHT_CACHE: cache }: SandboxInput["env"]): Record<string, string | null> {
  const caches = cache === undefined ? {} : mapValues(CACHES, (folder) => join(cache, folder));
  const elsewhere = [...FOLDERS_ELSEWHERE, ...SIGN_IN_VARIABLES].map((name) => [name, null] as const);
  return { ...Object.fromEntries(elsewhere), ...caches };
}

const mapValues = (record: Readonly<Record<string, string>>, change: (value: string) => string) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));

/** Beside the temporary folder, where nothing inside can see the others. */
export const homesFolder = (tmp: string): string => `${tmp}.homes`;

/** In a shared folder, another user may have made one of that name. */
function ownFolder(path: string): string {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const { uid, mode } = lstatSync(path);
  if (lstatSync(path).isDirectory() && uid === process.getuid?.() && (mode & 0o077) === 0) return path;
  throw new Error(
    `${path} is there and is not a folder of yours alone. Remove it, or set TMPDIR to a folder of your own.`,
  );
}

function ownFolders({ env, who = "worker" }: SandboxInput): OwnFolders {
  const { HOME: home, PLANWRIGHT_TMP: tmp } = env;
  if (tmp === undefined) throw new Error("a sandbox needs the temporary folder of an attempt");
  const homes = ownFolder(homesFolder(tmp));
  const own = join(homes, who);
  const folders = { homeFolder: join(own, "home"), tmp: join(own, "tmp"), relays: join(own, "ports") };
  for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true, mode: 0o700 });
  if (home === undefined || home === "/") return { ...folders, around: own, home: undefined, homes: [] };
  return { ...folders, around: own, home, homes: [...new Set([home, realPath(home)])] };
}

function confine({ kind, program }: Exclude<Ability, { kind: "none" }>, place: SandboxInput): Sandbox {
  const own = ownFolders(place);
  const commandIn = kind === "seatbelt" ? seatbelt : bubblewrap;
  const variables = variablesInside(place.env);
  // Looked up for each command: folders that are let in may come later.
  const { network = "all" } = place;
  const wrap: Wrap = (command, args, asked = []) => {
    const ports = network === "loopback" ? [...new Set([...(place.ports ?? []), ...asked])] : [];
    if (ports.length > 0) openRelays(own.relays, ports);
    const parts = { own, reach: reach(place), network, ports, variables };
    return commandIn(program, parts, command, args);
  };
  return { kind, wrap, why: "", home: own.homeFolder };
}
