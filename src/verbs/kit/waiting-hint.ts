// Says what waits for you where nothing else is to be done.

import { isPerson } from "../../model/actor.js";
import { step } from "../../model/next-step.js";
import { fail, type Result } from "../../model/result.js";
import type { Session } from "./session.js";

const NOTHING_TO_DO: ReadonlySet<string> = new Set(["nothing-ready", "no-worker"]);

const MAX_ENTRIES_SHOWN = 5;

/** For a person who asked for work or a run and got none: what they can do instead. */
export async function withWaiting<T>(session: Session, result: Result<T>): Promise<Result<T>> {
  if (result.ok || !NOTHING_TO_DO.has(result.error.reason) || !isPerson(session.actor)) return result;
  const { waiting } = await import("../../plan/overview/waiting.js");
  const list = await waiting(session, { limit: MAX_ENTRIES_SHOWN, plain: true });
  if (!list.ok || list.value.total === 0) return result;
  const { message, details, next = [] } = result.error;
  return fail({
    ...result.error,
    message: `${message} ${list.value.summary}`,
    details: { ...details, waiting: list.value },
    next: [...next, step("waiting")],
  });
}
