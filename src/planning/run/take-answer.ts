// What becomes of a role call: its answer is stored with the state that follows from it, or it is sent back, or it failed. The same for
// an agent that this program started and for a host that hands an answer in.

import type { Ending } from "../../machine/agents/agent.js";
import { redactAll } from "../../machine/agents/redact.js";
import type { RoleCall } from "../../model/item/planning-run.js";
import { ok, type Result } from "../../model/result.js";
import { shortLine, shortText } from "../contracts/common.js";
import { type Failing, type RoleAsk, roundNumber } from "../machine/machine.js";
import type { Project } from "../project.js";
import { judgeReply } from "../roles/contract.js";
import type { RoleReply } from "../roles/server.js";
import { findQuote } from "../spec/quote.js";
import type { Spec } from "../spec/spec.js";
import { absorb } from "./absorb.js";
import { closeCall, recoveryFrom } from "./calls.js";
import { assume } from "./run-records.js";
import type { Hooks, PlanningServices } from "./services.js";
import { type Driver, type Run, saveArtifacts, stepRun } from "./stored-run.js";

/** Who drives which run, with what. */
export interface Driving {
  readonly services: PlanningServices;
  readonly hooks: Hooks;
  readonly key: string;
  readonly driver: Driver;
}

/** A call that was made, and what came back. */
interface MadeCall {
  readonly key: string;
  readonly reply: RoleReply;
  /** What the role read. */
  readonly project: Project;
  /** How many parts the spec or the plan is worked in. */
  readonly parts: number;
  readonly isOutline: boolean;
}

const FAILINGS: Readonly<Partial<Record<Ending, Failing>>> = {
  refused: "refused",
  "over-budget": "over-budget",
  cancelled: "cancelled",
  timeout: "timeout",
  crashed: "crashed",
  unavailable: "unavailable",
};

export async function settleCall(driving: Driving, run: Run, asked: RoleAsk, call: MadeCall): Promise<Result<Run>> {
  const { services, hooks, key: runKey } = driving;
  const { key, reply, project, parts, isOutline } = call;
  const failing = FAILINGS[reply.ending];
  if (failing) return failCall(driving, asked, call, failing, reply.message ?? `The agent ended: ${reply.ending}.`);
  if (reply.ending === "no-output") return sendBack(driving, run, asked, call, whyNothing(reply));
  const judged = judgeReply({ ...asked, isOutline }, reply.output);
  if (!judged.ok) return sendBack(driving, run, asked, call, judged.problems);
  const { context, redact } = services;
  const absorbed = await context.store.read((reader) => absorb(reader, run, asked, judged.value, project, parts));
  if (!absorbed.ok) return sendBack(driving, run, asked, call, absorbed.problems);
  const { artifacts, assumptions, outcome, summary } = absorbed.value;
  const warning = warningOf(hooks, asked, reply) ?? refusalsOf(reply);
  const stepped = await stepRun(context, runKey, driving.driver, async (writer, now, at) => {
    const by = { actor: context.actor, at };
    const saved = await saveArtifacts(writer, now, artifacts, by);
    const changes = [
      ...(await closeCall(writer, key, reply, null, redact, warning)),
      ...saved.changes,
      ...(await assume(writer, now, assumptions, by)),
    ];
    const event = { type: "replied", call: asked.call, ...outcome } as const;
    return ok({ sentence: `${asked.role} answered ${runKey}`, changes, patch: { current: saved.current }, event });
  });
  if (!stepped.ok) return stepped;
  const { inputTokens, outputTokens, costUsd } = reply.usage;
  hooks.onProgress({
    type: "answered",
    role: asked.role,
    stage: asked.stage,
    round: roundNumber(run.machine),
    summary,
    durationMs: reply.durationMs,
    tokens: inputTokens + outputTokens,
    costUsd,
  });
  const { machine } = stepped.value;
  if (roundNumber(machine) > roundNumber(run.machine))
    hooks.onProgress({ type: "revising", round: roundNumber(machine), because: machine.feedback });
  return stepped;
}

