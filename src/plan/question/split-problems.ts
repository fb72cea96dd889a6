// Everything that is wrong with a split as a worker drafted it: its form, and commands that no plan may carry.

import { dangerIn } from "../../machine/checks/dangers.js";
import type { SplitDraft, SplitPart } from "../../model/attempt/attempt.js";
import { commandsIn } from "../../model/attempt/choose-worker.js";
import { lintSplit } from "../../model/rules/split.js";

/** Each as one sentence; none, if it can be carried out. */
export const splitProblems = (draft: Pick<SplitDraft, "parts">): string[] => [
  ...lintSplit(draft),
  ...draft.parts.flatMap(dangersOf),
];

function dangersOf({ checks, body }: SplitPart, i: number): string[] {
  const commands = [...checks, ...commandsIn(body).map((run) => ({ run, cwd: "" }))];
  return commands.flatMap(({ run, cwd }) => {
    const danger = dangerIn(run, cwd);
    return danger === undefined ? [] : [`Part ${i + 1}: the command "${run.slice(0, 200)}" ${danger}.`];
  });
}
