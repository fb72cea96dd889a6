import { step } from "../../model/next-step.js";
import { fields, node } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { token } from "./claim-shared.js";

export const input = fields({ reference: node("the task"), token: token() });

export const verb = planVerb({
  name: "claim.release",
  command: { words: "claim release", group: "work", positional: ["reference"] },
  summary: "Give a claim back without finishing the task",
  description:
    "The task returns to the queue at once and is not counted as a failure. A person can release any claim, without its token.",
  who: "both",
  effect: "writes",
  destructive: true,
  endsClaim: true,
  tools: [{ tool: "give_up", action: "release", fields: ["reference"] }],
  input,
  examples: [{ input: { reference: "TASK-00007", token: "5f0c2a" }, does: "lets another worker have it" }],
  run: async (session, asked) => (await import("./release-action.js")).releaseClaim(session, asked),
  text: ({ id }, style) => `${style.bold(id)} is back in the queue`,
  next: () => [step("next")],
});
