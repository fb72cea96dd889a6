import { step } from "../../model/next-step.js";
import { fields, flag, optional } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { harmless } from "../text/harmless.js";
import { placesIn } from "./conflict-text.js";
import { listConflicts } from "./list-conflicts.js";

export const input = fields({ open: optional(flag("only those that are not settled")) });

export const verb = planVerb({
  name: "conflicts.list",
  command: { words: "conflicts", group: "decide", aliases: [{ words: "conflicts list" }] },
  summary: "List tasks that conflict, and which one goes first",
  description:
    "Two tasks that overlap never run together. Overlaps are found by the files and symbols of their footprints before they begin, and by a merge of their branches while they are worked on.",
  who: "both",
  effect: "reads",
  phrases: [
    "conflict",
    "collision",
    "overlap",
    "incompatible",
    "conflicts list",
    "list conflicts",
    "are there conflicts",
    "are there any conflicts",
  ],
  tools: [{ tool: "find", action: "conflicts", fields: ["open"], pages: "" }],
  input,
  examples: [{ input: { open: true }, does: "shows which task waits for which, and where they overlap" }],
  run: listConflicts,
  text: (found, style) =>
    found.length === 0
      ? style.dim("No conflicts.")
      : found
          .map((conflict) => {
            const { id, state, first, second, layer, arbitration, resolution } = conflict;
            const decided =
              state === "open" ? style.yellow(arbitration) : style.dim(`settled: ${harmless(resolution ?? "")}`);
            return `${style.bold(id)}  ${second} after ${first}  ${style.dim(`${layer}:`)} ${placesIn(conflict)}  ${decided}`;
          })
          .join("\n"),
  next: (found) => {
    const first = found.find(({ state }) => state === "open");
    return first ? [step("conflicts.show", { id: first.id })] : [];
  },
});
