// Expected failures are data; exceptions are bugs. Every operation answers with a Result.

import type { NextStep } from "./next-step.js";

/** What went wrong, as a family: each family has one exit code. */
export type FailureKind =
  | "ambiguous" // several nodes match
  | "problems" // looked, and found something wrong
  | "absent" // nothing found, or nothing to do
  | "refused" // a rule says no
  | "invariant" // would break the plan; rolled back
  | "usage" // the call itself is wrong
  | "interrupted" // the caller wanted it to stop
  | "bug"; // this cannot be

export interface Failure {
  readonly kind: FailureKind;
  /** One kebab-case word for programs, such as `lease-lost`. */
  readonly reason: string;
  /** One sentence for people: what was wrong, and where. */
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** What to do about it, the best first. */
  readonly next?: readonly NextStep[];
}

export type Result<T, E = Failure> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

/** What a function answers if it succeeds. */
export type ValueOf<Answer> = Extract<Awaited<Answer>, { readonly ok: true; readonly value: unknown }>["value"];

export const ok = <T>(value: T): Result<T, never> => ({ ok: true, value });

export const fail = (failure: Failure): Result<never> => ({ ok: false, error: failure });

type Rest = Pick<Failure, "details" | "next">;

const failWith =
  (kind: FailureKind) =>
  (reason: string, message: string, rest: Rest = {}): Result<never> =>
    fail({ kind, reason, message, ...rest });

export const ambiguous = failWith("ambiguous");
export const absent = failWith("absent");
export const refused = failWith("refused");
export const problems = failWith("problems");
export const breaks = failWith("invariant");
export const interrupted = failWith("interrupted");
export const usage = failWith("usage");

const EXIT_CODES: Readonly<Record<FailureKind, number>> = {
  ambiguous: 1,
  problems: 1,
  absent: 2,
  refused: 3,
  invariant: 4,
  usage: 5,
  interrupted: 130,
  bug: 70,
};

export const exitCodeOf = (kind: FailureKind): number => EXIT_CODES[kind];
