import { hashed, noteSubagent } from "../../plan/claim/session-notes.js";
import { fields, ok, optional, planVerb, text } from "../kit/verb.js";
import { fromHost, HOST_FORM, silently } from "./hook-answer.js";
import { calledBy, caller, heldTasks } from "./hook-caller.js";
import { answeredText } from "./host-json.js";

export const input = fields({
  ...caller(),
  answer: optional(text("what the tool that claims answered")),
});

export const verb = planVerb({
  command: { words: "hook claimed", group: "agents" },
  summary: "Note which subagent claimed a task",
  description: `For the hook of a coding agent after it claimed a task. Subagents have the name of their conversation; with this note, the footprint of a task and the duty to hand it in belong to the one that claimed it. ${HOST_FORM}`,
  effect: "writes",
  input,
  examples: [{ input: { agent: "a1b2" }, does: "notes for which subagent a task was claimed" }],
  run: async (session, { answer = "", ...asked }) => {
    const { context, caller: asking } = calledBy(session, asked);
    if (asking.agent === null) return ok({ noted: [] });
    // The answer names other tasks, too; those have their note, or belong to another conversation.
    const own = (await heldTasks(context)).filter(
      ({ id, session: of, agent }) => of === hashed(asking.session) && agent === null && answer.includes(id),
    );
    noteSubagent(
      context.root,
      asking.agent,
      own.map(({ node: { id, epoch } }) => ({ id, epoch })),
    );
    return ok({ noted: own.map(({ id }) => id) });
  },
  prepare: fromHost((event) => ({ answer: answeredText(event) })),
  text: () => "{}",
  rescue: silently({ noted: [] }),
});
