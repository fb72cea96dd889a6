// Operations that hosts of coding agents call by themselves.

import { stopHook } from "../../actions/claim/stop-hook.js";
import { operation } from "../operation.js";
import { flag, input, optional, text } from "../schema.js";

export const stop = operation({
  name: "hook.stop",
  summary: "Keep an agent at its task when its host asks",
  description:
    "For the Stop hook of a coding agent. The command line reads the host's JSON from standard input and answers in the host's form. The agent is kept from stopping while a task that it claimed itself is not handed in: at most three times in a row, and never because of somebody else's task.",
  who: "both",
  effect: "writes",
  input: () =>
    input({
      session: optional(text("the host's name for the conversation")),
      active: optional(flag("the agent goes on only because a hook asked it to")),
      folder: optional(text("where the agent works", "DIR")),
    }),
  examples: [{ input: {}, does: "answers a Stop hook" }],
  run: (session, { session: conversation = "", active = false, folder = session.cwd }) =>
    stopHook(session, {
      session: conversation,
      active,
      cwd: folder,
      task: session.env["PLANWRIGHT_TASK"] ?? null,
      isSaid: session.isActorGiven,
    }),
});
