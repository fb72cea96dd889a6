// What a look through the whole log finds.

import type { LogLink, LogWitness } from "./log-witness.js";
import type { ReportWork } from "./progress.js";
import type { PeopleOptions } from "./store.js";

/** Of signatures from before the plan knew people. `unknown-key`: signed with a secret that is not known here. */
export type CheckSignature = (link: string, signature: string) => "valid" | "wrong" | "unknown-key";

export interface VerifyOptions {
  readonly checkSignature?: CheckSignature;
  /** Who started the plan, as far as this machine has seen. */
  readonly first?: PeopleOptions["first"];
  /** What is known elsewhere about the log. */
  readonly witnesses?: readonly LogWitness[];
  readonly report?: ReportWork | undefined;
}

export interface LogVerification {
  readonly head: LogLink;
  /** The last operation that something outside of the file knows. What was cut off after it would go unnoticed. */
  readonly knownTo: number;
  /** The first operation that does not follow from the one before it. */
  readonly broken: { readonly op: number; readonly problem: string } | null;
  /** The first operation that was chained when it happened: an upgrade chained those before it. */
  readonly chainedFrom: number;
  /** Whether the plan knows people. Before that, a signature could be checked only with the secret itself. */
  readonly hasPeople: boolean;
  readonly signatures: {
    readonly valid: number;
    /** Operations signed with a secret that the plan did not know then, or before it knew any, with one that is not here. */
    readonly unknownKey: readonly number[];
    /** Operations whose signature is false. */
    readonly wrong: readonly number[];
    /** Operations that approve something without a signature. */
    readonly unsigned: readonly number[];
    /** The same, from before approvals were signed: they stay valid. */
    readonly unsignedEarlier: number;
  };
}

export interface Verification {
  readonly operations: number;
  readonly rows: number;
  readonly log: LogVerification;
  readonly differences: readonly {
    readonly row: string;
    readonly field: string;
    readonly stored: unknown;
    readonly replayed: unknown;
  }[];
}
