// Records: decisions, constraints, requirements and assumptions.

import { type Actor, isPerson } from "../actor.js";
import type { ItemPrefix } from "../item-key.js";
import { step } from "../next-step.js";
import type { Nr } from "../node/node.js";
import { ok, type Result, refused, usage } from "../result.js";

export const RECORD_KINDS = ["decision", "constraint", "requirement", "assumption", "baseline"] as const;
export type RecordKind = (typeof RECORD_KINDS)[number];

/** Only an active record goes into prompts and bundles, and binds a plan. */
export type RecordState = "proposed" | "active" | "superseded";

export const OPERATORS = ["<", "<=", "=", ">=", ">"] as const;
export type Operator = (typeof OPERATORS)[number];

export interface Measure {
  readonly metric: string;
  readonly op: Operator;
  readonly target: number;
  /** Prints the number on its last line. */
  readonly run: string | null;
}

/** The part of a constraint that a program checks. */
export interface Bounds {
  /** No task may have a file that matches one of these patterns in its footprint. */
  readonly files: readonly string[];
  /** No task may run or say this: words or commands such as `npm install`. */
  readonly words: readonly string[];
}

/** Failures that were there before any work, by name. Only these are excused. */
export interface Baseline {
  /** The command of the check. */
  readonly run: string;
  /** The commit on which the tests failed. */
  readonly commit: string | null;
  /** The failing tests, as the runner names them. */
  readonly tests: readonly string[];
}

/** What is wrong with a pattern for files that nobody may touch: it must not lead out of the workspace. */
export const patternProblem = (pattern: string): string | undefined =>
  pattern.split(/[\\/]/).includes("..") || /^[A-Za-z]:/.test(pattern)
    ? "must be a pattern inside the workspace, such as src/legacy/**"
    : undefined;

/** A person approved a task although it breaks the record. It holds for exactly the content that was approved. */
export interface Override {
  readonly task: Nr;
  /** Of the content. */
  readonly hash: string;
  /** Files of the footprint, and words, that the record forbids. */
  readonly files: readonly string[];
  readonly words: readonly string[];
  readonly by: Actor;
  readonly at: number;
  readonly reason: string;
}

export interface PlanRecord {
  readonly kind: RecordKind;
  readonly state: RecordState;
  readonly title: string;
  readonly body: string;
  readonly because?: string;
  readonly alternatives: readonly string[];
  /** The feature that it is for; null means the workspace. */
  readonly scope: Nr | null;
  /** Tasks that carry it out or depend on it. */
  readonly tasks: readonly Nr[];
  readonly measure: Measure | null;
  readonly forbids: Bounds | null;
  readonly baseline?: Baseline;
  readonly overrides?: readonly Override[];
  readonly supersededBy: string | null;
  readonly run: string | null;
  readonly createdAt: number;
  readonly createdBy: Actor;
  readonly approvedBy: Actor | null;
  readonly approvedAt: number | null;
}

export interface KeyedRecord {
  readonly key: string;
  readonly fields: PlanRecord;
}

/** What its key begins with: `DEC-001`. */
export const RECORD_PREFIXES: Readonly<Record<RecordKind, ItemPrefix>> = {
  decision: "DEC",
  constraint: "CON",
  requirement: "REQ",
  assumption: "ASM",
  baseline: "BAS",
};

/** Decisions and assumptions are in force at once; everything else needs approval. */
export const needsApproval = (kind: RecordKind): boolean => kind !== "decision" && kind !== "assumption";

/** `p95_ms <= 200` */
export const measureText = ({ metric, op, target }: Measure): string => `${metric} ${op} ${target}`;

/** Null when it is in force already. */
export function approveRecord(
  { key, fields }: KeyedRecord,
  by: Actor,
  at: number,
): Result<Pick<PlanRecord, "state" | "approvedBy" | "approvedAt"> | null> {
  if (fields.state === "active") return ok(null);
  if (fields.state === "superseded") return superseded(key, fields);
  return ok({ state: "active", approvedBy: by, approvedAt: at });
}

/** What is in force, a person wrote or approved, and so only a person replaces it. */
export function maySupersede({ key, fields }: KeyedRecord, actor: Actor): Result<void> {
  if (fields.state === "superseded") return superseded(key, fields);
  if (isPerson(actor) || fields.state === "proposed") return ok(undefined);
  return refused("needs-person", `${key} is in force, so only a person can replace it.`, {
    next: [step("show", { reference: key })],
  });
}

/** A record in force is replaced only by one in force, so that there is no gap between them. */
export function mayReplace(old: KeyedRecord, by: KeyedRecord): Result<void> {
  if (old.key === by.key) return usage("usage", `${old.key} cannot replace itself.`);
  if (by.fields.state === "superseded") return superseded(by.key, by.fields);
  if (old.fields.state !== "active" || by.fields.state === "active") return ok(undefined);
  return refused("not-active", `${by.key} is only proposed. Approve it before it replaces ${old.key}.`, {
    next: [step("record.approve", { ids: [by.key] })],
  });
}

/** The same record in other words. When a person rewords a rule that is in force, the new words are in force at once. */
export function reword(old: PlanRecord, text: string, by: Actor, at: number): PlanRecord {
  const holds = isPerson(by) && (!needsApproval(old.kind) || old.state === "active");
  const approved = holds && needsApproval(old.kind);
  const { overrides: _, ...rest } = old;
  return {
    ...rest,
    title: text,
    state: holds ? "active" : "proposed",
    createdAt: at,
    createdBy: by,
    approvedBy: approved ? by : null,
    approvedAt: approved ? at : null,
  };
}

const superseded = (key: string, { supersededBy }: PlanRecord): Result<never> =>
  refused("superseded", `${key} is no longer in force: ${supersededBy ?? "another record"} replaced it.`, {
    next: [step("show", { reference: supersededBy ?? key })],
  });
