// Views of steps that a coding agent serves itself.

import type { ReportedStep } from "../../../../app/operations/planning/host-planning.js";
import { harmless } from "../../../../app/text/harmless.js";
import { ok, usage } from "../../../../app/vocabulary.js";
import { readText } from "../../read-text.js";
import type { ViewOf } from "../../view.js";

function stepLines({ run, status, stage, ask, progress, questions, stopped }: ReportedStep): string[] {
  const state = stopped === null ? status : `${status} (${stopped})`;
  const asked =
    ask === null
      ? questions.map(({ id, question }) => `${id}  ${question}`)
      : [
          `${ask.call}  ${ask.role} (${ask.stage}), ${ask.session === null ? ask.conversation : `resume ${ask.session}`}`,
          ...(ask.prompt === undefined ? [] : ["", ask.prompt]),
          ...(ask.schema === undefined ? [] : ["", "Schema of the answer:", JSON.stringify(ask.schema)]),
        ];
  return [...progress, `${run} ${state}, stage ${stage}`, ...asked];
}

const stepText = (step: ReportedStep): string => stepLines(step).map(harmless).join("\n");

const step: ViewOf<"plan.step"> = { text: stepText, next: ({ next }) => next };

const submit: ViewOf<"plan.submit"> = {
  inputs: { file: ["read the answer from a file, or - for standard input", "FILE"] },
  prepare: async (input, terminal) => {
    const { file, ...rest } = input;
    if (typeof file !== "string") return ok(input);
    if (rest["output"] !== undefined) return usage("usage", "--output and --file cannot be given together.");
    const read = await readText(file, terminal);
    return read.ok ? ok({ ...rest, output: read.value }) : read;
  },
  text: stepText,
  next: ({ next }) => next,
};

const lookUp: ViewOf<"plan.look-up"> = { text: ({ text }) => harmless(text) };

const answer: ViewOf<"plan.answer"> = {
  text: ({ id, label }, style) => `${style.green("✓")} ${id}  ${harmless(label)}`,
  next: ({ next }) => next,
};

export const hostPlanningViews = {
  "plan.step": step,
  "plan.submit": submit,
  "plan.look-up": lookUp,
  "plan.answer": answer,
};
