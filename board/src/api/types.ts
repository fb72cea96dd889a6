// What the server answers, typed by the catalogue itself. Only types cross this border.

import type { VerbName } from "../../../src/model/next-step.js";
import type { InputOf, OutputOf } from "../../../src/verbs/list.js";

export type { VerbName } from "../../../src/model/next-step.js";
export type Input<Name extends VerbName> = InputOf<Name>;
export type Output<Name extends VerbName> = OutputOf<Name>;

/** A way out, as the server offers it. */
export interface Step {
  readonly operation: VerbName;
  readonly input: Readonly<Record<string, unknown>>;
  /** Fields that only the reader can fill in. */
  readonly needs?: readonly string[];
  readonly who?: "person" | "agent" | "both";
  /** How it is typed; absent where it removes something. */
  readonly command?: string;
  readonly destructive?: boolean;
  readonly summary?: string;
}

export interface ApiFailure {
  readonly reason: string;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>> | null;
  readonly next: readonly Step[];
}

export type Answer<T> = { readonly ok: true; readonly data: T } | { readonly ok: false; readonly error: ApiFailure };

export type StatusTree = Extract<Output<"status">, { tree: unknown }>["tree"][number];
export type Why = Extract<Output<"why">, { chain: unknown }>;
export type ShownNode = Extract<Output<"show">, { tier: unknown }>;
export type WaitingEntry = Output<"waiting">["entries"][number];
export type AttemptRow = Output<"attempt.list">[number];
export type LogRow = Output<"log">["operations"][number];
export type Question = Output<"question.list">[number];
export type ApprovalPreview = Extract<Output<"approve">, { hash: string }>;
