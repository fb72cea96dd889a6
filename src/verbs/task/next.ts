import { ok, type Result } from "../../model/result.js";
import type { Assignment } from "../../plan/claim/assignment.js";
import { leaseMinutes } from "../claim/claim-shared.js";
import { fields, flag, node, optional, wholeNumber } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { renderAssignment, renderNode } from "../text/render-node.js";
import { type Given, noteConversation } from "./task-shared.js";
import { completeStep } from "./task-text.js";

const isAssignment = (given: Given): given is Assignment => "token" in given;

export const input = fields({
  in: optional(node("only below this node")),
  count: optional(wholeNumber("claim up to N tasks", 1, 1000)),
  peek: optional(flag("only show what would come, and claim nothing")),
  leaseMinutes: leaseMinutes(),
});

export const verb = planVerb({
  name: "next",
  command: { words: "next", group: "work", daily: 7, flags: { leaseMinutes: "lease" } },
  summary: "Claim the most urgent task that is ready",
  description:
    "Claims it for you with a lease, and puts it in focus. Your focus comes first, then the whole plan; agents get the whole plan. Keep the token: it proves that the claim is yours.",
  who: "both",
  effect: "writes",
  looksOnly: ({ peek }) => peek === true,
  answersQuestions: true,
  phrases: [
    "next",
    "next task",
    "next one",
    "the next one",
    "what's next",
    "what is next",
    "whats next",
    "what comes next",
    "claim next",
    "claim the next",
    "dispatch next",
    "pick up",
    "give me work",
    "give me a task",
    "give me the next",
    "gimme the next",
    "gimme a task",
    "what should i do next",
    "what do i do next",
    "what shall i do next",
  ],
  hints: ["claim"],
  tools: [{ tool: "claim", action: "next", fields: ["in", "peek"] }],
  input,
  examples: [
    { input: {}, does: "claims one task and shows it with its token" },
    { input: { peek: true }, does: "shows what would come" },
    { input: { in: "FEAT-001", count: 3 }, does: "claims up to three tasks of one feature" },
  ],
  run: async (session, { in: within, peek = false, ...rest }): Promise<Result<NextAnswer>> => {
    const { next: claimNext, peek: peekNext } = await import("./next-action.js");
    const asked = { ...rest, ...(within === undefined ? {} : { within }) };
    const found = peek ? await peekNext(session, asked) : await claimNext(session, asked);
    if (!found.ok) return (await import("../kit/waiting-hint.js")).withWaiting(session, found);
    const given = found.value.map((each) => ("task" in each ? each : { task: each }));
    noteConversation(session, given);
    return ok(rest.count === undefined && given[0] ? given[0] : given);
  },
  text: (answer, style) =>
    [answer]
      .flat()
      .map((given) => (isAssignment(given) ? renderAssignment(given, style) : renderNode(given.task, style)))
      .join("\n\n"),
  note: (answer) =>
    [answer].flat().some((given) => isAssignment(given) && given.alsoYours !== undefined)
      ? "You hold other tasks as well. Hand them in or release them."
      : "",
  next: (answer) =>
    [answer]
      .flat()
      .filter(isAssignment)
      .slice(0, 1)
      .flatMap((given) => [completeStep(given), given.context]),
});

/** One task, or a list when a number of tasks was asked for. Without a token it was only shown. */
type NextAnswer = Given | readonly Given[];
