// Between a row and its node. Lists are JSON text; facts that queries or constraints use are columns.

import type { WithFootprint } from "../../model/conflict/conflict.js";
import {
  type Acceptance,
  type Approval,
  type AwaitedPlan,
  type Budgets,
  type Claim,
  type Derived,
  type Freeze,
  type Kind,
  type Node,
  type NodeFields,
  type Outcome,
  type Tier,
  UNDERIVED,
} from "../../model/node/node.js";
import type { Row, Value } from "../database.js";
import { numberOf, numberOrNull, textOf, textOrNull } from "./values.js";

export const toList = (text: Value | undefined): never[] =>
  text === "[]" ? [] : (JSON.parse(textOf(text)) as never[]);

/** That there is one is all that some readers want to know. */
export const AWAITED: AwaitedPlan = { by: "", at: 0, reason: "" };

const json = (text: Value | undefined): never | null => (text === null ? null : (JSON.parse(textOf(text)) as never));

export const NODE = "node.*";

/** Everything below a node, by its number: a statement goes on after it. */
export const INSIDE = `
  with recursive inside (nr) as (
    select nr from node where parent = ?
    union all
    select node.nr from node join inside on node.parent = inside.nr
  )`;

export const NODE_BY_NR = `select ${NODE} from node where nr = ?`;

/** The open land task of a feature, by the feature's number. */
export const OPEN_LAND = "parent = ? and kind = 'land' and outcome is null";

export function toNode(row: Row): Node {
  return {
    nr: numberOf(row["nr"]),
    uuid: textOf(row["uuid"]),
    id: textOf(row["id"]),
    tier: row["tier"] as Tier,
    kind: row["kind"] as Kind | null,
    title: textOf(row["title"]),
    body: textOf(row["body"]),
    parent: numberOrNull(row["parent"]),
    dependsOn: toList(row["depends_on"]),
    files: toList(row["files"]),
    symbols: toList(row["symbols"]),
    checks: toList(row["checks"]),
    profile: textOrNull(row["profile"]),
    priority: numberOrNull(row["priority"]),
    estimateHours: numberOrNull(row["estimate_hours"]),
    budgets: row["budgets"] === "{}" ? {} : (JSON.parse(textOf(row["budgets"])) as Budgets),
    inbox: row["inbox"] === 1,
    approval: toApproval(row),
    freeze: toFreeze(row),
    claim: toClaim(row),
    outcome: toOutcome(row),
    acceptance: toAcceptance(row),
    report: json(row["report"]),
    archive: json(row["archive"]),
    discoveries: toList(row["discoveries"]),
    epoch: numberOf(row["epoch"]),
    attempts: numberOf(row["attempts"]),
    retries: numberOf(row["retries"]),
    replans: numberOf(row["replans"]),
    replansGranted: numberOf(row["replans_granted"]),
    awaitsPlan: json(row["awaits_plan"]),
    createdAt: numberOf(row["created_at"]),
    createdBy: textOf(row["created_by"]),
    updatedAt: numberOf(row["updated_at"]),
    revision: numberOf(row["revision"]),
    feature: numberOrNull(row["feature"]),
    shelved: row["shelved"] === 1,
    hash: textOf(row["hash"]),
    pending: numberOf(row["pending"]),
    held: row["held"] === 1,
    live: numberOf(row["live"]),
    finished: numberOf(row["finished"]),
    tasksLive: numberOf(row["tasks_live"]),
    tasksFinished: numberOf(row["tasks_finished"]),
    landedOp: numberOrNull(row["landed_op"]),
    awaited: numberOf(row["awaited"]),
  };
}

export const FOOTPRINT = "node.nr, node.id, node.kind, node.files, node.symbols";

export const toFootprint = (row: Row): WithFootprint => ({
  nr: numberOf(row["nr"]),
  id: textOf(row["id"]),
  kind: row["kind"] as Kind | null,
  files: toList(row["files"]),
  symbols: toList(row["symbols"]),
});

// A fact of which another program removed a part is read all the same, so that `lint` and `verify` can report it.
const textOrEmpty = (value: Value | undefined): string => textOrNull(value ?? null) ?? "";
const numberOrZero = (value: Value | undefined): number => numberOrNull(value ?? null) ?? 0;

