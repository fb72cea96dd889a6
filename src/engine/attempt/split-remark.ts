// A remark about the size of the task for the prompt: do not split it, or see whether it is too big.

import { inferProfile } from "../../model/node/profile.js";
import { shouldSplit } from "../../model/rules/split.js";
import { estimateTokens } from "../../model/words.js";
import type { Context } from "../../plan/context.js";
import { mustStayWhole } from "../../plan/question/split-question.js";
import type { LiveAttempt } from "./attempt-state.js";

const ONE_PIECE = [
  "# In one piece",
  "A split of this task was proposed, and a person decided against it. Do all of it, one part after the other, and do not propose a split again.",
].join("\n\n");

const tooBig = (why: string): string =>
  [
    "# Perhaps too big",
    `Before you begin, see whether this is one task: ${why}. If it falls into parts that can be done without touching each other's files, report it as too-big with those parts instead of doing it.`,
  ].join("\n\n");

export async function splitRemark(
  context: Pick<Context, "store">,
  { task, attempt }: LiveAttempt,
  bundle: string,
  windowTokens: number | null,
): Promise<string | null> {
  if (await mustStayWhole(context, task)) return ONE_PIECE;
  if (attempt.worker.kind !== "agent" || task.kind !== "work") return null;
  const profiles = task.files.flatMap((file) => inferProfile([file]) ?? []);
  const why = shouldSplit({
    // Only the worker can count the parts.
    parts: 1,
    // A test goes with its code, so it is no profile of its own.
    profiles: profiles.some((profile) => profile !== "test") ? profiles.filter((profile) => profile !== "test") : [],
    files: task.files.length,
    bundleTokens: estimateTokens(bundle),
    windowTokens,
  });
  return why === null ? null : tooBig(why);
}
