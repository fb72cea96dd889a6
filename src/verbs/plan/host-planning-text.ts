import { harmless } from "../text/harmless.js";
import type { ReportedStep } from "./host-planning-shared.js";

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

export const stepText = (step: ReportedStep): string => stepLines(step).map(harmless).join("\n");
