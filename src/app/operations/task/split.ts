// The operation with which a worker proposes to split its task.

import * as z from "zod/mini";
import { body, checks, files, profile, title } from "../../content.js";
import { operation } from "../../operation.js";
import { field, filled, input, node, optional } from "../../schema.js";
import { token } from "./claim.js";

const split = operation({
  name: "split",
  summary: "Propose to split a task that you claimed",
  description:
    "For a task that is too big for one worker. You give back the claim, and the task is frozen until a person answers. Their yes approves the parts as you wrote them: they become tasks beside it, with one that reviews them all. Parts may not touch the same files unless one comes after the other.",
  who: "both",
  effect: "writes",
  input: () =>
    input({
      reference: node("the task"),
      reason: filled("why it is too big"),
      parts: field(z.array(splitPart()).check(z.maxLength(50)), {
        help: "one part as JSON: title, body, files, checks, after",
        label: "JSON",
      }),
      token: token(),
    }),
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
  run: async (session, asked) => (await import("../../../actions/claim/split.js")).proposeToSplit(session, asked),
});

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

/** The text itself if it is none: the schema then says what is wrong. */
function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export const splitOperations = { split };
