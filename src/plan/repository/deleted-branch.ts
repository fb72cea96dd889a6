// A feature's branch that somebody deleted while its accepted work has not landed.

import {
  ACCEPTED_REFS,
  acceptedRef,
  FEATURE_BRANCHES,
  featureBranch,
  listRefs,
  readRef,
  shortName,
} from "../../machine/git/refs.js";

/** One sentence, or null if the branch is there or nothing of it is kept. */
export async function deletedBranchWords(root: string, feature: string): Promise<string | null> {
  const branch = featureBranch(feature);
  if ((await readRef(root, branch)) !== null || (await readRef(root, acceptedRef(branch))) === null) return null;
  return `The branch ${shortName(branch)} was deleted. Its accepted work is kept: landing ${feature} brings it back.`;
}

/** Branches of features whose accepted work is kept. */
export async function deletedBranches(root: string): Promise<string[]> {
  const branches = await listRefs(root, FEATURE_BRANCHES);
  const kept = [...(await listRefs(root, ACCEPTED_REFS)).keys()].map((ref) =>
    ref.replace(ACCEPTED_REFS, FEATURE_BRANCHES),
  );
  return kept.filter((branch) => !branches.has(branch));
}
