import { step } from "../../model/next-step.js";
import type { Result } from "../../model/result.js";
import { fields, node } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { plural } from "../text/wording.js";
import { prepareRevert, type Reverted } from "./revert-action.js";

export const input = fields({ reference: node("the feature that landed", "FEATURE") });

export const verb = planVerb({
  name: "revert",
  command: { words: "revert", group: "work", positional: ["reference"] },
  summary: "Prepare a task that takes a landed feature's code back",
  description:
    "Adds a feature with one task. The task has the revert prepared, as a command that applies it, and a check that every file is as it was before. Approve it, run it and land it like any other work. If later work changed the same files, the task says which, and has to be done by hand. Nothing changes on the main branch until you land it.",
  who: "person",
  effect: "runs",
  input,
  examples: [{ input: { reference: "FEAT-001" }, does: "prepares a task that reverts what it brought" }],
  run: (session, { reference }): Promise<Result<Reverted>> => prepareRevert(session, reference),
  text: ({ reverts, commit, feature, task, files }, style) =>
    `${style.green("✓")} ${style.bold(task)} in ${feature} reverts ${reverts} (${commit.slice(0, 10)}): ${plural(files.length, "file")}`,
  note: ({ conflicts }) =>
    conflicts.length === 0
      ? "The revert is prepared. Approve it, run it, and land it:"
      : `Later work changed ${conflicts.join(", ")} as well, so the task has to be done by hand or by an agent:`,
  next: ({ feature }) => [
    step("approve", { references: [feature] }),
    step("run", { within: feature }),
    step("land", { reference: feature }),
  ],
});
