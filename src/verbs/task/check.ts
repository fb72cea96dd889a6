import type { Completion } from "../../engine/hand-work/hand-in.js";
import { fields, lineOf, node, planVerb, problems, step } from "../kit/verb.js";
import { checkLines, workProgress } from "../text/check-lines.js";
import { including, path, token, wholeOf, wrongWords } from "./claim-parts.js";

export const input = fields({
  reference: node("the task"),
  token: token(),
  include: path("a file that you changed before you claimed the task"),
  only: path("check nothing but this file"),
});

export const verb = planVerb({
  command: { words: "check", group: "work", positional: ["reference"] },
  summary: "Run the checks of a task that you claimed",
  description:
    "Runs the checks on what complete would hand in now, on a clean tree, and hands nothing in. It does not count as a failed hand-in.",
  effect: "runs",
  tools: [{ tool: "claim", action: "check", fields: ["reference"] }],
  input,
  examples: [{ input: { reference: "TASK-00007", token: "5f0c2a" }, does: "shows whether complete would pass" }],
  run: async (session, asked) => {
    const checked = await (await import("./hand-in.js")).checkTask(session, asked);
    if (!checked.ok) return checked;
    const { id, begunBefore } = checked.value;
    const why = wrongWords(checked.value);
    if (why === "") return checked;
    return problems("not-done", `${id} would not be done: ${why}`, {
      details: { ...checked.value },
      next: [step("check", { reference: id, ...including(begunBefore) }), ...wholeOf(checked.value)],
    });
  },
  live: workProgress,
  text: ({ id, checks }, style) => [
    ...checks.map((each) => checkLines(each, style)),
    `${style.green("✓")} ${style.bold(id)} would pass its checks`,
  ],
  next: ({ id }) => [step("complete", { reference: id })],
  problems: ({ checks, begunBefore }: Completion, style) => [
    ...checks.map((each) => checkLines(each, style)),
    ...lineOf("Left alone, changed before your claim", begunBefore),
  ],
});
