import { showAttempt } from "../../plan/attempt/list-attempts.js";
import { fields, flag, key, ok, optional, planVerb } from "../kit/verb.js";
import { renderAttempt, stepsAfter } from "../text/render-attempt.js";

export const attemptId = key("attempt", "the attempt, such as ATT-00001", "ID");

export const input = fields({ id: attemptId, output: optional(flag("all that its checks said")) });

export const verb = planVerb({
  command: { words: "show", when: { keys: ["ATT"] }, group: "work", positional: ["id"], aliases: ["attempt show"] },
  summary: "Show one attempt in full",
  description:
    "Its states, checks, cost, and the end of its transcript. Of a check that failed it shows the first error and the last lines, with --output everything that was kept.",
  effect: "reads",
  input,
  examples: [
    { input: { id: "ATT-00001" }, does: "everything that is known about it" },
    { input: { id: "ATT-00001", output: true }, does: "also the whole output of its checks" },
  ],
  run: async (session, { id, output = false }) => {
    const shown = await showAttempt(session, { id });
    return shown.ok ? ok({ ...shown.value, whole: output }) : shown;
  },
  text: renderAttempt,
  next: stepsAfter,
});
