// Makes a worktree usable: what git does not keep comes from the main checkout, and set-up commands do the rest. A pooled
// worktree is left as it is unless what it was made from, or what is there, has changed since.

import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readPlainFile } from "../../base/plain-file.js";
import { step } from "../../model/next-step.js";
import { ok, type Result, refused } from "../../model/result.js";
import { initSubmodules } from "../git/submodules.js";
import { requireWorkingTree } from "../git/working-tree.js";
import { run } from "../process/run.js";
import type { Wrap } from "../process/start.js";
import { carryPath, digest, locksOf, NOTHING, removeCaches, setupInputs, sourceOf, stateOf } from "./carry-inputs.js";

export interface CarrySettings {
  readonly carry: readonly string[];
  readonly carryBy: "copy" | "link";
  readonly setup: readonly string[];
}

export interface WorktreeSetup {
  /** The main checkout. */
  readonly root: string;
  readonly worktree: string;
  readonly policy: CarrySettings;
  /** The whole environment of the set-up commands. */
  readonly env: Readonly<Record<string, string>>;
  /** They run code that workers wrote: the sandbox of those holds for them too. */
  readonly wrap: Wrap;
  /** What they say is kept. */
  readonly redact: (text: string) => string;
  readonly signal?: AbortSignal;
}

export interface WorktreeSetupResult {
  /** The paths that were brought, or taken away because the main checkout has none. */
  readonly refreshed: readonly string[];
  readonly ranSetup: boolean;
  /** For people: what was left out, and why. */
  readonly notices: readonly string[];
}

/** Kept in the worktree's own git folder: it goes when the worktree goes, and is no part of the work. */
interface Stamp {
  readonly paths: Readonly<Record<string, { readonly key: string; readonly state: string }>>;
  readonly setup: string;
}

const NO_STAMP: Stamp = { paths: {}, setup: "" };
const SETUP_MS = 3_600_000;
const OUTPUT_IN_FAILURE = 2_000;

/** Beside the worktree: what its set-up commands said the last time that they ran. */
export const setupLog = (worktree: string): string => `${worktree}.setup.log`;

export async function setUpWorktree(usable: WorktreeSetup): Promise<Result<WorktreeSetupResult>> {
  const { worktree, policy } = usable;
  const trouble = await initSubmodules(worktree);
  if (trouble !== undefined) {
    return refused("no-submodule", `In ${worktree} ${trouble}. Run git submodule update --init in the main checkout.`);
  }
  const file = join(requireWorkingTree(worktree).gitDir, "planwright-stamp.json");
  const stamp = readStamp(file);
  const wanted = await Promise.all(policy.carry.map((path) => look(usable, path)));
  const stale = wanted.filter(
    ({ path, key, state }) => stamp.paths[path]?.key !== key || stamp.paths[path]?.state !== state,
  );
  const keys = wanted.map(({ key }) => key);
  const inputs = policy.setup.length === 0 ? "" : digest(setupInputs(worktree, policy.setup), ...keys);
  const runs = policy.setup.length > 0 && (stale.length > 0 || stamp.setup !== inputs);
  if (stale.length === 0 && !runs) {
    return ok({ refreshed: [], ranSetup: false, notices: [] });
  }
  // If this program is killed in between, the next one starts again.
  await rm(file, { force: true });
  const carried = await carryAll(usable, stale);
  if (!carried.ok) return carried;
  const done = runs ? await setUp(usable) : ok(undefined);
  if (!done.ok) return done;
  const states = await Promise.all(policy.carry.map((path) => stateAt(worktree, path)));
  const paths = Object.fromEntries(wanted.map(({ path, key }, i) => [path, { key, state: states[i] ?? "" }]));
  await writeFile(file, JSON.stringify({ paths, setup: inputs } satisfies Stamp));
  const missing = runs ? undefined : missingPackages(worktree);
  const notices = [...carried.value, ...(missing ? [missingPackagesNotice(missing)] : [])];
  return ok({ refreshed: stale.map(({ path }) => path), ranSetup: runs, notices });
}

async function stateAt(worktree: string, path: string): Promise<string> {
  await removeCaches(join(worktree, path));
  return stateOf(join(worktree, path));
}

function readStamp(file: string): Stamp {
  try {
    return JSON.parse(readPlainFile(file)) as Stamp;
  } catch {
    return NO_STAMP;
  }
}

type CarriedPath = Awaited<ReturnType<typeof look>>;

