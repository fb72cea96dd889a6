import { fields, planVerb } from "../kit/verb.js";
import { fromHost, HOST_FORM, NO_CONTEXT, primed, silently } from "./hook-answer.js";
import { caller } from "./hook-caller.js";

export const input = fields(caller());

export const verb = planVerb({
  command: { words: "hook compact", group: "agents" },
  summary: "Keep the claim when a conversation is compacted",
  description: `For the hook of a coding agent before its conversation is compacted: what the summary has to keep. ${HOST_FORM}`,
  effect: "reads",
  input,
  examples: [{ input: {}, does: "answers a PreCompact hook" }],
  run: primed,
  prepare: fromHost(),
  text: ({ context }) => context ?? "",
  rescue: silently(NO_CONTEXT),
});
