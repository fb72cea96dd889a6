import { noteRunSession } from "../../plan/claim/session-notes.js";
import { type HostStep, hostStep } from "../../planning/run/host.js";
import type { Hooks, Progress } from "../../planning/run/services.js";
import { fail, fields, flag, harmless, key, ok, optional, planVerb, type Result, type Session } from "../kit/verb.js";
import { progressLines } from "../text/progress-lines.js";
import { planningHooks } from "./run-text.js";

export const call = key("call", "the step, such as CALL-00001", "CALL");

export const input = fields({
  run: optional(key("run", "a planning run; the latest unfinished one unless given", "RUN")),
  call: optional(key("call", "exactly this step, such as CALL-00001", "CALL")),
  fresh: optional(flag("the conversation to resume is gone: give the whole prompt")),
  brief: optional(flag("leave out the prompt and the schema")),
});

export const verb = planVerb({
  command: { words: "plan step", group: "agents", positional: ["run"] },
  summary: "Read the next step of a run whose roles you serve",
  description:
    "For a coding agent that plans with its own subagents (plan with serve host). It gives the role, the prompt, the schema of the answer, and whether a new subagent is asked or an earlier one goes on. Asking again gives the same step, also after the agent was killed. When the run waits for the person, it gives the questions. With brief it leaves out prompt and schema: the subagent reads them itself, with call.",
  effect: "runs",
  tools: [{ tool: "plan", action: "step", fields: ["run", "call", "fresh", "brief"], whole: true }],
  input,
  examples: [
    { input: { run: "RUN-001" }, does: "gives the role to be, its prompt and the schema of its answer" },
    { input: { run: "RUN-001", brief: true }, does: "says who is asked next" },
  ],
  run: (session, asked) =>
    reporting(session, async (hooks) => hostStep(await (await session.engines()).planning(), asked, hooks)),
  text: stepText,
  next: ({ next }) => next,
});

function stepLines({ run, status, stage, ask, progress, questions, stopped }: ReportedStep): string[] {
  const state = stopped === null ? status : `${status} (${stopped})`;
  const asked =
    ask === null
      ? questions.map(({ id, question }) => `${id}  ${question}`)
      : [
          `${ask.call}  ${ask.role} (${ask.stage}), ${ask.session === null ? ask.conversation : `resume ${ask.session}`}`,
          ...(ask.prompt === undefined ? [] : ["", ask.prompt]),
          ...(ask.schema === undefined ? [] : ["", "Schema of the answer:", JSON.stringify(ask.schema)]),
        ];
  return [...progress, `${run} ${state}, stage ${stage}`, ...asked];
}

export function stepText(step: ReportedStep): string {
  return stepLines(step).map(harmless).join("\n");
}

/** A step with what happened since the one before, in the lines that a terminal would show. */
export interface ReportedStep extends HostStep {
  readonly progress: readonly string[];
}

export async function reporting(session: Session, work: (hooks: Hooks) => Promise<Result<HostStep>>) {
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
  return fail({ ...worked.error, details: { ...worked.error.details, progress } });
}
