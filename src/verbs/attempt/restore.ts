import { fields, optional, text } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { attemptId } from "./attempt-shared.js";
import { restoreAttempt } from "./restore-attempt.js";

export const input = fields({ id: attemptId, to: optional(text("the name of the branch", "BRANCH")) });

export const verb = planVerb({
  name: "attempt.restore",
  command: { words: "attempt restore", group: "work", positional: ["id"] },
  summary: "Make a branch from work that was not merged",
  description: "The kept work stays kept, and no branch is overwritten.",
  who: "both",
  effect: "runs",
  input,
  examples: [{ input: { id: "ATT-00001", to: "rescue" }, does: "makes the branch rescue from its work" }],
  run: restoreAttempt,
  text: ({ id, branch, commit }, style) =>
    `${style.green("✓")} The branch ${style.bold(branch)} has what ${id} left (${commit.slice(0, 10)}).`,
});
