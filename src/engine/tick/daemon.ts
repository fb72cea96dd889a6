// The daemon in this process: an engine that obeys levels, with its chores and the news, until it is asked to stop.

import type { NotifierSettings } from "../../machine/notify/notify.js";
import type { Result } from "../../model/result.js";
import { ok } from "../../model/result.js";
import { requireRepository } from "../attempt/require-repository.js";
import type { EngineServices } from "../services.js";
import { announcer } from "./announce-news.js";
import { noteForeground, writeBeat } from "./background.js";
import { Engine } from "./engine.js";
import { collectEnded, type EndedAttempt } from "./run-session.js";
import { serve } from "./serve.js";

export interface DaemonOptions {
  readonly workers?: number;
  readonly signal: AbortSignal;
}

export async function runDaemon(
  given: EngineServices,
  notifications: NotifierSettings,
  { workers = given.policy.workers, signal }: DaemonOptions,
): Promise<Result<EndedAttempt[]>> {
  const { context, env, policy } = given;
  const repository = await requireRepository(context);
  if (!repository.ok) return repository;
  const { ended, onEvent } = collectEnded(given.onEvent);
  const services: EngineServices = { ...given, onEvent };
  const { root } = context;
  const note = (text: string): void => onEvent({ type: "notice", text });
  const ring = (): void => onEvent({ type: "bell" });
  const news = announcer(context, notifications, { ring, note, env, named: policy.env, root });
  const forget = noteForeground(root);
  try {
    const onLook = (problem: string | null): void =>
      writeBeat(root, { at: new Date().toISOString(), workers, problem });
    await serve(services, new Engine(services, { obeysLevels: true, workers }), news, { signal, onLook });
  } finally {
    forget();
  }
  return ok(ended);
}
