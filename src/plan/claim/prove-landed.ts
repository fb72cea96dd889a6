// A landing is proven, not claimed: the main branch contains the commit of every accepted task, or changes the same as
// they do. Without git a land task is a plain gate.

import { arrivalOf, missingFrom, type Presence, presenceIn } from "../../machine/git/merge.js";
import { featureBranch, readRef, shortName } from "../../machine/git/refs.js";
import { step } from "../../model/next-step.js";
import type { Node } from "../../model/node/node.js";
import { ok, type Result, refused } from "../../model/result.js";
import { commitsToLand } from "../../model/rules/to-land.js";
import type { Context } from "../base/context.js";
import { requireMainBranch } from "../repository/main-branch.js";

const UNVERSIONED = "unversioned: there is no repository, so nothing proves that the work is on main";

export interface LandedProof {
  /** Null if there is nothing to prove. */
  readonly sentence: string | null;
  /** The commit of main that brought the feature, if it is one. */
  readonly commit: string | null;
}

export async function proveLanded(context: Context, land: Node): Promise<Result<LandedProof>> {
  if (context.head() === null) return ok({ sentence: UNVERSIONED, commit: null });
  if (land.feature === null) return ok({ sentence: null, commit: null });
  const { cwd, store } = context;
  const feature = land.feature;
  const [tasks, id] = await store.read(async (reader) => [
    await reader.descendants(feature),
    await reader.idOf(feature),
  ]);
  const commits = commitsToLand(tasks);
  const tipOfMain = await requireMainBranch(context);
  if (!tipOfMain.ok) return tipOfMain;
  const main = tipOfMain.value.name;
  const branch = featureBranch(id ?? "");
  const tip = await readRef(cwd, branch);
  const missing = await missingFrom(cwd, main, [...commits.keys()]);
  const elsewhere = tip === null ? missing : await missingFrom(cwd, tip, missing);
  const presence: Presence | null = tip === null ? { how: "contained" } : await presenceIn(cwd, main, tip);
  if (presence !== null && elsewhere.length === 0) {
    const isThere = missing.length === 0;
    const all = `${main} contains the commits of all tasks (${commits.size})`;
    const sentence = isThere ? all : sentenceOf(presence, main, shortName(branch));
    const last = presence.how === "contained" ? await lastOf(cwd, [...commits.keys()], tip) : null;
    const found = presence.how === "squashed" ? presence.commit : null;
    return ok({ sentence, commit: last === null ? found : await arrivalOf(cwd, main, last) });
  }
  const ids = missing.flatMap((commit) => commits.get(commit) ?? []);
  const what = ids.length > 0 ? `the work of ${ids.join(", ")}` : `what is on the branch ${shortName(branch)}`;
  const message = `The branch ${main} does not contain ${what}. Land it, or update ${main} if it was merged elsewhere.`;
  return refused("not-landed", message, {
    next: id === undefined ? [] : [step("land", { reference: id })],
    details: { branch: main, missing },
  });
}

/** The commit with all others below it: the branch, or without it one of them, in whatever order the tasks are. Null if none has. */
async function lastOf(cwd: string, commits: readonly string[], tip: string | null): Promise<string | null> {
  for (const each of [...(tip === null ? [] : [tip]), ...commits.toReversed()]) {
    if ((await missingFrom(cwd, each, commits)).length === 0) return each;
  }
  return null;
}

function sentenceOf(presence: Presence, main: string, branch: string): string {
  if (presence.how === "contained") return `${main} contains ${branch}`;
  if (presence.how === "rebased") return `${main} has a commit with the same change for each of ${branch}`;
  if (presence.how === "squashed") {
    return `${main} has all of ${branch} in the one commit ${presence.commit.slice(0, 10)}`;
  }
  return `${main} has all that ${branch} changes: merging it would change nothing`;
}
