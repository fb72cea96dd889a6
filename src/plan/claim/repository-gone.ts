// A task that was ever claimed at a commit, or whose plan was made in a repository, is not handed in without that repository: then
// nothing shows what changed, and hiding the repository would skip every protection.

import { step } from "../../model/next-step.js";
import type { Node } from "../../model/node/node.js";
import { ok, type Result, refused } from "../../model/result.js";
import type { Reader } from "../../store/store.js";
import type { Context } from "../base/context.js";
import { hasLostRepository } from "../repository/main-branch.js";
import { claimNotes } from "./claim-notes.js";

/** Asked only where there is no commit. */
export async function requireNoRepository(
  { root }: Context,
  reader: Reader,
  { nr, id }: Node,
): Promise<Result<undefined>> {
  const checkout = (await claimNotes(reader, nr))?.checkout ?? null;
  if (checkout === null && !hasLostRepository(root)) return ok(undefined);
  const began = checkout === null ? "This plan was made" : `${id} was claimed at ${checkout.head.slice(0, 12)}`;
  return refused(
    "repository-gone",
    `${began} in a git repository, which is not here now, so nothing shows what changed. Put it back and hand in again. You keep your claim. Without the repository, a person can accept the task with a reason.`,
    { details: { id, checkout }, next: [step("complete", { reference: id })] },
  );
}
