import { showAttempt } from "../../plan/attempt/list-attempts.js";
import { fields, key, planVerb } from "../kit/verb.js";
import { renderAttempt, stepsAfter } from "../text/render-attempt.js";

export const attemptId = key("attempt", "the attempt, such as ATT-00001", "ID");

export const input = fields({ id: attemptId });

export const verb = planVerb({
  command: { words: "show", when: { keys: ["ATT"] }, group: "work", positional: ["id"], aliases: ["attempt show"] },
  summary: "Show one attempt in full",
  description: "Its states, checks with their output, cost, and the end of its transcript.",
  effect: "reads",
  input,
  examples: [{ input: { id: "ATT-00001" }, does: "everything that is known about it" }],
  run: showAttempt,
  text: renderAttempt,
  next: stepsAfter,
});
