// Keeps the workspace small: removes what work left behind and nobody needs any more.

import type { Collected } from "../../../engine/gc/collect-garbage.js";
import type { Result } from "../../../model/result.js";
import { operation } from "../../operation.js";
import { flag, input, optional } from "../../schema.js";
import { executionOf } from "../execution/execution.js";

const gc = operation({
  name: "gc",
  summary: "Remove old files and refs that are no longer needed",
  description:
    "Removes transcripts, bundles of finished tasks, plans that a restore replaced, backups of upgrades, refs and temporary files once they are older than gc.transcriptDays and gc.leftoverDays. Worktrees of planning runs that were killed go at once. Unmerged work goes after execution.keepDays, and stays while you may still accept it. Packs loose git objects without removing any; gc.repository turns that off. The daemon does the same every hour.",
  who: "person",
  effect: "runs",
  destructive: true,
  input: () => input({ dryRun: optional(flag("only show what would be removed, and its size")) }),
  examples: [
    { input: { dryRun: true }, does: "shows what would be removed, and its size" },
    { input: {}, does: "removes it" },
  ],
  run: async (session, asked): Promise<Result<Collected>> => {
    const execution = await executionOf(session);
    if (!execution.ok) return execution;
    const { collectGarbage } = await import("../../../engine/gc/collect-garbage.js");
    return collectGarbage({ ...execution.value.garbage, ...asked, context: session, signal: session.signal });
  },
});

export const gcOperations = { gc };
