import { fields, planVerb } from "../kit/verb.js";
import { fromHost, HOST_FORM, NO_CONTEXT, primed, silently } from "./hook-answer.js";
import { caller } from "./hook-caller.js";
import { contextJson } from "./host-json.js";

export const input = fields(caller());

export const verb = planVerb({
  command: { words: "hook session", group: "agents" },
  summary: "Tell an agent about the plan when it begins",
  description: `For the hook of a coding agent at the beginning of a conversation, and after it was compacted. ${HOST_FORM}`,
  effect: "reads",
  input,
  examples: [{ input: {}, does: "answers a SessionStart hook" }],
  run: primed,
  prepare: fromHost(),
  text: ({ host, context }) => JSON.stringify(contextJson("session", host, context)),
  rescue: silently(NO_CONTEXT),
});
