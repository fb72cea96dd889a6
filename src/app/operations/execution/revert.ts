// Takes landed code back, as work of its own.

import { prepareRevert, type Reverted } from "../../../actions/repository/revert.js";
import type { Result } from "../../../model/result.js";
import { operation } from "../../operation.js";
import { input, node } from "../../schema.js";

const revert = operation({
  name: "revert",
  summary: "Prepare a task that takes a landed feature's code back",
  description:
    "Adds a feature with one task. The task has the revert prepared, as a command that applies it, and a check that every file is as it was before. Approve it, run it and land it like any other work. If later work changed the same files, the task says which, and has to be done by hand. Nothing changes on the main branch until you land it.",
  who: "person",
  effect: "runs",
  input: () => input({ reference: node("the feature that landed", "FEATURE") }),
  examples: [{ input: { reference: "FEAT-001" }, does: "prepares a task that reverts what it brought" }],
  run: (session, { reference }): Promise<Result<Reverted>> => prepareRevert(session, reference),
});

export const revertOperations = { revert };
