// Runs one turn of a worker with limits on time, silence, tokens and cost, and reports its output.

import { redactAll } from "../../machine/agents/redact.js";
import type { AttemptUsage } from "../../model/attempt/attempt.js";
import type { LiveAttempt } from "../attempt/attempt-state.js";
import type { EngineServices, WorkResult, WorkSession, WorkTurn } from "../services.js";

/** At least one cent, because some agents take 0 for no limit. */
const costLeft = ({ policy }: EngineServices, { costUsd }: AttemptUsage): number | null =>
  policy.attemptCostUsd === null ? null : Math.max(0.01, policy.attemptCostUsd - (costUsd ?? 0));

const LINE = 200;

/** Replaces the ending: we aborted the turn, so the worker reports that it was cancelled. */
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
        // Redact before cutting, because half a secret cannot be recognised.
        services.onEvent({ type: "line", ...said, line: services.redact(line).slice(0, LINE) });
      },
      onTokens,
    });
    // The result is stored in the plan, so it must not hold a secret.
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
