// The flags of verbs that take or hold a claim.

import type { Flag } from "./command.js";

export const tokenFlag: Flag = {
  type: "string",
  value: "TOKEN",
  help: "the token that next or start gave; a person may leave it out for a claim of their own",
};

export const leaseFlag: Flag = {
  type: "number",
  value: "MINUTES",
  min: 0.001,
  max: 100_000,
  help: "how long the claim lasts without a heartbeat",
};

export const despiteFlag: Flag = {
  type: "string",
  value: "REASON",
  help: "begin although work in progress touches the same files; only a person may",
};
