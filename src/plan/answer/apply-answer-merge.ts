// Carries out a person's yes to merging main into a feature: adds a task for it, with every check of the feature.

import type { Check, Node } from "../../model/node/node.js";
import { MERGE_MAIN } from "../../model/node/profile.js";
import type { Change } from "../../model/operation/change.js";
import { absent, ok, type Result } from "../../model/result.js";
import type { Settling } from "../../model/rules/task-outcome.js";
import type { Writer } from "../../store/store.js";
import { decideAdditions } from "../node/add.js";

export interface MergeTask {
  readonly id: string;
  readonly changes: readonly Change[];
}

/** `problem`: why the feature did not land; it names the files. */
export async function decideMergeMain(
  writer: Writer,
  land: Node,
  { by, at }: Settling,
  problem: string,
): Promise<Result<MergeTask>> {
  const feature = land.feature === null ? undefined : await writer.node(land.feature);
  if (!feature) return absent("not-found", `${land.id} is in no feature.`);
  const tasks = (await writer.descendants(feature.nr)).filter(({ outcome }) => outcome?.kind === "done");
  const input = {
    tier: "task",
    title: `Merge main into ${feature.id}`,
    parent: feature.id,
    profile: MERGE_MAIN,
    body: [
      problem,
      "The worktree begins with that merge. Files that both sides changed have git's conflict markers (<<<<<<<, =======, >>>>>>>).",
      "Resolve each of them so that what both sides meant holds, and remove the markers. Change nothing else.",
    ].join("\n\n"),
    checks: [NO_MARKERS, ...distinctChecks(tasks)],
  } as const;
  const decided = await decideAdditions(writer, by, at, [{ input, where: "", isNew: true }]);
  if (!decided.ok) return decided;
  const { changes, value } = decided.value;
  return ok({ id: value.added[0] ?? "", changes });
}

/** `git grep` fails if it finds nothing, which is what is wanted. */
const NO_MARKERS: Check = { run: "! git grep -nE '^(<<<<<<<|>>>>>>>) '" };

function distinctChecks(tasks: readonly Node[]): Check[] {
  const distinct = new Map(tasks.flatMap(({ checks }) => checks).map((check) => [JSON.stringify(check), check]));
  return [...distinct.values()];
}
