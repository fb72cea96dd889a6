// Between a node and its row. Lists are JSON text; facts that queries or constraints look at are columns.

import type { Budgets, Derived, Kind, Node, NodeFields, Tier } from "../graph/node.js";
import type { Row, Value } from "./database.js";

type Columns = Record<string, Value>;

const list = (text: Value): never[] => (text === "[]" ? [] : (JSON.parse(text as string) as never[]));

const json = (text: Value): never | null => (text === null ? null : (JSON.parse(text as string) as never));

const asText = (value: unknown): string | null => (value === null ? null : JSON.stringify(value));

export function toNode(row: Row): Node {
  return {
    nr: row["nr"] as number,
    uuid: row["uuid"] as string,
    id: row["id"] as string,
    tier: row["tier"] as Tier,
    kind: row["kind"] as Kind | null,
    title: row["title"] as string,
    body: row["body"] as string,
    parent: row["parent"] as number | null,
    dependsOn: list(row["depends_on"] as Value),
    files: list(row["files"] as Value),
    symbols: list(row["symbols"] as Value),
    checks: list(row["checks"] as Value),
    profile: row["profile"] as string | null,
    priority: row["priority"] as number | null,
    estimateHours: row["estimate_hours"] as number | null,
    budgets: row["budgets"] === "{}" ? {} : (JSON.parse(row["budgets"] as string) as Budgets),
    inbox: row["inbox"] === 1,
    ...toFacts(row),
    createdAt: row["created_at"] as number,
    createdBy: row["created_by"] as string,
    updatedAt: row["updated_at"] as number,
    revision: row["revision"] as number,
    feature: row["feature"] as number | null,
    shelved: row["shelved"] === 1,
    hash: row["hash"] as string,
    pending: row["pending"] as number,
    held: row["held"] === 1,
    live: row["live"] as number,
    finished: row["finished"] as number,
    tasksLive: row["tasks_live"] as number,
    tasksFinished: row["tasks_finished"] as number,
    landedOp: row["landed_op"] as number | null,
    awaited: row["awaited"] as number,
  };
}

type FactFields = Pick<
  NodeFields,
  | "approval"
  | "freeze"
  | "claim"
  | "outcome"
  | "acceptance"
  | "report"
  | "archive"
  | "discoveries"
  | "epoch"
  | "attempts"
  | "retries"
  | "replans"
  | "replansGranted"
>;

function toFacts(row: Row): FactFields {
  const text = (column: string): string => row[column] as string;
  const number = (column: string): number => row[column] as number;
  return {
    approval:
      row["approved_by"] === null
        ? null
        : { by: text("approved_by"), at: number("approved_at"), hash: text("approved_hash") },
    freeze:
      row["freeze_reason"] === null
        ? null
        : {
            reason: text("freeze_reason"),
            by: text("freeze_by"),
            at: number("freeze_at"),
            from: number("freeze_from"),
            commit: row["freeze_commit"] as string | null,
          },
    claim:
      row["claim_token"] === null
        ? null
        : {
            by: text("claim_by"),
            token: text("claim_token"),
            epoch: number("claim_epoch"),
            at: number("claim_at"),
            until: number("lease_until"),
          },
    outcome:
      row["outcome"] === null
        ? null
        : {
            kind: row["outcome"] as "done",
            by: text("outcome_by"),
            at: number("outcome_at"),
            reason: row["outcome_reason"] as string | null,
            op: number("settled_op"),
          },
    acceptance:
      row["acceptance"] === null
        ? null
        : {
            state: row["acceptance"] as "accepted",
            by: text("acceptance_by"),
            at: number("acceptance_at"),
            reason: row["acceptance_reason"] as string | null,
          },
    report: json(row["report"] as Value),
    archive: json(row["archive"] as Value),
    discoveries: list(row["discoveries"] as Value),
    epoch: number("epoch"),
    attempts: number("attempts"),
    retries: number("retries"),
    replans: number("replans"),
    replansGranted: number("replans_granted"),
  };
}

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

/** Only what differs from `was`. */
export function eachDerived(node: Node, was: Derived, fill: Fill): void {
  for (const field in DERIVED) {
    const value = node[field as keyof Derived];
    if (was[field as keyof Derived] === value) continue;
    fill(DERIVED[field as keyof Derived], typeof value === "boolean" ? Number(value) : value);
  }
}

export const ORDER_LAST = 5;

/** The value of the `ready` index: urgent work first, work without a priority last. */
export const readyRank = (priority: number | null): number => priority ?? ORDER_LAST;
