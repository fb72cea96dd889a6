// Work needs branches, and branches need a commit to begin from.

import { findRepository, hiddenBare } from "../../machine/git/repository.js";
import { step } from "../../model/next-step.js";
import { ok, type Result, refused } from "../../model/result.js";
import type { Context } from "../../plan/context.js";
import { requireMainBranch } from "../../plan/repository/main-branch.js";

export async function requireRepository(context: Context): Promise<Result<void>> {
  const { root } = context;
  const bare = hiddenBare(root);
  if (bare !== undefined) {
    const message = `${bare} is a bare repository that git does not find from ${root}. Put a file .git there with the line "gitdir: ./.bare", and everything works as usual.`;
    return refused("bare-repository", message, { next: [step("doctor")], details: { bare } });
  }
  if (!findRepository(root)) {
    return refused(
      "no-git",
      `${root} is not in a git repository, so workers have no branch to work on. Run git init and commit, or do the work by hand.`,
      { next: [step("next")] },
    );
  }
  if (context.head() === null) {
    return refused("no-commit", "The repository has no commit yet, so no branch can start. Commit something first.");
  }
  const main = await requireMainBranch(context);
  return main.ok ? ok(undefined) : main;
}
