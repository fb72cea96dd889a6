import * as z from "zod/mini";
import { messageOf } from "../../base/errors.js";
import { hostSubmit } from "../../planning/run/host.js";
import { field, fields, filled, ok, optional, planVerb, type Result, usage, wholeNumber } from "../kit/verb.js";
import { readText } from "../terminal/read-text.js";
import { call, reporting, stepText } from "./step.js";

export const input = fields({
  call,
  output: field(z.union([z.string(), z.record(z.string(), z.unknown())]), {
    help: "the answer as JSON, as the schema of the step says",
    label: "JSON",
  }),
  session: optional(filled("what the subagent can be continued by, if it can", "NAME").check(z.maxLength(200))),
  inputTokens: optional(wholeNumber("tokens that the subagent read", 0, 1e12)),
  outputTokens: optional(wholeNumber("tokens that the subagent wrote", 0, 1e12)),
});

export const verb = planVerb({
  command: { words: "plan submit", group: "agents", positional: ["call"] },
  summary: "Hand in the answer to a step of a planning run",
  description:
    "The program judges the answer, compares it with the spec and the repository, stores it, and goes on with the run. An answer that does not fit is refused with its problems and the step to hand in again; after three times the run stops. A step takes one answer.",
  effect: "runs",
  tools: [{ tool: "plan", action: "submit", fields: ["call", "output", "session"] }],
  input,
  examples: [
    {
      input: { call: "CALL-00001", output: '{"intent":"A greeter.","questions":[],"assumptions":[]}' },
      does: "hands in what the clarifier answered",
    },
  ],
  run: async (session, { call: step, output, session: talk, inputTokens = 0, outputTokens = 0 }) => {
    const read = readOutput(output);
    if (!read.ok) return read;
    const submission = { call: step, output: read.value, session: talk ?? null, inputTokens, outputTokens };
    return reporting(session, async (hooks) =>
      hostSubmit(await (await session.engines()).planning(), submission, hooks),
    );
  },
  inputs: { file: ["read the answer from a file, or - for standard input", "FILE"] },
  prepare: async (input, terminal) => {
    const { file, ...rest } = input;
    if (typeof file !== "string") return ok(input);
    if (rest["output"] !== undefined) return usage("usage", "--output and --file cannot be given together.");
    const read = await readText(file, terminal);
    return read.ok ? ok({ ...rest, output: read.value }) : read;
  },
  text: stepText,
  next: ({ next }) => next,
});

/** Deeper and larger than any answer of a role. */
const MAX_ANSWER_CHARACTERS = 32_000_000;

/** Some clients send JSON as text. */
function readOutput(output: unknown): Result<unknown> {
  if (typeof output !== "string") return ok(output);
  if (output.length > MAX_ANSWER_CHARACTERS)
    return usage("too-large", `output has more than ${MAX_ANSWER_CHARACTERS} characters.`);
  try {
    return ok(JSON.parse(output) as unknown);
  } catch (error) {
    return usage("invalid-input", `output is not JSON: ${messageOf(error)}.`);
  }
}
