import { problems } from "../../model/result.js";
import { fields, nodes, optional } from "../kit/schema.js";
import type { Style } from "../kit/style.js";
import { planVerb } from "../kit/verb.js";
import { type CheckedConflicts, checkConflicts, placesIn } from "./list.js";

const withoutFootprint = (ids: readonly string[], style: Style): string[] =>
  ids.length === 0 ? [] : [style.dim(`Not checked, because they name no files: ${ids.join(", ")}`)];

export const input = fields({ references: optional(nodes("a task, or a node that stands for its open tasks")) });

export const verb = planVerb({
  name: "conflicts.check",
  command: { words: "conflicts check", group: "decide", positional: ["references"] },
  summary: "Check tasks for overlaps without changing anything",
  description:
    "Compares the tasks that you name with everything that is ready or in progress. Without a name, compares all of those with each other.",
  who: "both",
  effect: "reads",
  phrases: ["conflict check", "conflicts check", "check for conflicts", "conflicts in", "conflicts with"],
  input,
  examples: [
    { input: {}, does: "checks everything that is ready or in progress" },
    { input: { references: ["FEAT-001"] }, does: "checks the open tasks of a feature" },
  ],
  run: async (session, { references = [] }) => {
    const checked = await checkConflicts(session, references);
    if (!checked.ok || checked.value.found.length === 0) return checked;
    const { length } = checked.value.found;
    const message = `${length === 1 ? "1 overlap" : `${length} overlaps`}: these tasks cannot run at the same time.`;
    return problems("problems", message, { details: { ...checked.value } });
  },
  text: ({ checked, unknown }, style) =>
    [
      `${style.green("✓")} ${checked.length === 1 ? "1 task" : `${checked.length} tasks`}: no conflicts.`,
      ...withoutFootprint(unknown, style),
    ].join("\n"),
  problems: ({ found, unknown }: CheckedConflicts, style) => {
    const lines = found.map(
      (clash) =>
        `${style.yellow("!")} ${style.bold(clash.second)} and ${style.bold(clash.first)}${clash.inFlight ? " (in progress)" : ""}  ${style.dim(`${clash.layer}:`)} ${placesIn(clash)}`,
    );
    return [...lines, ...withoutFootprint(unknown, style)].join("\n");
  },
});
