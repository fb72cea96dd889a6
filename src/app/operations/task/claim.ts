// Operations on claims: who works on what, until when, and whether an agent may stop.

import { operation } from "../../operation.js";
import { filled, flag, input, node, number, optional, text } from "../../schema.js";

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

/** Hosts of coding agents call it by themselves. */
const stopHook = operation({
  name: "hook.stop",
  summary: "Keep an agent from stopping while its task is open",
  description:
    "For the Stop hook of a coding agent. The command line reads the host's JSON from standard input and answers in the host's form. The agent is kept from stopping while a task that it claimed itself is not handed in: at most three times in a row, and never because of another worker's task.",
  who: "both",
  effect: "writes",
  input: () =>
    input({
      session: optional(text("the host's name for the conversation")),
      active: optional(flag("the agent continues only because a hook asked it to")),
      folder: optional(text("where the agent works", "DIR")),
    }),
  examples: [{ input: {}, does: "answers a Stop hook" }],
  run: async (session, { session: conversation = "", active = false, folder = session.cwd }) =>
    (await import("../../../actions/claim/stop-hook.js")).stopHook(session, {
      session: conversation,
      active,
      cwd: folder,
      task: session.env["PLANWRIGHT_TASK"] ?? null,
      isSaid: session.isActorGiven,
    }),
});

export const claimOperations = {
  "claim.list": claims,
  "claim.renew": renew,
  "claim.release": release,
  "hook.stop": stopHook,
};
