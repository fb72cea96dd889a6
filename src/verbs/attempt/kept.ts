import { step } from "../../model/next-step.js";
import type { Result } from "../../model/result.js";
import { type KeptView, keptWork } from "../../plan/attempt/expire-kept.js";
import { executionOf } from "../execution/engine-access.js";
import { fields } from "../kit/schema.js";
import type { Style } from "../kit/style.js";
import { planVerb } from "../kit/verb.js";
import { attemptState } from "../text/render-attempt.js";
import { minute } from "../text/wording.js";

export const input = fields({});

export const verb = planVerb({
  name: "attempt.kept",
  command: { words: "attempt kept", group: "work" },
  summary: "List unmerged work that is kept, and until when",
  who: "both",
  effect: "reads",
  input,
  examples: [{ input: {}, does: "lists kept work, what expires first at the top" }],
  run: async (session): Promise<Result<readonly KeptView[]>> => {
    const execution = await executionOf(session);
    return execution.ok ? keptWork(session, execution.value.settings.keepDays) : execution;
  },
  text: (all, style) =>
    all.length === 0 ? style.dim("No unmerged work is kept.") : all.map((kept) => renderKept(kept, style)).join("\n"),
  next: ([first]) => (first ? [step("attempt.restore", { id: first.id })] : []),
});

function renderKept(kept: KeptView, style: Style): string {
  const until =
    kept.until === null
      ? "stays: you may still accept it"
      : `${kept.soon ? "expires" : "kept until"} ${minute(kept.until)}`;
  const mark = kept.soon ? style.yellow(until) : style.dim(until);
  return `${style.bold(kept.id)}  ${attemptState(kept, style)}  ${kept.task}  ${kept.commit.slice(0, 10)}  ${mark}`;
}