/** For example, that the agent asked to write and was refused. The answer is used, with a warning. */
function warningOf(
  hooks: Hooks,
  { role, stage }: RoleAsk,
  { message = "" }: RoleReply,
): Parameters<typeof closeCall>[5] {
  if (message === "") return null;
  hooks.onProgress({ type: "warned", role, stage, message: shortText(message) });
  return { message, recovery: "The answer was used.", settled: true };
}

function sendBack(
  { services: { context, redact }, hooks, key: runKey, driver }: Driving,
  run: Run,
  asked: RoleAsk,
  { key, reply }: MadeCall,
  problems: readonly string[],
): Promise<Result<Run>> {
  const { role, stage, repair } = asked;
  const isLast = repair >= run.machine.limits.repairs;
  const recovery = isLast ? recoveryFrom("unreadable") : "sent back with what was wrong";
  const message = isLast ? `The reply did not fit ${repair + 1} times: ${problems.join("; ")}` : "";
  hooks.onProgress(
    isLast
      ? { type: "failed", role, stage, message: shortLine(message, 900), recovery }
      : { type: "sent-back", role, stage, problems },
  );
  const error = { message: problems.join("\n"), recovery, settled: false };
  return stepRun(context, runKey, driver, async (writer) =>
    ok({
      sentence: isLast
        ? `the ${role} of ${runKey} failed: ${shortLine(message, 200)}`
        : `the reply of the ${role} did not fit`,
      changes: await closeCall(writer, key, reply, error, redact),
      event: { type: "misfit", call: asked.call },
    }),
  );
}

/** `call` is null if nothing was asked. */
export function failCall(
  { services: { context, redact }, hooks, key: runKey, driver }: Driving,
  asked: RoleAsk,
  call: Pick<MadeCall, "key" | "reply"> | null,
  how: Failing,
  words: string,
  recovery = recoveryFrom(how),
): Promise<Result<Run>> {
  const message = shortText(words);
  hooks.onProgress({ type: "failed", role: asked.role, stage: asked.stage, message, recovery });
  return stepRun(context, runKey, driver, async (writer) =>
    ok({
      sentence: `the ${asked.role} of ${runKey} failed: ${shortLine(message, 200)}`,
      changes: call ? await closeCall(writer, call.key, call.reply, { message, recovery, settled: false }, redact) : [],
      event: { type: "failed", call: asked.call, how },
    }),
  );
}

/** Why there is no result: what was wrong with the last submission, with its field paths, if there was one. */
const whyNothing = ({ refused = [], message = "Nothing was handed in." }: RoleReply): readonly string[] =>
  refused.at(-1) ?? [shortText(message)];

/** An answer that counts, after others that were refused. */
function refusalsOf({ refused = [] }: RoleReply): RoleCall["error"] {
  if (refused.length === 0) return null;
  const head = `submit refused ${refused.length === 1 ? "one reply" : `${refused.length} replies`}:`;
  const message = [head, ...refused.flat()].join("\n");
  return { message, recovery: "The agent corrected it in the same turn.", settled: true };
}

type Redact = (text: string) => string;

export function cleanReply(reply: RoleReply, spec: Spec, redact: Redact): RoleReply {
  const { message, output, ...others } = reply;
  const said = { ...others, text: redact(reply.text), ...(message === undefined ? {} : { message: redact(message) }) };
  if (output === undefined) return said;
  const cleaned = cleanOutput(output, redactBeyond(spec, redact));
  return cleaned === TOO_DEEP
    ? { ...said, ending: "no-output", message: "The answer is nested too deeply to be read." }
    : { ...said, output: cleaned };
}

const redactBeyond =
  (spec: Spec, redact: Redact): Redact =>
  (text) => {
    const clean = redact(text);
    return clean === text || findQuote(spec, text) !== undefined ? text : clean;
  };

const TOO_DEEP = Symbol("too deep");

function cleanOutput(output: unknown, redact: Redact): unknown {
  try {
    return redactAll(output, redact);
  } catch (error) {
    if (error instanceof RangeError) return TOO_DEEP;
    throw error;
  }
}
