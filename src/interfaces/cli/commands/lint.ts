import { lint as lintPlan } from "../../../actions/lint.js";
import { ok } from "../../../actions/vocabulary.js";
import type { Command } from "../command.js";
import { harmless } from "../style.js";

const PROBLEMS = 1;

export const lint: Command = {
  name: "lint",
  group: "looking",
  summary: "Look for anything in the plan that must not be",
  description:
    "Checks every invariant over the whole plan and names what breaks it, one line each with its code; approvals whose content has changed since are warnings. Exits with 0 when the plan is sound, 1 when there are problems, 2 when there is no plan. No command can bring a problem into a sound plan: they come with imports, or from outside.",
  arguments: [{ name: "REF", help: "only what concerns this branch", optional: true, reference: true }],
  examples: [
    { run: "planwright lint", does: "looks at everything" },
    { run: "planwright lint FEAT-001 --json", does: "problems and warnings of one feature, as JSON" },
  ],
  run: async (input, app) => {
    const found = await lintPlan(await app.open(), input.args[0]);
    if (!found.ok) return found;
    const { problems, warnings, nodes } = found.value;
    const width = Math.max(0, ...[...problems, ...warnings].map(({ code }) => code.length));
    return ok({
      data: found.value,
      exit: problems.length > 0 ? PROBLEMS : 0,
      text: (style) =>
        [
          ...problems.map(({ code, message }) => `${style.red("✗")} ${code.padEnd(width)}  ${harmless(message)}`),
          ...warnings.map(({ code, message }) => `${style.yellow("!")} ${code.padEnd(width)}  ${harmless(message)}`),
          ...(problems.length === 0
            ? [`${style.green("✓")} ${nodes} ${nodes === 1 ? "node" : "nodes"} checked: nothing is wrong.`]
            : []),
        ].join("\n"),
      note: () => (problems.length > 0 ? `To look at the first one: planwright show ${problems[0]?.id ?? ""}` : ""),
    });
  },
};
