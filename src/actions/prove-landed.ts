// A landing is proven, not claimed: the main branch contains the commit of every accepted task. Without
// git a land task is a plain gate.

import { mainBranch, missingFrom } from "../git/contains.js";
import type { Node } from "../graph/node.js";
import { ok, type Result, refused } from "../graph/result.js";
import type { Context } from "./context.js";

/** One sentence of proof, or nothing to prove. */
export async function proveLanded(context: Context, land: Node): Promise<Result<string | null>> {
  if (context.head() === null || land.feature === null) return ok(null);
  const feature = land.feature;
  const tasks = await context.store.read((reader) => reader.descendants(feature));
  const byCommit = new Map<string, string[]>();
  for (const task of tasks) {
    const commit = task.outcome?.kind === "done" ? task.report?.commit : undefined;
    if (commit) byCommit.set(commit, [...(byCommit.get(commit) ?? []), task.id]);
  }
  const branch = await mainBranch(context.cwd);
  const missing = await missingFrom(context.cwd, branch, [...byCommit.keys()]);
  if (missing.length === 0) return ok(`${branch} contains the commits of all tasks (${byCommit.size})`);
  const ids = missing.flatMap((commit) => byCommit.get(commit) ?? []);
  return refused("not-landed", `The branch ${branch} does not contain the work of ${ids.join(", ")}.`, {
    hint: `Merge it into ${branch} first, then run \`planwright complete ${land.id}\` again.`,
    details: { branch, missing },
  });
}
