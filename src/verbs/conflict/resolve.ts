import { CONFLICT_CHOICES } from "../../model/conflict/conflict.js";
import { resolveConflict } from "../../plan/conflict/resolve-conflict.js";
import { choice, fields, harmless, planVerb, step, undoStep } from "../kit/verb.js";
import { conflictId } from "./show.js";

export const input = fields({ id: conflictId(), choice: choice(CONFLICT_CHOICES, "what to do", "CHOICE") });

export const verb = planVerb({
  command: { words: "conflicts resolve", group: "decide", positional: ["id", "choice"] },
  summary: "Decide which of two conflicting tasks goes first",
  description: [
    "sequential: one after the other, both as they are planned.",
    "accept-proposed: the one that waits goes first as it is planned. The other waits and needs a new approval.",
    "accept-blocker: the one that goes first stays as it is planned. The other waits and needs a new approval.",
    "freeze-both: both stop, and the conflict stays open.",
    "escalate: the one that waits stops, and a question is asked. The conflict stays open.",
  ].join("\n"),
  who: "person",
  effect: "writes",
  input,
  examples: [{ input: { id: "CONFLICT-00001", choice: "sequential" }, does: "puts one after the other" }],
  run: resolveConflict,
  text: ({ id, state, effect }, style) => `${style.green("✓")} ${style.bold(id)} is ${state}: ${harmless(effect)}`,
  next: ({ id, state, op }) => [...(state === "open" ? [step("conflicts.show", { id })] : []), ...undoStep(op)],
});
