// Does what a button says. The server decides; the page says what happened, and offers to undo it.

import { change } from "./client.js";
import { connection } from "./live.js";
import { refreshSoon } from "./reads.js";
import { say } from "./say.js";
import { signInAgain } from "./session.js";
import { signal } from "./signal.js";
import { tryAgain } from "./stream.js";
import { isForeign, token } from "./token.js";
import type { Answer, ApiFailure, Step, VerbName } from "./types.js";

const STORED = "planwright.acted";

/** Whether you did something in this tab. Before that, nothing is started for you. */
export const hasActed = signal(sessionStorage.getItem(STORED) !== null);

const OFFLINE_MS = 5_000;

/** While the stream is broken a click waits a little for it. */
function untilLive(): Promise<boolean> {
  if (connection.get().state !== "broken") return Promise.resolve(true);
  return new Promise((resolve) => {
    const done = (live: boolean): void => {
      clearTimeout(timer);
      stop();
      resolve(live);
    };
    const timer = setTimeout(() => done(false), OFFLINE_MS);
    const stop = connection.watch(() => connection.get().state === "live" && done(true));
    tryAgain();
  });
}

const nothingDone = (reason: string, message: string): Answer<never> => ({
  ok: false,
  error: { reason, message, details: null, next: [] },
});

/** Asks for a change. */
export async function perform(operation: VerbName, input: unknown): Promise<Answer<unknown>> {
  if (!(await untilLive())) {
    return nothingDone("offline", "The server did not answer within 5 seconds. Nothing was done.");
  }
  await signInAgain();
  if (isForeign.get()) return nothingDone("foreign", "Your board does not answer here. Nothing was done.");
  if (token.get() === undefined) return nothingDone("no-session", "Type the new code first. Nothing was done.");
  sessionStorage.setItem(STORED, "1");
  hasActed.set(true);
  const answer = await change(operation, input);
  // The board was started again: this browser may still be known there.
  if (answer.ok || answer.error.reason !== "no-session") return finish(answer);
  await signInAgain();
  return token.get() === undefined ? answer : finish(await change(operation, input));
}

function finish(answer: Answer<unknown>): Answer<unknown> {
  refreshSoon();
  return answer;
}

const opOf = (data: unknown): number | null => {
  const op = typeof data === "object" && data !== null && "op" in data ? data.op : null;
  return typeof op === "number" ? op : null;
};

export const undo = (operation?: number | string): void =>
  void act("undo", operation === undefined ? {} : { operation: String(operation) }, "Undone.");

export const redo = (): void => void act("redo", {}, "Done again.");

/** The same, and says how it went. Answers whether it was done. */
export const act = async (operation: VerbName, input: unknown, done: string): Promise<boolean> =>
  (await actOrAsk(operation, input, done)) === true;

/** The same again; what the server wants to be confirmed first is the answer, and is not said. */
export async function actOrAsk(
  operation: VerbName,
  input: unknown,
  done: string,
): Promise<boolean | { readonly error: ApiFailure; readonly step: Step }> {
  const answer = await perform(operation, input);
  if (answer.ok) {
    const op = opOf(answer.data);
    say(done, op === null || operation === "undo" ? {} : { undo: () => undo(op) });
    return true;
  }
  const { error } = answer;
  const step = NEEDS_YES.has(error.reason) ? error.next.find((each) => each.operation === operation) : undefined;
  if (step) return { error, step };
  say(error.message, { tone: "stop" });
  return false;
}

/** Refusals that come with the same step and your yes in it. */
const NEEDS_YES: ReadonlySet<string> = new Set(["needs-yes", "no-sandbox"]);
