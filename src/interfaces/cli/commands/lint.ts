import { ok } from "../../../app/vocabulary.js";
import type { Command, Style } from "../command.js";
import { harmless, widest } from "../style.js";

const PROBLEMS = 1;

export const lint: Command = {
  name: "lint",
  group: "looking",
  summary: "Look for anything in the plan that must not be",
  description:
    "Checks every invariant over the whole plan and names what breaks it, one line each with its code; approvals whose content has changed since are warnings. Then it judges the plan's form: tasks without a check, checks that cannot run here, footprints that overlap, records that are contradicted (docs/reference/lint-codes.md has every code). Exits with 0 when nothing is wrong, 1 when there are problems or errors, 2 when there is no plan.",
  arguments: [{ name: "REF", help: "only what concerns this branch", optional: true, reference: true }],
  flags: {
    level: {
      type: "string",
      value: "LEVEL",
      help: "lenient: errors; normal: warnings too; strict: remarks too (normal)",
      choices: ["lenient", "normal", "strict"],
    },
    fix: { type: "boolean", help: "mend what is mechanical, as one operation" },
  },
  examples: [
    { run: "planwright lint", does: "looks at everything" },
    { run: "planwright lint --level strict --fix", does: "mends what is mechanical, and shows what is left" },
    { run: "planwright lint FEAT-001 --json", does: "problems and warnings of one feature, as JSON" },
  ],
  run: async (input, app) => {
    const level = (input.text("level") ?? "normal") as "lenient" | "normal" | "strict";
    const found = await (await app.engines()).planner.lint(input.args[0], level, input.has("fix"));
    if (!found.ok) return found;
    const { problems, warnings, nodes, findings, fixed, op } = found.value;
    const hasErrors = findings.some(({ grade }) => grade === "error" || grade === "unreadable");
    const lines = [...problems, ...warnings, ...findings, ...fixed];
    const width = widest(lines.map(({ code }) => code));
    return ok({
      data: { nodes, problems, warnings, findings, fixed, op },
      exit: problems.length > 0 || hasErrors ? PROBLEMS : 0,
      text: (style) =>
        [
          ...fixed.map(
            ({ code, message }) => `${style.green("✓")} ${code.padEnd(width)}  mended: ${harmless(message)}`,
          ),
          ...problems.map(({ code, message }) => `${style.red("✗")} ${code.padEnd(width)}  ${harmless(message)}`),
          ...warnings.map(({ code, message }) => `${style.yellow("!")} ${code.padEnd(width)}  ${harmless(message)}`),
          ...findings.map(
            ({ code, grade, message }) => `${markOf(grade, style)} ${code.padEnd(width)}  ${harmless(message)}`,
          ),
          ...(problems.length === 0 && !hasErrors
            ? [`${style.green("✓")} ${nodes} ${nodes === 1 ? "node" : "nodes"} checked: nothing is wrong.`]
            : []),
        ].join("\n"),
      note: () => noteFor(problems[0]?.id, findings, fixed.length),
    });
  },
};

const markOf = (grade: string, style: Style): string =>
  grade === "error" || grade === "unreadable"
    ? style.red("✗")
    : grade === "warning"
      ? style.yellow("!")
      : style.dim("·");

function noteFor(
  first: string | undefined,
  findings: readonly { readonly fixable: boolean; readonly suggestion: string }[],
  fixed: number,
): string {
  if (fixed > 0) return "planwright undo   takes the mending back";
  if (first !== undefined) return `To look at the first one: planwright show ${first}`;
  if (findings.some(({ fixable }) => fixable)) return "planwright lint --fix   mends what is mechanical";
  return findings[0]?.suggestion ?? "";
}
