// From a node's fields to the columns of its row.

import type { Derived, NodeFields } from "../../model/node/node.js";
import type { Row } from "../database.js";

/** Puts a field's value into its column or columns. */
type Write = (row: Row, value: never) => void;

const same =
  (column: string): Write =>
  (row, value) => {
    row[column] = value;
  };

const asJson =
  (column: string): Write =>
  (row, value) => {
    row[column] = value === null ? null : JSON.stringify(value);
  };

/** A fact spread over several columns; all of them null when there is none. */
const spread =
  (names: Readonly<Record<string, string>>): Write =>
  (row, value) => {
    const fact = value as Row | null;
    for (const field in names) row[names[field] as string] = fact?.[field] ?? null;
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
  inbox: (row, value: boolean) => {
    row["inbox"] = value ? 1 : 0;
  },
  approval: spread({ by: "approved_by", at: "approved_at", hash: "approved_hash", seal: "approved_seal" }),
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
  awaitsPlan: asJson("awaits_plan"),
  createdAt: same("created_at"),
  createdBy: same("created_by"),
};

export function toColumns(fields: Partial<NodeFields>): Row {
  const row: Row = {};
  for (const field in fields) {
    const key = field as keyof NodeFields;
    WRITE[key](row, fields[key] as never);
  }
  return row;
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

/** Only the columns that differ from `was`. */
export function derivedColumns(node: Derived, was: Derived): Row {
  const row: Row = {};
  for (const field of DERIVED_FIELDS) {
    const value = node[field];
    if (value !== was[field]) row[DERIVED[field]] = typeof value === "boolean" ? Number(value) : value;
  }
  return row;
}
