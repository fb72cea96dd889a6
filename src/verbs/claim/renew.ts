import { fields, minute, node, planVerb } from "../kit/verb.js";
import { leaseMinutes, token } from "../task/claim-parts.js";

export const input = fields({ reference: node("the task"), token: token(), leaseMinutes: leaseMinutes() });

export const verb = planVerb({
  command: {
    words: "claim renew",
    group: "work",
    positional: ["reference"],
    flags: { leaseMinutes: "lease" },
    aliases: ["heartbeat"],
  },
  summary: "Keep a claim alive",
  description: "Starts the lease again. A worker that does not renew its claim in time loses the task.",
  effect: "writes",
  tools: [{ tool: "claim", action: "renew", fields: ["reference", "leaseMinutes"] }],
  input,
  examples: [{ input: { reference: "TASK-00007", token: "5f0c2a" }, does: "extends the lease" }],
  run: async (session, asked) => (await import("../../plan/claim/token.js")).renewClaim(session, asked),
  text: ({ id, leaseUntil }, style) => `${style.bold(id)} is yours until ${minute(leaseUntil)}`,
});
