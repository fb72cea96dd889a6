// The branch that work starts from and lands on: the one that the settings name, else the one that `origin` calls its
// default, else the one that `init` saw. Never the branch that happens to be checked out.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { git, succeeded } from "./git.js";
import { listRefs, readRef } from "./refs.js";
import { findRepository, headBranch, readLine } from "./repository.js";

export interface MainBranch {
  /** Its full name, such as `refs/heads/main`. The branch may not exist: then nothing can start or land. */
  readonly ref: string;
  /** `usual`: plans from before `init` noted it have a branch `main` or `master`, or only one branch. */
  readonly source: "setting" | "origin" | "init" | "usual";
}

export interface MainBranchHints {
  readonly setting: string | null;
  /** What `init` saw. */
  readonly seen: string | null;
}

const HEADS = "refs/heads/";
const USUAL = ["main", "master"];

/** Null if nothing says which branch it is. */
export async function findMainBranch(cwd: string, { setting, seen }: MainBranchHints): Promise<MainBranch | null> {
  if (setting !== null) return { ref: HEADS + setting, source: "setting" };
  const remote = await defaultOfOrigin(cwd);
  if (remote !== null) return { ref: HEADS + remote, source: "origin" };
  if (seen !== null) return { ref: HEADS + seen, source: "init" };
  const usual = (await usualBranch(cwd)) ?? (await onlyBranch(cwd));
  return usual === null ? null : { ref: HEADS + usual, source: "usual" };
}

/** Null also if the remote renamed its branch since: then `origin/HEAD` points nowhere. */
async function defaultOfOrigin(cwd: string): Promise<string | null> {
  const name = /^refs\/remotes\/origin\/(.+)$/.exec((await headOfOrigin(cwd)) ?? "")?.[1];
  if (name === undefined) return null;
  const isThere = async (ref: string): Promise<boolean> => (await readRef(cwd, ref)) !== null;
  return (await isThere(HEADS + name)) || (await isThere(`refs/remotes/origin/${name}`)) ? name : null;
}

async function headOfOrigin(cwd: string): Promise<string | undefined> {
  const repository = findRepository(cwd);
  if (repository === undefined) return undefined;
  const ref = "refs/remotes/origin/HEAD";
  // Starting git takes longer than reading a file, and every attempt asks.
  if (!existsSync(join(repository.commonDir, "reftable")))
    return /^ref: (.+)$/.exec(readLine(join(repository.commonDir, ref)) ?? "")?.[1];
  const result = await git(cwd, ["symbolic-ref", "--quiet", ref]);
  return succeeded(result) ? result.stdout.trim() : undefined;
}

async function usualBranch(cwd: string): Promise<string | null> {
  for (const name of USUAL) if ((await readRef(cwd, HEADS + name)) !== null) return name;
  return null;
}

async function onlyBranch(cwd: string): Promise<string | null> {
  const all = [...(await listRefs(cwd, HEADS)).keys()].filter((ref) => !ref.startsWith(`${HEADS}planwright/`));
  return all.length === 1 ? (all[0] as string).slice(HEADS.length) : null;
}

/** What `init` takes for the main branch: `main` or `master` if there is one, else the checked-out branch. */
export async function seeMainBranch(cwd: string): Promise<string | null> {
  const repository = findRepository(cwd);
  if (repository === undefined) return null;
  const head = headBranch({ ...repository, gitDir: repository.commonDir }) ?? headBranch(repository);
  const checkedOut = head === null ? null : head.slice(HEADS.length);
  return checkedOut !== null && USUAL.includes(checkedOut) ? checkedOut : ((await usualBranch(cwd)) ?? checkedOut);
}
