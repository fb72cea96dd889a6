// Does what a button says. The server decides; the page says what happened, and offers to undo it.

import { change } from "./client.js";
import { connection } from "./live.js";
import { refreshSoon } from "./reads.js";
import { say } from "./say.js";
import { session } from "./session.js";
import { signal } from "./signal.js";
import { tryAgain } from "./stream.js";
import { token } from "./token.js";
import type { Answer, ApiFailure, Step, VerbName } from "./types.js";

/** What waits until somebody confirmed that a person sits here. */
export interface PendingPerson {
  readonly go: (confirmed: boolean) => void;
}

export const pendingPerson = signal<PendingPerson | undefined>(undefined);

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

const askPerson = (): Promise<boolean> =>
  new Promise((resolve) => {
    pendingPerson.set({
      go: (confirmed) => {
        pendingPerson.set(undefined);
        resolve(confirmed);
      },
    });
  });

const needsConfirmation = ({ reason }: ApiFailure): boolean => reason === "needs-confirmation";

const nothingDone = (reason: string, message: string): Answer<never> => ({
  ok: false,
  error: { reason, message, details: null, next: [] },
});

/** Known without asking the server. After it was started again, it says so itself. */
const isUnconfirmed = (): boolean => {
  const known = session.get();
  return known !== undefined && known.canConfirm && !known.confirmed && !known.readOnly;
};

/** Asks for a change. Before the first one, somebody has to say: it is me. */
export async function perform(operation: VerbName, input: unknown): Promise<Answer<unknown>> {
  if (token.get() === undefined) return nothingDone("no-session", "Type the new code first. Nothing was done.");
  if (!(await untilLive())) {
    return nothingDone("offline", "The server did not answer within 5 seconds. Nothing was done.");
  }
  const declined = nothingDone("declined", "Nothing was done.");
  if (isUnconfirmed() && !(await askPerson())) return declined;
  const answer = await change(operation, input);
  if (answer.ok || !needsConfirmation(answer.error)) return finish(answer);
  return (await askPerson()) ? finish(await change(operation, input)) : declined;
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
