// Work needs branches, and branches need a commit to begin from.

import type { Context } from "../../actions/context.js";
import { findRepository } from "../../git/repository.js";
import { ok, type Result, refused } from "../../graph/result.js";
import { mainCommit } from "../judgement/feature-branch.js";

export async function requireRepository({ root }: Context): Promise<Result<void>> {
  if (!findRepository(root)) {
    return refused(
      "no-git",
      `${root} is in no git repository, so there is nowhere to work and nothing to merge into.`,
      {
        hint: "`git init` makes one. By hand it works without git: planwright next, planwright complete.",
      },
    );
  }
  if ((await mainCommit(root)) === null) {
    return refused("no-commit", "The repository has no commit yet, so no branch can begin.", {
      hint: "Commit what is there first: git add . && git commit",
    });
  }
  return ok(undefined);
}
