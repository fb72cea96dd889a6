// One turn of a worker under watch: its time, its silence, and what it uses are limited, and what it says is passed on.

import { redactAll } from "../../agents/redact.js";
import type { AttemptUsage } from "../../graph/attempt/attempt.js";
import type { EngineServices } from "../engine/services.js";
import type { LiveAttempt } from "./attempt-state.js";
import type { WorkResult, WorkSession, WorkTurn } from "./worker.js";

/** Which limit of one attempt was passed, in words; null if none was. */
export function overLimit(
  { policy }: EngineServices,
  { inputTokens, outputTokens, costUsd }: AttemptUsage,
): string | null {
  const tokens = inputTokens + outputTokens;
  if (policy.attemptTokens !== null && tokens > policy.attemptTokens) {
    return `it used ${tokens} tokens; an attempt may use ${policy.attemptTokens}`;
  }
  if (policy.attemptCostUsd !== null && (costUsd ?? 0) > policy.attemptCostUsd) {
    return `it cost $${(costUsd ?? 0).toFixed(2)}; an attempt may cost $${policy.attemptCostUsd.toFixed(2)}`;
  }
  return null;
}

/** Nothing left would be no limit to some agents. */
const costLeft = ({ policy }: EngineServices, { costUsd }: AttemptUsage): number | null =>
  policy.attemptCostUsd === null ? null : Math.max(0.01, policy.attemptCostUsd - (costUsd ?? 0));

const LINE = 200;

/** To the worker it looked as if somebody had cancelled it. */
const limitPassed = (
  why: "stalled" | "over-budget",
  { policy }: EngineServices,
): Required<Pick<WorkResult, "ending" | "problem">> => ({
  ending: why,
  problem:
    why === "stalled"
      ? `It was silent for ${policy.stallMinutes} minutes, and was stopped.`
      : `It used more than the ${policy.attemptTokens} tokens that an attempt may use, and was stopped.`,
});

type Asked = Pick<WorkTurn, "prompt" | "failure" | "signal">;

export async function watchTurn(
  services: EngineServices,
  live: LiveAttempt,
  session: WorkSession,
  { prompt, failure, signal }: Asked,
): Promise<WorkResult> {
  const { policy, context } = services;
  const said = { attempt: live.key, task: live.task.id };
  const ended = new AbortController();
  let why: "stalled" | "over-budget" | undefined;
  const end = (reason: "stalled" | "over-budget"): void => {
    why ??= reason;
    ended.abort();
  };
  const silence = watchSilence(policy.stallMinutes * 60_000, () => end("stalled"));
  const onTokens = (tokens: number): void => {
    silence.heard();
    services.onEvent({ type: "tokens", ...said, tokens });
    const used = live.attempt.usage.inputTokens + live.attempt.usage.outputTokens + tokens;
    if (policy.attemptTokens !== null && used > policy.attemptTokens) end("over-budget");
  };
  const left = live.attempt.startedAt + policy.attemptMinutes * 60_000 - context.now();
  try {
    const turned = await session.turn({
      prompt,
      failure,
      timeoutMs: Math.max(1, left),
      maxCostUsd: costLeft(services, live.attempt.usage),
      signal: AbortSignal.any([signal, ended.signal]),
      onActivity: () => silence.heard(),
      onLine: (line) => {
        silence.heard();
        // Cut only now: half a secret could not be known any more.
        services.onEvent({ type: "line", ...said, line: services.redact(line).slice(0, LINE) });
      },
      onTokens,
    });
    // What it said goes into the plan, where it stays.
    const result = redactAll(turned, (text) => services.redact(text)) as WorkResult;
    return why === undefined || result.ending === "done" ? result : { ...result, ...limitPassed(why, services) };
  } finally {
    silence.stop();
  }
}

function watchSilence(limitMs: number, onSilent: () => void): { heard(): void; stop(): void } {
  const timer = setTimeout(onSilent, limitMs);
  return { heard: () => void timer.refresh(), stop: () => clearTimeout(timer) };
}
