// Which branch work starts from and lands on, by the settings, the repository, and what `init` noted.

import { join } from "node:path";
import { findMainBranch, type MainBranch } from "../../machine/git/main-branch.js";
import { readRef, shortName } from "../../machine/git/refs.js";
import { step } from "../../model/next-step.js";
import { ok, type Result, refused } from "../../model/result.js";
import type { Context } from "../base/context.js";
import { notedBranch } from "./repository-note.js";

export type OfRepository = Pick<Context, "root" | "gitSettings">;

/** Null if nothing says which branch it is. */
export async function readMainBranch({ root, gitSettings }: OfRepository): Promise<MainBranch | null> {
  const { mainBranch: setting } = await gitSettings();
  return findMainBranch(root, { setting, seen: notedBranch(join(root, ".planwright")) });
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