/** `key`: what the path is made from. `fits`: both trees have the same lock files, so what the main checkout has is right here. */
async function look(usable: WorktreeSetup, path: string) {
  const { root, worktree, policy } = usable;
  const [source, state] = await Promise.all([sourceOf(join(root, path)), stateAt(worktree, path)]);
  // Where there is nothing to carry and nothing to set up, no lock file decides anything.
  const decides = source !== NOTHING || policy.setup.length > 0;
  const [there, here] = decides ? [locksOf(root, path), locksOf(worktree, path)] : ["", ""];
  const fits = there === here;
  return { path, fits, key: digest(policy.carryBy, source, here, String(fits)), state };
}

const NOT_INSTALLED =
  "is not that of the main checkout, and execution.setup in planwright.json has no command that would install what it says.";

async function carryAll({ root, worktree, policy, signal }: WorktreeSetup, stale: readonly CarriedPath[]) {
  const notices: string[] = [];
  for (const { path, fits } of stale) {
    // Set-up commands are about to change it: never through links into the main checkout.
    const by = fits ? policy.carryBy : "copy";
    const trouble = await carryPath({ root, worktree, path, by, signal });
    if (signal?.aborted) return refused("cancelled", `Bringing ${path} into ${worktree} was canceled.`);
    if (trouble !== undefined) notices.push(`${path} was not carried into ${worktree}: ${trouble}.`);
    else if (!fits && policy.setup.length === 0) notices.push(`The lock file for ${path} ${NOT_INSTALLED}`);
  }
  return ok(notices);
}

async function setUp({ worktree, policy, env, wrap, redact, signal }: WorktreeSetup): Promise<Result<void>> {
  const log = setupLog(worktree);
  let said = "";
  for (const command of policy.setup) {
    const options = { ...wrap("/bin/sh", ["-c", command]), cwd: worktree, env, timeoutMs: SETUP_MS };
    const ran = await run({ ...options, ...(signal ? { signal } : {}) });
    const output = redact(ran.output);
    said += `$ ${command}\n${output}\n`;
    await writeFile(log, said);
    if (ran.endedBy === "cancel") return refused("cancelled", `The set-up command "${command}" was canceled.`);
    if (ran.exitCode === 0) continue;
    const how = ran.exitCode === null ? `ended by ${ran.signal ?? ran.endedBy}` : `exit ${ran.exitCode}`;
    const message = `The set-up command "${command}" failed in ${worktree} (${how}). Its output is in ${log}.`;
    return refused("setup-failed", message, {
      next: [step("config.get", { key: "execution.setup" })],
      details: { command, output: output.slice(-OUTPUT_IN_FAILURE) },
    });
  }
  return ok(undefined);
}

// Packages that the project needs and a tree does not have: checks would fail for a reason that is not the work's.

type PackageManager = (typeof MANAGERS)[number];

/** `folder`: what the command fills. */
const MANAGERS = [
  { lock: "package-lock.json", folder: "node_modules", command: "npm ci" },
  { lock: "npm-shrinkwrap.json", folder: "node_modules", command: "npm ci" },
  { lock: "pnpm-lock.yaml", folder: "node_modules", command: "pnpm install --frozen-lockfile" },
  { lock: "yarn.lock", folder: "node_modules", command: "yarn install --immutable" },
  { lock: "bun.lock", folder: "node_modules", command: "bun install --frozen-lockfile" },
  { lock: "bun.lockb", folder: "node_modules", command: "bun install --frozen-lockfile" },
  { lock: "uv.lock", folder: ".venv", command: "uv sync --frozen" },
];

/** A lock file of npm may name the project alone. */
const namesPackages = (file: string): boolean =>
  !file.endsWith(".json") || readPlainFile(file).includes('"node_modules/');

/** What would install them, or undefined if nothing is missing that we know of. */
export function missingPackages(tree: string): PackageManager | undefined {
  if (existsSync(join(tree, ".pnp.cjs"))) return undefined;
  return MANAGERS.find(
    ({ lock, folder }) =>
      existsSync(join(tree, lock)) && !existsSync(join(tree, folder)) && namesPackages(join(tree, lock)),
  );
}

const missingPackagesNotice = ({ lock, folder, command }: PackageManager): string =>
  `${folder} is missing although the project has ${lock}, so checks may fail. Run ${command} in the main checkout, or set execution.setup to ["${command}"].`;
