// Which branch work starts from and lands on, by the settings, the repository, and what `init` noted.

import { renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { codeOf, messageOf } from "../../base/errors.js";
import { readPlainFile } from "../../base/plain-file.js";
import { findMainBranch, type MainBranch, seeMainBranch } from "../../machine/git/main-branch.js";
import {
  ACCEPTED_REFS,
  acceptedRef,
  FEATURE_BRANCHES,
  featureBranch,
  listRefs,
  readRef,
  shortName,
} from "../../machine/git/refs.js";
import { findRepository } from "../../machine/git/repository.js";
import { step } from "../../model/next-step.js";
import { ok, type Result, refused } from "../../model/result.js";
import type { Context } from "../base/context.js";

/** A file and no row of the store: some ask while they read the store, and cannot read it a second time. */
const NOTE = "repository.json";

/** What `init` saw. */
function notedBranch(folder: string): string | null {
  try {
    const { mainBranch } = JSON.parse(readPlainFile(join(folder, NOTE))) as { mainBranch?: unknown };
    return typeof mainBranch === "string" && mainBranch !== "" ? mainBranch : null;
  } catch {
    return null;
  }
}

/** `init` saw a repository, and there is none now. */
export const hasLostRepository = (root: string): boolean =>
  notedBranch(join(root, ".planwright")) !== null && findRepository(root) === undefined;

/** A later `init` in a repository that has moved on does not change where work lands. */
function noteMainBranch(folder: string, mainBranch: string | null): void {
  if (mainBranch === null || notedBranch(folder) !== null) return;
  const file = join(folder, NOTE);
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, `${JSON.stringify({ mainBranch })}\n`);
    renameSync(draft, file);
  } catch {
    // A full disk is reported by what writes the plan. Without the note the branch is found like that of an older plan.
  }
}

/** What the folder of a plan holds beside the plan. */
export async function setUpFolder(root: string, folder: string): Promise<Result<void>> {
  const ignored = keepOutOfGit(folder);
  if (ignored.ok) noteMainBranch(folder, await seeMainBranch(root));
  return ignored;
}

/** The plan is shared through the store, not through commits. */
function keepOutOfGit(folder: string): Result<void> {
  const file = join(folder, ".gitignore");
  try {
    writeFileSync(file, "*\n", { flag: "wx" });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") {
      const message = `${file} cannot be written: ${messageOf(error)}. Free some space or get write permission, then try again.`;
      return refused("no-write", message);
    }
  }
  return ok(undefined);
}

/** One sentence, or null if the branch is there or nothing of it is kept. */
export async function deletedBranchWords(root: string, feature: string): Promise<string | null> {
  const branch = featureBranch(feature);
  if ((await readRef(root, branch)) !== null || (await readRef(root, acceptedRef(branch))) === null) return null;
  return `The branch ${shortName(branch)} was deleted. Its accepted work is kept: landing ${feature} brings it back.`;
}

/** Branches of features whose accepted work is kept. */
export async function deletedBranches(root: string): Promise<string[]> {
  const branches = await listRefs(root, FEATURE_BRANCHES);
  const kept = [...(await listRefs(root, ACCEPTED_REFS)).keys()];
  return kept.map((ref) => ref.replace(ACCEPTED_REFS, FEATURE_BRANCHES)).filter((branch) => !branches.has(branch));
}

export type OfRepository = Pick<Context, "root" | "gitSettings">;

/** Null if nothing says which branch it is. */
export async function readMainBranch({ root, gitSettings }: OfRepository): Promise<MainBranch | null> {
  const { mainBranch: setting } = await gitSettings();
  return findMainBranch(root, { setting, seen: notedBranch(join(root, ".planwright")) });
}

export const mainRefOf = async (context: OfRepository): Promise<string | null> =>
  (await readMainBranch(context))?.ref ?? null;

/** Null if there is no such branch, or no commit yet. */
export async function mainCommitOf(context: OfRepository): Promise<string | null> {
  const ref = await mainRefOf(context);
  return ref === null ? null : readRef(context.root, ref);
}

/** `name`: as users write it. */
export async function requireMainBranch(context: OfRepository) {
  const found = await readMainBranch(context);
  const commit = found === null ? null : await readRef(context.root, found.ref);
  if (found !== null && commit !== null) return ok({ ref: found.ref, name: shortName(found.ref), commit });
  const next = [step("config.set", { key: "git.mainBranch" }, "value")];
  if (found === null) {
    const message = "Nothing says which branch work lands on. Name it with the setting git.mainBranch.";
    return refused("no-main-branch", message, { next });
  }
  const name = shortName(found.ref);
  const why = { setting: "git.mainBranch names it", origin: "origin/HEAD names it", init: "init noted it", usual: "" };
  const message = `There is no branch ${name} with a commit here, and work lands on ${name} because ${why[found.source]}. Make the branch, or set git.mainBranch to another one.`;
  return refused("no-main-branch", message, { next, details: { branch: name, source: found.source } });
}
