// What becomes of a role call: its answer is stored with the state that follows from it, or it is sent back, or it failed. The same for
// an agent that this program started and for a host that hands an answer in.

import { redactAll } from "../../machine/agents/redact.js";
import { ok, type Result } from "../../model/result.js";
import { shortLine, shortText } from "../contracts/common.js";
import { type Event, type Failing, type RoleAsk, roundNumber } from "../machine/machine.js";
import type { Project } from "../project.js";
import type { Brief } from "../roles/brief.js";
import { judgeReply } from "../roles/contract.js";
import type { RoleReply } from "../roles/server.js";
import { findQuote } from "../spec/quote.js";
import type { Spec } from "../spec/spec.js";
import { absorb } from "./absorb.js";
import { type CallError, closeCall } from "./calls.js";
import { assume } from "./run-records.js";
import { type Drive, type Hooks, reportRevision, saveStep } from "./services.js";
import type { Run } from "./stored-run.js";

export interface MadeCall {
  readonly key: string;
  readonly reply: RoleReply;
  readonly brief: Brief;
  readonly project: Project;
  readonly isOutline: boolean;
}

export async function settleCall(drive: Drive, run: Run, asked: RoleAsk, call: MadeCall): Promise<Result<Run>> {
  const { services, hooks } = drive;
  const { key, reply, brief, project, isOutline } = call;
  const { ending } = reply;
  if (ending === "no-output") return sendBack(drive, run, asked, call, whyNothing(reply));
  // Any other word that an agent may end with is judged by the answer that came with it.
  if (isFailing(ending)) return failCall(drive, asked, call, ending, reply.message ?? `The agent ended: ${ending}.`);
  const judged = judgeReply({ ...brief, isOutline }, reply.output);
  if (!judged.ok) return sendBack(drive, run, asked, call, judged.problems);
  const { context, redact } = services;
  const absorbed = await context.store.read((reader) => absorb(reader, run, asked, judged.value, brief, project));
  if (!absorbed.ok) return sendBack(drive, run, asked, call, absorbed.problems);
  const { artifacts, assumptions, outcome, summary } = absorbed.value;
  const warning = warningOf(hooks, asked, reply) ?? refusalsOf(reply);
  const stepped = await saveStep(drive, async (writer, now, at) => {
    const changes = [
      ...(await closeCall(writer, key, reply, null, redact, warning)),
      ...(await assume(writer, now, assumptions, { by: context.actor, at })),
    ];
    const event = { type: "replied", call: asked.call, ...outcome } as const;
    return ok({ sentence: `${asked.role} answered ${run.key}`, artifacts, changes, event });
  });
  if (!stepped.ok) return stepped;
  const { role, stage } = asked;
  const { inputTokens, outputTokens, costUsd } = reply.usage;
  const figures = { durationMs: reply.durationMs, tokens: inputTokens + outputTokens, costUsd };
  hooks.onProgress({ type: "answered", role, stage, round: roundNumber(run.machine), summary, ...figures });
  reportRevision(hooks, run, stepped.value);
  return stepped;
}

/** For example, that the agent asked to write and was refused. The answer is used, with a warning. */
function warningOf(hooks: Hooks, { role, stage }: RoleAsk, { message = "" }: RoleReply): CallError | null {
  if (message === "") return null;
  hooks.onProgress({ type: "warned", role, stage, message: shortText(message) });
  return { message, recovery: "The answer was used.", settled: true };
}

function sendBack(
  drive: Drive,
  run: Run,
  { role, stage, repair, call: number }: RoleAsk,
  call: MadeCall,
  problems: readonly string[],
): Promise<Result<Run>> {
  const isLast = repair >= run.machine.limits.repairs;
  const recovery = isLast ? RECOVERIES.unreadable : "sent back with what was wrong";
  const message = isLast ? `The reply did not fit ${repair + 1} times: ${problems.join("; ")}` : "";
  drive.hooks.onProgress(
    isLast
      ? { type: "failed", role, stage, message: shortLine(message, 900), recovery }
      : { type: "sent-back", role, stage, problems },
  );
  const error = { message: problems.join("\n"), recovery, settled: false };
  const sentence = isLast ? failedSentence(role, run.key, message) : `the reply of the ${role} did not fit`;
  return closeFailed(drive, call, error, sentence, { type: "misfit", call: number });
}

const failedSentence = (role: string, run: string, message: string): string =>
  `the ${role} of ${run} failed: ${shortLine(message, 200)}`;

/** A call without an answer that counts ends with its error, and the run takes the event. `call` is null if nothing was asked. */
export const closeFailed = (
  drive: Drive,
  call: Pick<MadeCall, "key" | "reply"> | null,
  error: CallError,
  sentence: string,
  event?: Event,
): Promise<Result<Run>> =>
  saveStep(drive, async (writer) => {
    const changes = call ? await closeCall(writer, call.key, call.reply, error, drive.services.redact) : [];
    return ok({ sentence, changes, event });
  });

export function failCall(
  drive: Drive,
  { role, stage, call: number }: RoleAsk,
  call: Pick<MadeCall, "key" | "reply"> | null,
  how: Failing,
  words: string,
  recovery = RECOVERIES[how],
): Promise<Result<Run>> {
  const message = shortText(words);
  drive.hooks.onProgress({ type: "failed", role, stage, message, recovery });
  const error = { message, recovery, settled: false };
  return closeFailed(drive, call, error, failedSentence(role, drive.key, message), {
    type: "failed",
    call: number,
    how,
  });
}

const RECOVERIES: Readonly<Record<Failing, string>> = {
  timeout: "Resume the run with a longer time limit.",
  cancelled: "Resume the run: it continues where it stopped.",
  "over-budget": "Resume the run with a higher limit.",
  unreadable: "Resume the run to ask again.",
  crashed: "Answer the open question to continue.",
  refused: "Answer the open question to continue.",
  unavailable: "Install an agent, or choose another one.",
};

const isFailing = (ending: string): ending is Failing => Object.hasOwn(RECOVERIES, ending);

/** Why there is no result: what was wrong with the last submission, with its field paths, if there was one. */
const whyNothing = ({ refused = [], message = "Nothing was handed in." }: RoleReply): readonly string[] =>
  refused.at(-1) ?? [shortText(message)];

/** An answer that counts, after others that were refused. */
function refusalsOf({ refused = [] }: RoleReply): CallError | null {
  if (refused.length === 0) return null;
  const head = `submit refused ${refused.length === 1 ? "one reply" : `${refused.length} replies`}:`;
  const message = [head, ...refused.flat()].join("\n");
  return { message, recovery: "The agent corrected it in the same turn.", settled: true };
}

type Redact = (text: string) => string;

/** What an agent said, without secrets: cleaned once, before anything is made of it. Words of the spec stay as they are, because quotes
 *  are looked up in it, and it is kept byte for byte in any case. */
export function cleanReply(reply: RoleReply, spec: Spec, redact: Redact): RoleReply {
  const { message, output, ...others } = reply;
  const said = { ...others, text: redact(reply.text), ...(message === undefined ? {} : { message: redact(message) }) };
  if (output === undefined) return said;
  try {
    return { ...said, output: redactAll(output, redactBeyond(spec, redact)) };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { ...said, ending: "no-output", message: "The answer is nested too deeply to be read." };
  }
}

const redactBeyond =
  (spec: Spec, redact: Redact): Redact =>
  (text) => {
    const clean = redact(text);
    return clean === text || findQuote(spec, text) !== undefined ? text : clean;
  };
