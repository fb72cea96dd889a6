// Why a run cannot do what is asked of it now.

import { ok, type Result, refused } from "../../graph/result.js";
import type { Reader } from "../../store/store.js";
import type { PlanDraft } from "../contracts/plan-draft.js";
import { currentText } from "./artifacts.js";
import type { Run } from "./runs.js";

export async function draftOf(reader: Reader, run: Run): Promise<Result<PlanDraft>> {
  const text = await currentText(reader, run, "draft");
  if (text !== undefined) return ok(JSON.parse(text) as PlanDraft);
  return refused("no-draft", `${run.key} has no plan yet: it is in the stage ${run.machine.stage}.`, {
    hint: `\`planwright plan resume ${run.key}\` goes on.`,
  });
}

export const over = ({ key, machine }: Run): Result<never> =>
  refused("run-over", `${key} is over: it was ${machine.end}.`, { hint: "`planwright plan list` shows the others." });

export const notNow = ({ key, machine }: Run): Result<never> =>
  refused(
    "not-ready",
    `${key} is not at that point: it is in the stage ${machine.stage} and waits for ${waitsFor(machine)}.`,
    {
      hint: `\`planwright plan show ${key}\` says how it stands.`,
    },
  );

const waitsFor = ({ wait }: Run["machine"]): string =>
  wait.for === "role"
    ? `the ${wait.role}`
    : wait.for === "resume"
      ? "`planwright plan resume`"
      : wait.for === "nothing"
        ? "its start"
        : wait.for;
