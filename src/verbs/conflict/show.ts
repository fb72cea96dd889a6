import { step } from "../../model/next-step.js";
import { fields, key } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { renderConflict, showConflict } from "./list.js";

export const conflictId = () => key("conflict", "the conflict, such as CONFLICT-00001", "ID");

export const input = fields({ id: conflictId() });

export const verb = planVerb({
  name: "conflicts.show",
  command: { words: "conflicts show", group: "decide", positional: ["id"] },
  summary: "Show one conflict with everything decided about it",
  who: "both",
  effect: "reads",
  input,
  examples: [{ input: { id: "CONFLICT-00001" }, does: "shows where the two overlap and what was decided" }],
  run: showConflict,
  text: renderConflict,
  next: ({ id, state }) => (state === "open" ? [step("conflicts.resolve", { id }, "choice")] : []),
});
