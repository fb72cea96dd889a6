import { fields, optional, wholeNumber } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { harmless } from "../text/harmless.js";
import { attemptId } from "./attempt-shared.js";
import { attemptTranscript as readTranscript } from "./transcript-action.js";

export const input = fields({
  id: attemptId,
  from: optional(wholeNumber("the first line, from 0; without it, the last ones", 0, Number.MAX_SAFE_INTEGER)),
  limit: optional(wholeNumber("at most N lines (200)", 1, 5_000)),
});

export const verb = planVerb({
  name: "attempt.transcript",
  command: { words: "attempt transcript", group: "work", positional: ["id"] },
  summary: "Show what was said in an attempt, in parts",
  who: "both",
  effect: "reads",
  input,
  examples: [{ input: { id: "ATT-00001" }, does: "the last 200 lines of its transcript" }],
  run: readTranscript,
  text: ({ lines }) => lines.map(harmless).join("\n"),
  note: ({ from, lines, total }) => `Lines ${from + 1} to ${from + lines.length} of ${total}.`,
});
