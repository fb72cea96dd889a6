import { keptWork } from "../../plan/attempt/kept-work.js";
import { executionOf } from "../execution/engine-access.js";
import { linesOr, minute, planVerb, type Style, step, type ValueOf } from "../kit/verb.js";
import { attemptState } from "../text/render-attempt.js";

export const verb = planVerb({
  command: { words: "attempt", when: { flag: "kept" }, group: "work", aliases: ["attempt kept"] },
  summary: "List unmerged work that is kept, and until when",
  effect: "reads",
  examples: [{ input: {}, does: "lists kept work, what expires first at the top" }],
  run: async (session) => keptWork(session, (await executionOf(session)).garbage.keepDays),
  text: linesOr("No unmerged work is kept.", renderKept),
  next: ([first]) => (first ? [step("attempt.restore", { id: first.id })] : []),
});

function renderKept(kept: ValueOf<ReturnType<typeof keptWork>>[number], style: Style): string {
  const until =
    kept.until === null
      ? "stays: you may still accept it"
      : `${kept.soon ? "expires" : "kept until"} ${minute(kept.until)}`;
  const mark = kept.soon ? style.yellow(until) : style.dim(until);
  return `${style.bold(kept.id)}  ${attemptState(kept, style)}  ${kept.task}  ${kept.commit.slice(0, 10)}  ${mark}`;
}
