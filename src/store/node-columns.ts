// From a node to the columns of its row, for what writes: commands that only read do not load this.

import type { Derived, NodeFields } from "../graph/node/node.js";
import type { Value } from "./database.js";

type Columns = Record<string, Value>;

const asText = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

/** Is told a column and what it holds. */
type Fill = (column: string, value: Value) => void;

type Write = (value: never, fill: Fill) => void;

const same =
  (column: string): Write =>
  (value, fill) =>
    fill(column, value);

const asJson =
  (column: string): Write =>
  (value, fill) =>
    fill(column, asText(value));

/** A fact spread over several columns; all of them null when there is none. */
const spread =
  (names: Readonly<Record<string, string>>): Write =>
  (value, fill) => {
    const fact = value as Record<string, Value> | null;
    for (const field in names) fill(names[field] as string, fact === null ? null : (fact[field] as Value));
  };

const WRITE: Readonly<Record<keyof NodeFields, Write>> = {
  uuid: same("uuid"),
  id: same("id"),
  tier: same("tier"),
  kind: same("kind"),
  title: same("title"),
  body: same("body"),
  parent: same("parent"),
  dependsOn: asJson("depends_on"),
  files: asJson("files"),
  symbols: asJson("symbols"),
  checks: asJson("checks"),
  profile: same("profile"),
  priority: same("priority"),
  estimateHours: same("estimate_hours"),
  budgets: asJson("budgets"),
  inbox: (value: boolean, fill) => fill("inbox", value ? 1 : 0),
  approval: spread({ by: "approved_by", at: "approved_at", hash: "approved_hash" }),
  freeze: spread({
    reason: "freeze_reason",
    by: "freeze_by",
    at: "freeze_at",
    from: "freeze_from",
    commit: "freeze_commit",
  }),
  claim: spread({ by: "claim_by", token: "claim_token", epoch: "claim_epoch", at: "claim_at", until: "lease_until" }),
  outcome: spread({ kind: "outcome", by: "outcome_by", at: "outcome_at", reason: "outcome_reason", op: "settled_op" }),
  acceptance: spread({
    state: "acceptance",
    by: "acceptance_by",
    at: "acceptance_at",
    reason: "acceptance_reason",
  }),
  report: asJson("report"),
  archive: asJson("archive"),
  discoveries: asJson("discoveries"),
  epoch: same("epoch"),
  attempts: same("attempts"),
  retries: same("retries"),
  replans: same("replans"),
  replansGranted: same("replans_granted"),
  createdAt: same("created_at"),
  createdBy: same("created_by"),
};

export function eachColumn(fields: Partial<NodeFields>, fill: Fill): void {
  for (const field in fields) {
    const write = WRITE[field as keyof NodeFields];
    write(fields[field as keyof NodeFields] as never, fill);
  }
}

export function toColumns(fields: Partial<NodeFields>): Columns {
  const columns: Columns = {};
  eachColumn(fields, (column, value) => {
    columns[column] = value;
  });
  return columns;
}

export const DERIVED: Readonly<Record<keyof Derived, string>> = {
  feature: "feature",
  shelved: "shelved",
  hash: "hash",
  pending: "pending",
  held: "held",
  live: "live",
  finished: "finished",
  tasksLive: "tasks_live",
  tasksFinished: "tasks_finished",
  landedOp: "landed_op",
  awaited: "awaited",
};

const DERIVED_FIELDS = Object.keys(DERIVED) as (keyof Derived)[];

/** Only what differs from `was`. */
export function eachDerived(node: Derived, was: Derived, fill: Fill): void {
  for (const field of DERIVED_FIELDS) {
    const value = node[field];
    if (value !== was[field]) fill(DERIVED[field], typeof value === "boolean" ? Number(value) : value);
  }
}
