import { listAttempts } from "../../plan/attempt/list-attempts.js";
import { durationText, fields, flag, harmless, linesOr, minute, node, optional, planVerb, step } from "../kit/verb.js";
import { attemptState } from "../text/render-attempt.js";

export const input = fields({
  reference: optional(node("only attempts of this task", "TASK")),
  all: optional(flag("also what ended a while ago")),
});

export const verb = planVerb({
  command: { words: "attempt", group: "work", positional: ["reference"], aliases: ["attempt list"] },
  summary: "List what workers tried",
  description: "Lists attempts that run now and the last 20 that ended. Of one task it lists all.",
  effect: "reads",
  lists: "attempt",
  tools: [{ tool: "find", action: "attempts", fields: ["reference", "all"], pages: "" }],
  input,
  examples: [{ input: {}, does: "what runs now, and how the last ones ended" }],
  run: listAttempts,
  text: linesOr("Nothing was tried yet.", (line, style) => {
    const { id, task, worker, startedAt, durationMs, tokens, costUsd, note } = line;
    const facts = [worker.name, minute(startedAt), durationText(durationMs), ...spent(tokens, costUsd)].join(", ");
    const first = `${style.bold(id)}  ${attemptState(line, style)}  ${task}  ${style.dim(harmless(facts))}`;
    return note === "" ? first : `${first}\n  ${harmless(note)}`;
  }),
  next: ([first]) => (first ? [step("attempt.show", { id: first.id })] : []),
});

const spent = (tokens: number, costUsd: number | null): string[] => [
  ...(tokens > 0 ? [`${tokens} tokens`] : []),
  ...(costUsd === null ? [] : [`$${costUsd.toFixed(2)}`]),
];
