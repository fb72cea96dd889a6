// Why a run cannot do what is asked of it now.

import { step } from "../../model/next-step.js";
import { ok, type Result, refused } from "../../model/result.js";
import type { Reader } from "../../store/store.js";
import { type PlanDraft, parseDraft } from "../contracts/plan-draft.js";
import { currentText } from "./artifacts.js";
import type { Run } from "./runs.js";

/** The plan as far as the run has written one. */
export async function currentDraft(reader: Reader, run: Run): Promise<Result<PlanDraft>> {
  const text = await currentText(reader, run, "draft");
  if (text !== undefined) return ok(parseDraft(text));
  return refused("no-draft", `${run.key} has no plan yet: it is in the stage ${run.machine.stage}.`, {
    next: [step("plan.resume", { run: run.key })],
  });
}

export const over = ({ key, machine }: Run): Result<never> =>
  refused("run-over", `${key} is over: it was ${machine.end}.`, { next: [step("plan.list")] });

export const notNow = ({ key, machine }: Run): Result<never> =>
  refused(
    "not-ready",
    `${key} is not ready for this. It is in the stage ${machine.stage} and waits for ${waitsFor(machine)}.`,
    { next: [step("plan.show", { run: key })] },
  );

const waitsFor = ({ wait }: Run["machine"]): string =>
  wait.for === "role"
    ? `the ${wait.role}`
    : wait.for === "resume"
      ? "you to resume it"
      : wait.for === "nothing"
        ? "its start"
        : wait.for;
