// Operations with which a coding agent serves the roles of a planning run itself: read a step, hand it in, and pass on what the
// person answered.

import * as z from "zod/mini";
import { noteRunSession } from "../../../actions/claim/session-notes.js";
import { ok, type Result, usage } from "../../../model/result.js";
import type { Progress } from "../../../planning/driver/progress.js";
import type { Hooks } from "../../../planning/driver/services.js";
import { type HostStep, hostLookUp, hostStep, hostSubmit, relayAnswer } from "../../../planning/runs/host-run.js";
import { operation } from "../../operation.js";
import { planningHooks } from "../../run-options.js";
import { field, filled, flag, input, key, optional, wholeNumber } from "../../schema.js";
import type { Session } from "../../session.js";
import { progressLines } from "../../text/progress-lines.js";

/** A step with what happened since the one before, in the lines that a terminal would show. */
export interface ReportedStep extends HostStep {
  readonly progress: readonly string[];
}

async function reporting(
  session: Session,
  work: (hooks: Hooks) => Promise<Result<HostStep>>,
): Promise<Result<ReportedStep>> {
  const hooks = planningHooks(session);
  const progress: string[] = [];
  const onProgress = (told: Progress): void => {
    progress.push(...progressLines(told));
    hooks.onProgress(told);
  };
  const worked = await work({ signal: hooks.signal, onProgress });
  if (worked.ok) {
    const { conversation } = session;
    if (conversation !== undefined) noteRunSession(session.root, conversation, worked.value.run);
    return ok({ ...worked.value, progress });
  }
  const { error } = worked;
  return { ok: false, error: { ...error, details: { ...error.details, progress } } };
}

const call = key("call", "the step, such as CALL-00001", "CALL");

const stepOperation = operation({
  name: "plan.step",
  summary: "Read the next step of a run whose roles you serve",
  description:
    "For a coding agent that plans with its own subagents (plan with serve host). It gives the role, the prompt, the schema of the answer, and whether a new subagent is asked or an earlier one goes on. Asking again gives the same step, also after the agent was killed. When the run waits for the person, it gives the questions. With brief it leaves out prompt and schema: the subagent reads them itself, with call.",
  who: "both",
  effect: "runs",
  input: () =>
    input({
      run: optional(key("run", "a planning run; the latest unfinished one unless given", "RUN")),
      call: optional(key("call", "exactly this step, such as CALL-00001", "CALL")),
      fresh: optional(flag("the conversation to resume is gone: give the whole prompt")),
      brief: optional(flag("leave out the prompt and the schema")),
    }),
  examples: [
    { input: { run: "RUN-001" }, does: "gives the role to be, its prompt and the schema of its answer" },
    { input: { run: "RUN-001", brief: true }, does: "says who is asked next" },
  ],
  run: (session, asked): Promise<Result<ReportedStep>> =>
    reporting(session, async (hooks) => hostStep((await session.engines()).planning, asked, hooks)),
});

/** Deeper and larger than any answer of a role. */
const LARGEST = 32_000_000;

/** Some clients send JSON as text. */
function readOutput(output: unknown): Result<unknown> {
  if (typeof output !== "string") return ok(output);
  if (output.length > LARGEST) return usage("too-large", `output has more than ${LARGEST} characters.`);
  try {
    return ok(JSON.parse(output) as unknown);
  } catch (error) {
    return usage("invalid-input", `output is not JSON: ${(error as Error).message}.`);
  }
}

const submit = operation({
  name: "plan.submit",
  summary: "Hand in the answer to a step of a planning run",
  description:
    "The program judges the answer, compares it with the spec and the repository, stores it, and goes on with the run. An answer that does not fit is refused with its problems and the step to hand in again; after three times the run stops. A step takes one answer.",
  who: "both",
  effect: "runs",
  input: () =>
    input({
      call,
      output: field(z.union([z.string(), z.record(z.string(), z.unknown())]), {
        help: "the answer as JSON, as the schema of the step says",
        label: "JSON",
      }),
      session: optional(filled("what the subagent can be continued by, if it can", "NAME").check(z.maxLength(200))),
      inputTokens: optional(wholeNumber("tokens that the subagent read", 0, 1e12)),
      outputTokens: optional(wholeNumber("tokens that the subagent wrote", 0, 1e12)),
    }),
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
    return reporting(session, async (hooks) => hostSubmit((await session.engines()).planning, submission, hooks));
  },
});

const lookUp = operation({
  name: "plan.look-up",
  summary: "Read what the prompt of a step does not show whole",
  who: "both",
  effect: "reads",
  input: () => input({ call, name: filled("what the prompt calls it: plan, map, spec, or an id", "NAME") }),
  examples: [{ input: { call: "CALL-00004", name: "plan" }, does: "gives the whole plan as it stands" }],
  run: async (session, asked) => hostLookUp((await session.engines()).planning, asked),
});

const answer = operation({
  name: "plan.answer",
  summary: "Pass on what the person answered to a clarifying question",
  description:
    "Only for clarifying questions of a run whose roles you serve: ask the person with your own question tool, and pass on exactly what they said. The plan says which agent passed an answer on. Every other question takes a person.",
  who: "both",
  effect: "writes",
  input: () =>
    input({
      id: key("escalation", "the question, such as ESC-001", "ID"),
      option: filled("the option, or the answer in the person's own words", "OPTION"),
      note: optional(filled("what else the person said")),
    }),
  examples: [{ input: { id: "ESC-001", option: "English" }, does: "passes on what the person chose" }],
  run: async (session, asked) => relayAnswer((await session.engines()).planning, asked),
});

export const hostPlanningOperations = {
  "plan.step": stepOperation,
  "plan.submit": submit,
  "plan.look-up": lookUp,
  "plan.answer": answer,
};
