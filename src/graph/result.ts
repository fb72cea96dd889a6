// Expected failures are data; exceptions are bugs. Every action answers with a Result.

/** What went wrong, as a family: each family has one exit code. */
export type FailureKind =
  | "ambiguous" // several nodes match
  | "problems" // looked, and found something wrong
  | "absent" // nothing found, or nothing to do
  | "refused" // a rule says no
  | "invariant" // would break the plan; rolled back
  | "usage" // the call itself is wrong
  | "bug"; // this cannot be

export interface Failure {
  readonly kind: FailureKind;
  /** One kebab-case word for programs, such as `lease-lost`. */
  readonly reason: string;
  /** One sentence for people: what was wrong, and where. */
  readonly message: string;
  /** What to type next. Never a command that removes anything. */
  readonly hint?: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export type Result<T, E = Failure> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

export const ok = <T>(value: T): Result<T, never> => ({ ok: true, value });

export const fail = (failure: Failure): Result<never> => ({ ok: false, error: failure });

type Rest = Pick<Failure, "hint" | "details">;

const failWith =
  (kind: FailureKind) =>
  (reason: string, message: string, rest: Rest = {}): Result<never> =>
    fail({ kind, reason, message, ...rest });

export const ambiguous = failWith("ambiguous");
export const absent = failWith("absent");
export const refused = failWith("refused");
export const breaks = failWith("invariant");
export const usage = failWith("usage");

const EXIT_CODES: Readonly<Record<FailureKind, number>> = {
  ambiguous: 1,
  problems: 1,
  absent: 2,
  refused: 3,
  invariant: 4,
  usage: 5,
  bug: 70,
};

export const exitCodeOf = (kind: FailureKind): number => EXIT_CODES[kind];
