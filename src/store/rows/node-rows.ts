// From a row to its node. Lists are JSON text; facts that queries or constraints use are columns.

import type { WithFootprint } from "../../graph/conflict/conflict.js";
import type { Acceptance, Approval, Budgets, Claim, Freeze, Kind, Node, Outcome, Tier } from "../../graph/node/node.js";
import type { Row, Value } from "../database.js";

const list = (text: Value | undefined): never[] => (text === "[]" ? [] : (JSON.parse(text as string) as never[]));

const json = (text: Value | undefined): never | null => (text === null ? null : (JSON.parse(text as string) as never));

/** The columns that `toNode` reads. */
export const NODE = "node.*";

export const NODE_BY_NR = `select ${NODE} from node where nr = ?`;

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
    dependsOn: list(row["depends_on"]),
    files: list(row["files"]),
    symbols: list(row["symbols"]),
    checks: list(row["checks"]),
    profile: row["profile"] as string | null,
    priority: row["priority"] as number | null,
    estimateHours: row["estimate_hours"] as number | null,
    budgets: row["budgets"] === "{}" ? {} : (JSON.parse(row["budgets"] as string) as Budgets),
    inbox: row["inbox"] === 1,
    approval: toApproval(row),
    freeze: toFreeze(row),
    claim: toClaim(row),
    outcome: toOutcome(row),
    acceptance: toAcceptance(row),
    report: json(row["report"]),
    archive: json(row["archive"]),
    discoveries: list(row["discoveries"]),
    epoch: row["epoch"] as number,
    attempts: row["attempts"] as number,
    retries: row["retries"] as number,
    replans: row["replans"] as number,
    replansGranted: row["replans_granted"] as number,
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

/** The columns that `toFootprint` reads. */
export const FOOTPRINT = "node.nr, node.id, node.kind, node.files, node.symbols";

export const toFootprint = (row: Row): WithFootprint => ({
  nr: row["nr"] as number,
  id: row["id"] as string,
  kind: row["kind"] as Kind | null,
  files: list(row["files"]),
  symbols: list(row["symbols"]),
});

function toApproval(row: Row): Approval | null {
  if (row["approved_by"] === null) return null;
  return {
    by: row["approved_by"] as string,
    at: row["approved_at"] as number,
    hash: row["approved_hash"] as string,
  };
}

function toFreeze(row: Row): Freeze | null {
  if (row["freeze_reason"] === null) return null;
  return {
    reason: row["freeze_reason"] as string,
    by: row["freeze_by"] as string,
    at: row["freeze_at"] as number,
    from: row["freeze_from"] as number,
    commit: row["freeze_commit"] as string | null,
  };
}

function toClaim(row: Row): Claim | null {
  if (row["claim_token"] === null) return null;
  return {
    by: row["claim_by"] as string,
    token: row["claim_token"] as string,
    epoch: row["claim_epoch"] as number,
    at: row["claim_at"] as number,
    until: row["lease_until"] as number,
  };
}

function toOutcome(row: Row): Outcome | null {
  if (row["outcome"] === null) return null;
  return {
    kind: row["outcome"] as Outcome["kind"],
    by: row["outcome_by"] as string,
    at: row["outcome_at"] as number,
    reason: row["outcome_reason"] as string | null,
    op: row["settled_op"] as number,
  };
}

function toAcceptance(row: Row): Acceptance | null {
  if (row["acceptance"] === null) return null;
  return {
    state: row["acceptance"] as Acceptance["state"],
    by: row["acceptance_by"] as string,
    at: row["acceptance_at"] as number,
    reason: row["acceptance_reason"] as string | null,
  };
}
