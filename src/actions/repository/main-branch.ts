// Which branch work starts from and lands on, by the settings, the repository, and what `init` noted.

import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { findMainBranch, type MainBranch } from "../../git/main-branch.js";
import { readRef, shortName } from "../../git/refs.js";
import { findRepository } from "../../git/repository.js";
import { step } from "../../graph/next-step.js";
import { ok, type Result, refused } from "../../graph/result.js";
import type { Context } from "../context.js";

export type OfRepository = Pick<Context, "root" | "gitSettings">;

/** A file and no row of the store: some ask while they read the store, and cannot read it a second time. */
const NOTE = "repository.json";

/** Null if nothing says which branch it is. */
export async function readMainBranch({ root, gitSettings }: OfRepository): Promise<MainBranch | null> {
  const { mainBranch: setting } = await gitSettings();
  return findMainBranch(root, { setting, seen: notedBranch(join(root, ".planwright")) });
}

/** What `init` saw. */
function notedBranch(folder: string): string | null {
  try {
    const { mainBranch } = JSON.parse(readFileSync(join(folder, NOTE), "utf8")) as { mainBranch?: unknown };
    return typeof mainBranch === "string" && mainBranch !== "" ? mainBranch : null;
  } catch {
    return null;
  }
}

/** `init` saw a repository, and there is none now. */
export const hasLostRepository = (root: string): boolean =>
  notedBranch(join(root, ".planwright")) !== null && findRepository(root) === undefined;

/** A later `init` in a repository that has moved on does not change where work lands. */
export function noteMainBranch(folder: string, mainBranch: string | null): void {
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

/** Its full name. */
export const mainRefOf = async (context: OfRepository): Promise<string | null> =>
  (await readMainBranch(context))?.ref ?? null;

/** Null if there is no such branch, or no commit yet. */
export async function mainCommitOf(context: OfRepository): Promise<string | null> {
  const ref = await mainRefOf(context);
  return ref === null ? null : readRef(context.root, ref);
}

export interface MainTip {
  readonly ref: string;
  /** As users write it. */
  readonly name: string;
  readonly commit: string;
}

export async function requireMainBranch(context: OfRepository): Promise<Result<MainTip>> {
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
