// What the repository says about the work behind a question: which branch has it.

import { commitTree, contains, mergeTrees, missingFrom } from "../../machine/git/merge.js";
import { featureBranch, readRef, shortName } from "../../machine/git/refs.js";
import { findRepository } from "../../machine/git/repository.js";
import type { Context } from "../base/context.js";
import { requireMainBranch } from "../repository/main-branch.js";

export interface GitBranch {
  readonly name: string;
  readonly tip: string;
}

export type Evidence = ReturnType<typeof gitEvidence>;

const NOTHING: Evidence = {
  commitOf: async () => null,
  branchOf: async () => null,
  branchWith: async () => null,
  mainWith: async () => null,
  withWork: async () => null,
};

/** Without a repository nothing is known. */
export const evidenceOf = (context: Context): Evidence =>
  findRepository(context.root) === undefined || context.head() === null ? NOTHING : gitEvidence(context);

function gitEvidence(context: Context) {
  const { root } = context;
  const main = async (): Promise<GitBranch | null> => {
    const found = await requireMainBranch(context);
    return found.ok ? { name: found.value.name, tip: found.value.commit } : null;
  };
  const own = async (feature: string | null): Promise<GitBranch | null> => {
    if (feature === null) return null;
    const ref = featureBranch(feature);
    const tip = await readRef(root, ref);
    return tip === null ? null : { name: shortName(ref), tip };
  };
  return {
    /** The commit behind a ref such as that of work that was kept. */
    commitOf: (ref: string) => readRef(root, ref),
    /** The feature's own branch, or the main one; null without a repository. */
    branchOf: async (feature: string | null) => (await own(feature)) ?? main(),
    /** The one that has the commit: the feature's own, or the main one. */
    branchWith: async (commit: string, feature: string | null) => {
      for (const branch of [await own(feature), await main()]) {
        if (branch && (await contains(root, branch.tip, commit))) return branch;
      }
      return null;
    },
    /** The main branch, if it has all of them. */
    mainWith: async (commits: readonly string[]) => {
      const branch = await main();
      return branch && (await missingFrom(root, branch.tip, commits)).length === 0 ? branch : null;
    },
    /** A commit in no branch, with the work merged into this tip; null if they conflict. */
    withWork: async (tip: string, work: string) => {
      const merge = await mergeTrees(root, tip, work);
      return "tree" in merge ? commitTree(root, merge.tree, [tip, work], "What triage proves") : null;
    },
  };
}

/**
 * The same evidence with a memory. After `recall` it repeats what it said and asks git nothing more: everybody who wants to write waits
 * for an operation. `isComplete` is false once it was asked something new.
 */
export function rememberEvidence(evidence: Evidence) {
  let isRecalling = false;
  let isComplete = true;
  const remember = <Asked extends readonly unknown[], Said>(ask: (...asked: Asked) => Promise<Said | null>) => {
    const known = new Map<string, Said | null>();
    return async (...asked: Asked): Promise<Said | null> => {
      const key = JSON.stringify(asked);
      if (!known.has(key) && isRecalling) isComplete = false;
      else if (!known.has(key)) known.set(key, await ask(...asked));
      return known.get(key) ?? null;
    };
  };
  return {
    evidence: {
      commitOf: remember(evidence.commitOf),
      branchOf: remember(evidence.branchOf),
      branchWith: remember(evidence.branchWith),
      mainWith: remember(evidence.mainWith),
      withWork: remember(evidence.withWork),
    },
    recall: (): void => {
      isRecalling = true;
    },
    isComplete: () => isComplete,
  };
}