function toApproval(row: Row): Approval | null {
  if (row["approved_by"] === null) return null;
  const seal = textOrNull(row["approved_seal"]);
  return {
    by: textOrEmpty(row["approved_by"]),
    at: numberOrZero(row["approved_at"]),
    hash: textOrEmpty(row["approved_hash"]),
    ...(seal !== null && { seal }),
  };
}

function toFreeze(row: Row): Freeze | null {
  if (row["freeze_reason"] === null) return null;
  return {
    reason: textOrEmpty(row["freeze_reason"]),
    by: textOrEmpty(row["freeze_by"]),
    at: numberOrZero(row["freeze_at"]),
    from: numberOrZero(row["freeze_from"]),
    commit: textOrNull(row["freeze_commit"]),
  };
}

function toClaim(row: Row): Claim | null {
  if (row["claim_token"] === null) return null;
  return {
    by: textOrEmpty(row["claim_by"]),
    token: textOrEmpty(row["claim_token"]),
    epoch: numberOrZero(row["claim_epoch"]),
    at: numberOrZero(row["claim_at"]),
    until: numberOrZero(row["lease_until"]),
  };
}

/** Columns that were not read are left empty. */
export function toOutcome(row: Row): Outcome | null {
  if (row["outcome"] === null) return null;
  return {
    kind: row["outcome"] as Outcome["kind"],
    by: textOrEmpty(row["outcome_by"]),
    at: numberOrZero(row["outcome_at"]),
    reason: textOrNull(row["outcome_reason"] ?? null),
    op: numberOrZero(row["settled_op"]),
  };
}

export function toAcceptance(row: Row): Acceptance | null {
  if (row["acceptance"] === null) return null;
  return {
    state: row["acceptance"] as Acceptance["state"],
    by: textOrEmpty(row["acceptance_by"]),
    at: numberOrZero(row["acceptance_at"]),
    reason: textOrNull(row["acceptance_reason"] ?? null),
  };
}

/** Facts that are spread over several columns; all of them null when there is none. */
const SPREAD: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  approval: { by: "approved_by", at: "approved_at", hash: "approved_hash", seal: "approved_seal" },
  freeze: {
    reason: "freeze_reason",
    by: "freeze_by",
    at: "freeze_at",
    from: "freeze_from",
    commit: "freeze_commit",
  },
  claim: { by: "claim_by", token: "claim_token", epoch: "claim_epoch", at: "claim_at", until: "lease_until" },
  outcome: { kind: "outcome", by: "outcome_by", at: "outcome_at", reason: "outcome_reason", op: "settled_op" },
  acceptance: { state: "acceptance", by: "acceptance_by", at: "acceptance_at", reason: "acceptance_reason" },
} satisfies Partial<Record<keyof NodeFields, unknown>>;

/** Every other field has a column of its name, which is spelled once: a batch has a hundred thousand rows. */
const COLUMNS = new Map<string, string>();

export function columnOf(field: string): string {
  const known = COLUMNS.get(field) ?? field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
  COLUMNS.set(field, known);
  return known;
}

/** Lists and objects are JSON text. */
const toValue = (value: unknown): Value =>
  typeof value === "boolean" ? Number(value) : isObject(value) ? JSON.stringify(value) : (value as Value);

const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;

export function toColumns(fields: Partial<NodeFields>): Row {
  const row: Row = {};
  for (const field in fields) {
    const value: unknown = fields[field as keyof NodeFields];
    const names = SPREAD[field];
    if (!names) row[columnOf(field)] = toValue(value);
    else for (const part in names) row[names[part] as string] = (value as Row | null)?.[part] ?? null;
  }
  return row;
}

export const DERIVED_FIELDS = Object.keys(UNDERIVED) as (keyof Derived)[];

export function derivedColumns(node: Derived, was: Derived): Row {
  const row: Row = {};
  for (const field of DERIVED_FIELDS) {
    const value = node[field];
    if (value !== was[field]) row[columnOf(field)] = toValue(value);
  }
  return row;
}
