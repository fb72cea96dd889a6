// Operations on claims: who works on what, and until when.

import { operation } from "../../operation.js";
import { filled, input, node, number, optional } from "../../schema.js";

export const token = () =>
  optional(filled("the token that came with the claim; you can leave it out for your own claims", "TOKEN"));

export const leaseMinutes = () =>
  optional(number("how long the claim lasts unless it is renewed", 0.001, 100_000, "MINUTES"));

const claims = operation({
  name: "claim.list",
  summary: "List who works on what, and until when",
  description:
    "A claim whose lease has ended goes back to the queue as soon as the next worker asks for work. If you lost the token of your own claim, start the task again: you get a new one.",
  who: "both",
  effect: "reads",
  input: () => input({}),
  examples: [{ input: {}, does: "lists all claims, those that end first at the top" }],
  run: async (session) => (await import("../../../actions/claim/list-claims.js")).listClaims(session),
});

const renew = operation({
  name: "claim.renew",
  summary: "Keep a claim alive",
  description: "Starts the lease again. A worker that does not renew its claim in time loses the task.",
  who: "both",
  effect: "writes",
  input: () => input({ reference: node("the task"), token: token(), leaseMinutes: leaseMinutes() }),
  examples: [{ input: { reference: "TASK-00007", token: "5f0c2a" }, does: "extends the lease" }],
  run: async (session, asked) => (await import("../../../actions/claim/renew.js")).renewClaim(session, asked),
});

const release = operation({
  name: "claim.release",
  summary: "Give a claim back without finishing the task",
  description:
    "The task returns to the queue at once and is not counted as a failure. A person can release any claim, without its token.",
  who: "both",
  effect: "writes",
  destructive: true,
  input: () => input({ reference: node("the task"), token: token() }),
  examples: [{ input: { reference: "TASK-00007", token: "5f0c2a" }, does: "lets another worker have it" }],
  run: async (session, asked) => (await import("../../../actions/claim/release.js")).releaseClaim(session, asked),
});

export const claimOperations = {
  "claim.list": claims,
  "claim.renew": renew,
  "claim.release": release,
};
