import { applyRun } from "../../planning/run/apply.js";
import { fields, flag, optional, planVerb, step, undoStep } from "../kit/verb.js";
import { appliedText } from "../text/plan-lines.js";
import { runKey } from "./run-text.js";

export const input = fields({ run: runKey, yes: optional(flag("drop what the plan would drop, without asking")) });

export const verb = planVerb({
  command: { words: "plan apply", group: "plan", positional: ["run"] },
  summary: "Add the plan of a run without approving it",
  description: "One operation adds, changes and drops what the plan says. Nothing of it runs before you approve it.",
  who: "person",
  effect: "writes",
  tools: [{ tool: "decide", action: "apply", fields: ["run"] }],
  input,
  examples: [{ input: { run: "RUN-001" }, does: "adds its features and tasks as planned work" }],
  run: async (session, asked) =>
    applyRun(await (await session.engines()).planning(), { ...asked, approve: false, confirm: session.confirm }),
  text: appliedText,
  next: ({ added, op }) => [...added.slice(0, 1).map((id) => step("approve", { references: [id] })), ...undoStep(op)],
});
