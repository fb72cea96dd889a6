import * as z from "zod/mini";
import { token } from "../claim/claim-shared.js";
import { body, checks, files, profile, title } from "../kit/content.js";
import { field, fields, filled, node, optional } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";

/** A part says what a node says, and after which parts it comes, from 1. */
const splitPart = () =>
  z.pipe(
    z.transform((value: string | object) => (typeof value === "string" ? fromJson(value) : value)),
    z.strictObject({
      title: title(""),
      body: optional(body()),
      files: optional(files("")),
      profile: optional(profile()),
      checks: optional(checks()),
      after: optional(z.array(z.int().check(z.minimum(1), z.maximum(50)))),
    }),
  );

export const input = fields({
  reference: node("the task"),
  reason: filled("why it is too big"),
  parts: field(z.array(splitPart()).check(z.maxLength(50)), {
    help: "one part as JSON: title, body, files, checks, after",
    label: "JSON",
  }),
  token: token(),
});

export const verb = planVerb({
  name: "split",
  command: { words: "split", group: "work", positional: ["reference"] },
  summary: "Propose to split a task that you claimed",
  description:
    "For a task that is too big for one worker. You give back the claim, and the task is frozen until a person answers. Their yes approves the parts as you wrote them: they become tasks beside it, with one that reviews them all. Parts may not touch the same files unless one comes after the other.",
  who: "both",
  effect: "writes",
  endsClaim: true,
  tools: [{ tool: "give_up", action: "split", fields: ["reference", "reason", "parts"] }],
  input,
  examples: [
    {
      input: {
        reference: "TASK-00007",
        reason: "it is two programs",
        parts: [
          { title: "Write the reader", files: ["src/read.ts"], checks: [{ run: "npm test read" }] },
          { title: "Write the printer", files: ["src/print.ts"], after: [1] },
        ],
        token: "5f0c2a",
      },
      does: "asks the person whether to split it",
    },
  ],
  run: async (session, asked) => (await import("./split-action.js")).proposeToSplit(session, asked),
  text: ({ id, question }, style) => `${style.yellow("?")} ${style.bold(id)}  ${question} asks whether to split it`,
  next: ({ next }) => next,
});

/** The text itself if it is none: the schema then says what is wrong. */
function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
