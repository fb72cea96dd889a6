// One operation over HTTP: who asks, whether this browser may, and the answer with its status.

import { step } from "../../model/next-step.js";
import { absent, type Failure, ok, type Result, refused } from "../../model/result.js";
import { type App, failureOf } from "../../verbs/app.js";
import { answerEnvelope, failureEnvelope } from "../../verbs/envelope.js";
import type { Door } from "../../verbs/kit/session.js";
import type { Verb } from "../../verbs/kit/verb.js";
import { isVerb, loadVerb } from "../../verbs/list.js";

export interface OperationCaller {
  readonly app: App;
  readonly readOnly: boolean;
  /** Why this request may change nothing: its browser did not sign it. Asked once, for a request that changes something. */
  readonly refuseUnsigned: () => { readonly reason: string; readonly message: string } | undefined;
  readonly door: Door;
}

export interface HttpAnswer {
  readonly status: number;
  readonly body: ReturnType<typeof answerEnvelope | typeof failureEnvelope>;
}

export async function callOperation(name: string, input: unknown, caller: OperationCaller): Promise<HttpAnswer> {
  const { app } = caller;
  try {
    const answered = await ask(name, input, caller);
    if (answered.ok) return { status: 200, body: answerEnvelope(app, answered.value) };
    const failed = failureResponse(app, withCommand(answered.error, name, input));
    return (await isAnswer(answered.error, name, input)) ? { ...failed, status: 200 } : failed;
  } catch (error) {
    const failed = failureOf(error);
    if (failed.ok) throw error;
    return failureResponse(app, failed.error);
  }
}

async function ask(name: string, input: unknown, caller: OperationCaller): Promise<Result<unknown>> {
  if (!isVerb(name)) return absent("unknown-operation", `There is no operation "${name.slice(0, 60)}".`);
  const operation = await loadVerb(name);
  const may = mayCall(operation, input, caller);
  return may.ok ? caller.app.ask(name, input, caller.door) : may;
}

function mayCall(operation: Verb, input: unknown, { readOnly, refuseUnsigned }: OperationCaller): Result<void> {
  if (looksOnly(operation, input)) return ok(undefined);
  if (readOnly) return refused("read-only", "This board is read-only.");
  const unsigned = refuseUnsigned();
  return unsigned ? refused(unsigned.reason, unsigned.message) : ok(undefined);
}

/** A run that stops again, and a preview that says "cannot, because …", were found and asked in the right way. */
async function isAnswer({ kind, reason }: Failure, name: string, input: unknown): Promise<boolean> {
  if (STOPPED_RUNS.has(reason)) return true;
  if (kind !== "refused" || FORBIDDEN.has(reason) || !isVerb(name)) return false;
  const operation = await loadVerb(name);
  return operation.effect !== "reads" && looksOnly(operation, input);
}

/** What the schema refuses, the operation itself will refuse. */
function looksOnly({ effect, input: schema, looksOnly: looks }: Verb, input: unknown): boolean {
  if (effect === "reads") return true;
  const parsed = looks && schema.safeParse(input);
  return parsed?.success === true && looks?.(parsed.data) === true;
}

/** What only a person may do, a person can do at a terminal. */
function withCommand(failure: Failure, name: string, input: unknown): Failure {
  if (failure.reason !== "needs-person" || !isVerb(name)) return failure;
  return { ...failure, next: [step(name, { ...Object(input) }), ...(failure.next ?? [])] };
}

function failureResponse(app: App, failure: Failure): HttpAnswer {
  const { stack: _, ...details } = failure.details ?? {};
  // Where in our code a bug is, is for a terminal.
  const shown = failure.details === undefined ? failure : { ...failure, details };
  return {
    status: FORBIDDEN.has(failure.reason) ? 403 : STATUS_OF_KIND[failure.kind],
    body: failureEnvelope(app, shown),
  };
}

const STATUS_OF_KIND: Readonly<Record<Failure["kind"], number>> = {
  ambiguous: 409,
  problems: 422,
  absent: 404,
  refused: 409,
  invariant: 409,
  usage: 400,
  interrupted: 503,
  bug: 500,
};

const FORBIDDEN: ReadonlySet<string> = new Set([
  "read-only",
  "needs-person",
  "needs-signature",
  "wrong-signature",
  "late-signature",
]);

const STOPPED_RUNS: ReadonlySet<string> = new Set(["run-waiting", "run-halted"]);
