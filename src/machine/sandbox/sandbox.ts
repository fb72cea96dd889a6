// Keeps a worker's hands off the repository, the plan and your home folder, where the system can: with bubblewrap these are
// read-only, the worker's own worktree and folders aside. It needs no commit of its own, since its change set is committed for it.

import { realpath } from "node:fs/promises";
import { dirname, join } from "node:path";
import { isInside } from "../../base/paths.js";
import { step } from "../../model/next-step.js";
import { ok, type Result, refused } from "../../model/result.js";
import { findRepository } from "../git/repository.js";
import { findCommand } from "../process/environment.js";
import { run } from "../process/run.js";
import type { Wrap } from "../process/start.js";
import { ORDERS, WRITABLE } from "./agent-folders.js";

export type SandboxMode = "auto" | "off" | "require";

export interface SandboxInput {
  /** The folder that holds `.planwright`. */
  readonly root: string;
  readonly worktree: string;
  /** The worker's own, from `attemptEnvironment`: it names the folders that stay writable. */
  readonly env: Readonly<Record<string, string>>;
  /** Other folders that commands may write to, once they exist. */
  readonly also?: readonly string[];
  /** `deny`: nothing but this machine itself can be reached. */
  readonly network?: "allow" | "deny";
}

export interface Sandbox {
  readonly kind: "bubblewrap" | "none";
  readonly wrap: Wrap;
  /** Why there is none; empty if there is one. */
  readonly why: string;
}

/** Whatever the worker started ends with it, and it sees no process of ours. */
const OWN_PROCESSES = ["--unshare-pid", "--proc", "/proc"];
const PROBE_MS = 20_000;

const none = (why: string): Sandbox => ({ kind: "none", wrap: (command, args) => ({ command, args }), why });

export async function sandboxFor(wish: SandboxMode, place: SandboxInput): Promise<Result<Sandbox>> {
  if (wish === "off") return ok(none("execution.sandbox is off"));
  const file = findCommand("bwrap", place.env["PATH"], place.root);
  const found = file === undefined ? "bubblewrap (bwrap) is not installed" : await probe(file);
  if (typeof found !== "string") {
    const args = [...found.args, ...(await bindings(place))];
    return ok({ kind: "bubblewrap", wrap: bubblewrap(found.command, args), why: "" });
  }
  if (wish === "auto") return ok(none(found));
  return refused("no-sandbox", `execution.sandbox is "require", and ${found}. ${howToConfine()} Or set it to "auto".`, {
    next: [step("config.set", { key: "execution.sandbox", value: "auto" })],
  });
}

export const howToConfine = (platform: NodeJS.Platform = process.platform): string =>
  platform === "linux"
    ? "Install bubblewrap (apt-get install bubblewrap, dnf install bubblewrap); in a container, allow user namespaces."
    : "There is no sandbox for this system: use a container or a virtual machine for work that you do not trust.";

const bubblewrap =
  (bwrap: string, own: readonly string[]): Wrap =>
  (command, args) => ({ command: bwrap, args: [...own, "--", command, ...args] });

interface Ability {
  readonly command: string;
  readonly args: readonly string[];
}

const abilities = new Map<string, Promise<Ability | string>>();

/** Containers often forbid what it needs: whether it works is tried once, and then known. */
function probe(file: string): Promise<Ability | string> {
  const known = abilities.get(file) ?? tryOut(file);
  abilities.set(file, known);
  return known;
}

async function tryOut(command: string): Promise<Ability | string> {
  const everything = ["--die-with-parent", "--dev-bind", "/", "/"];
  let said = "";
  for (const args of [[...everything, ...OWN_PROCESSES], everything]) {
    const tried = await run({ command, args: [...args, "--", "true"], timeoutMs: PROBE_MS });
    if (tried.exitCode === 0) return { command, args };
    said = tried.output.trim();
  }
  return `bubblewrap cannot run here: ${said}`;
}

/** What is not there needs no protection, and cannot be written to or hidden. */
async function realPaths(paths: readonly (string | undefined)[]): Promise<string[]> {
  const found = paths.map(async (path) => (path === undefined ? path : realpath(path).catch(() => undefined)));
  return (await Promise.all(found)).filter((path) => path !== undefined);
}

const bind = async (option: "--bind" | "--ro-bind", paths: readonly (string | undefined)[]): Promise<string[]> =>
  (await realPaths(paths)).flatMap((path) => [option, path, path]);

/** The main checkout, unless it is around the home folder: agents and tools keep their own things there. */
function checkoutOf(main: string | undefined, env: SandboxInput["env"]): string | undefined {
  const home = env["HOME"];
  return main === undefined || (home !== undefined && isInside(home, main)) ? undefined : main;
}

/** The home folder can be read, and written only where coding agents keep their own things. */
function homeBindings({ HOME: home, XDG_CONFIG_HOME: xdg }: SandboxInput["env"]): string[] {
  if (home === undefined || home === "/") return [];
  const twice = (option: string, path: string): string[] => [option, path, path];
  return [
    ...twice("--ro-bind-try", home),
    ...WRITABLE.flatMap((name) => twice("--bind-try", join(home, name))),
    ...ORDERS.flatMap((name) => twice("--ro-bind-try", join(home, name))),
    ...(xdg === undefined ? [] : twice("--ro-bind-try", join(xdg, "git"))),
  ];
}

/** The secret that proves a person is in this folder: a worker finds it empty. */
async function hiddenFolders({
  HOME: home,
  XDG_CONFIG_HOME: xdg,
  PLANWRIGHT_CONFIG: own,
}: SandboxInput["env"]): Promise<string[]> {
  const config = xdg ?? (home === undefined ? undefined : join(home, ".config"));
  const folders = [own, config === undefined ? undefined : join(config, "planwright")];
  return (await realPaths(folders)).flatMap((folder) => ["--tmpfs", folder]);
}

/** Tools keep caches in the home folder. In a sandbox they use the attempt's own, so none of them poisons yours. */
const CACHES = {
  XDG_CACHE_HOME: "xdg",
  npm_config_cache: "npm",
  PIP_CACHE_DIR: "pip",
  GOCACHE: "go",
  YARN_CACHE_FOLDER: "yarn",
};

const cacheVariables = ({ HOME: home, PLANWRIGHT_CACHE: cache }: SandboxInput["env"]): string[] =>
  home === undefined || cache === undefined
    ? []
    : Object.entries(CACHES).flatMap(([name, folder]) => ["--setenv", name, join(cache, folder)]);

/** What comes later lies over what came before. */
export async function bindings({ root, worktree, env, also = [], network = "allow" }: SandboxInput): Promise<string[]> {
  const repository = findRepository(worktree);
  return [
    ...homeBindings(env),
    ...(await hiddenFolders(env)),
    ...(await bind("--ro-bind", [checkoutOf(repository?.main, env), repository?.commonDir, join(root, ".planwright")])),
    // Beside it are the worktrees of other attempts.
    ...(await bind("--ro-bind", [dirname(worktree)])),
    ...(await bind("--bind", [worktree, env["PLANWRIGHT_CACHE"], env["PLANWRIGHT_TMP"]])),
    ...also.flatMap((path) => ["--bind-try", path, path]),
    // Says which repository this is: a worker that changed it would have its work looked for elsewhere.
    ...(await bind("--ro-bind", [join(worktree, ".git")])),
    // Looking at the state must not try to write it down.
    "--setenv",
    "GIT_OPTIONAL_LOCKS",
    "0",
    ...cacheVariables(env),
    ...(network === "deny" ? ["--unshare-net"] : []),
  ];
}
