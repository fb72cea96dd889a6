import { OPERATORS, usage } from "../../../app/vocabulary.js";
import type { Command } from "../command.js";
import { optional } from "../input.js";
import { answerRecord, recordFlags } from "../record-answer.js";

export const requirement: Command = {
  name: "require",
  group: "deciding",
  summary: "Propose a measurable goal that a plan must reach",
  description:
    "A requirement binds once a person has approved it. Some task must take it up then: by its key, its metric or its command in the task's text or checks, or by --task. `approve` refuses a feature when none does.",
  arguments: [{ name: "TEXT", help: "what must be reached", many: true }],
  flags: {
    ...recordFlags,
    metric: { type: "string", value: "NAME", help: "what is measured (needed)" },
    op: { type: "string", choices: OPERATORS, value: "OP", help: "how it compares: <, <=, =, >= or > (needed)" },
    target: { type: "number", value: "N", help: "what it is compared with (needed)" },
    run: { type: "string", value: "COMMAND", help: "measures it: prints the number on its last line" },
  },
  examples: [
    {
      run: `planwright require "Answers come fast" --metric p95_ms --op '<=' --target 200 --run "npm run -s latency"`,
      does: "some task must take it up before a feature is approved",
    },
  ],
  run: async (input, app) => {
    const [metric, op, target] = [input.text("metric"), input.text("op"), input.number("target")];
    if (metric === undefined || op === undefined || target === undefined) {
      return usage("usage", "planwright require needs --metric NAME, --op OP and --target N.", {
        hint: "`planwright require --help` shows how.",
      });
    }
    return answerRecord(input, app, "requirement", {
      measure: { metric, op, target, ...optional("run", input.text("run")) },
    });
  },
};
