// Whether workers could begin anything here at all.

import { requireGit } from "../../machine/git/git.js";
import { findRepository, hiddenBare } from "../../machine/git/repository.js";
import { step } from "../../model/next-step.js";
import { ok, type Result, refused } from "../../model/result.js";
import type { Context } from "../base/context.js";
import { type OfRepository, requireMainBranch } from "./main-branch.js";

export async function requireRepository(context: OfRepository & Pick<Context, "head">): Promise<Result<void>> {
  const { root } = context;
  const bare = hiddenBare(root);
  if (bare !== undefined) {
    const message = `${bare} is a bare repository that git does not find from ${root}. Put a file .git there with the line "gitdir: ./.bare", and everything works as usual.`;
    return refused("bare-repository", message, { next: [step("doctor")], details: { bare } });
  }
  if (!findRepository(root)) {
    const message = `${root} is not in a git repository, so workers have no branch to work on. Run git init and commit, or do the work by hand.`;
    return refused("no-git", message, { next: [step("next")] });
  }
  if (context.head() === null) {
    return refused("no-commit", "The repository has no commit yet, so no branch can start. Commit something first.");
  }
  requireGit();
  const main = await requireMainBranch(context);
  return main.ok ? ok(undefined) : main;
}
