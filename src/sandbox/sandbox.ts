// Keeps a worker's hands off the repository and the plan, where the system can: with bubblewrap, everything is as it was
// except that the main checkout, `.git` and `.planwright` are read-only, the worker's own worktree and folders aside. It
// needs no commit of its own, since its change set is committed for it.

import { realpath } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { findRepository } from "../git/repository.js";
import { step } from "../graph/next-step.js";
import { ok, type Result, refused } from "../graph/result.js";
import { findCommand } from "../process/find.js";
import { run } from "../process/run.js";
import type { Wrap } from "../process/wrap.js";

export type SandboxMode = "auto" | "off" | "require";

export interface SandboxInput {
  /** The folder that holds `.planwright`. */
  readonly root: string;
  readonly worktree: string;
  /** The worker's own, from `attemptEnvironment`: it names the folders that stay writable. */
  readonly env: Readonly<Record<string, string>>;
  /** Other folders that commands may write to, once they exist. */
  readonly also?: readonly string[];
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
  const file = await findCommand("bwrap", place.env["PATH"], place.root);
  const found = file === undefined ? "bubblewrap (bwrap) is not installed" : await probe(file);
  if (typeof found !== "string") {
    const args = [...found.args, ...(await bindings(place))];
    return ok({ kind: "bubblewrap", wrap: bubblewrap(found.command, args), why: "" });
  }
  if (wish === "auto") return ok(none(found));
  return refused(
    "no-sandbox",
    `execution.sandbox is "require", and ${found}. Install bubblewrap, or set it to "auto".`,
    {
      next: [step("config.set", { key: "execution.sandbox", value: "auto" })],
    },
  );
}

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

async function bind(option: "--bind" | "--ro-bind", paths: readonly (string | undefined)[]): Promise<string[]> {
  const args: string[] = [];
  for (const path of paths) {
    // What is not there needs no protection, and cannot be written to.
    const real = path === undefined ? undefined : await realpath(path).catch(() => undefined);
    if (real !== undefined) args.push(option, real, real);
  }
  return args;
}

/** The main checkout, unless it is around the home folder: agents and tools keep their own things there. */
function checkoutOf(main: string | undefined, env: SandboxInput["env"]): string | undefined {
  const home = env["HOME"];
  return main === undefined || (home !== undefined && !relative(main, home).startsWith("..")) ? undefined : main;
}

/** What decides as whom git and ssh act, and what they run on the way, in the home folder. */
function ordersIn({ HOME: home, XDG_CONFIG_HOME: xdg }: SandboxInput["env"]): string[] {
  const config = xdg ?? (home === undefined ? undefined : join(home, ".config"));
  return [
    ...(home === undefined ? [] : [join(home, ".gitconfig"), join(home, ".ssh")]),
    ...(config === undefined ? [] : [join(config, "git")]),
  ];
}

/** What comes later lies over what came before. */
export async function bindings({ root, worktree, env, also = [] }: SandboxInput): Promise<string[]> {
  const repository = findRepository(worktree);
  return [
    ...(await bind("--ro-bind", [checkoutOf(repository?.main, env), repository?.commonDir, join(root, ".planwright")])),
    ...(await bind("--ro-bind", ordersIn(env))),
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
  ];
}
