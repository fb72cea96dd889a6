// From a row to its node. Lists are JSON text; facts that queries or constraints look at are columns.

import type { Acceptance, Approval, Budgets, Claim, Freeze, Kind, Node, Outcome, Tier } from "../graph/node.js";
import type { Row, Value } from "./database.js";
import type { InFlight } from "./store.js";

const list = (text: Value): never[] => (text === "[]" ? [] : (JSON.parse(text as string) as never[]));

const json = (text: Value): never | null => (text === null ? null : (JSON.parse(text as string) as never));

const COLUMNS = [
  "nr",
  "uuid",
  "id",
  "tier",
  "kind",
  "title",
  "body",
  "parent",
  "depends_on",
  "files",
  "symbols",
  "checks",
  "profile",
  "priority",
  "budgets",
  "inbox",
  "approved_by",
  "approved_at",
  "approved_hash",
  "freeze_reason",
  "freeze_by",
  "freeze_at",
  "freeze_from",
  "freeze_commit",
  "claim_by",
  "claim_token",
  "claim_epoch",
  "claim_at",
  "lease_until",
  "outcome",
  "outcome_by",
  "outcome_at",
  "outcome_reason",
  "settled_op",
  "acceptance",
  "acceptance_by",
  "acceptance_at",
  "acceptance_reason",
  "report",
  "archive",
  "discoveries",
  "epoch",
  "attempts",
  "retries",
  "replans",
  "replans_granted",
  "created_at",
  "created_by",
  "updated_at",
  "revision",
  "feature",
  "shelved",
  "hash",
  "pending",
  "held",
  "live",
  "finished",
  "tasks_live",
  "tasks_finished",
  "landed_op",
  "awaited",
] as const;

/** Where each column stands in the list of a row. */
const AT = Object.fromEntries(COLUMNS.map((column, place) => [column, place])) as Record<
  (typeof COLUMNS)[number],
  number
>;

/**
 * What `toNode` reads: a row as one text, for sixty values one by one take twice as long. The only fraction stands beside
 * it, because the text would round it.
 */
export const NODE = `json_array(${COLUMNS.map((column) => `node.${column}`).join()}) as node, node.estimate_hours`;

export const NODE_BY_NR = `select ${NODE} from node where nr = ?`;

/** All fields in one literal: with facts that are spread into it, an object takes twice as long to make. */
export function toNode(row: Row): Node {
  const values = JSON.parse(row["node"] as string) as Value[];
  return {
    nr: values[AT.nr] as number,
    uuid: values[AT.uuid] as string,
    id: values[AT.id] as string,
    tier: values[AT.tier] as Tier,
    kind: values[AT.kind] as Kind | null,
    title: values[AT.title] as string,
    body: values[AT.body] as string,
    parent: values[AT.parent] as number | null,
    dependsOn: list(values[AT.depends_on] as Value),
    files: list(values[AT.files] as Value),
    symbols: list(values[AT.symbols] as Value),
    checks: list(values[AT.checks] as Value),
    profile: values[AT.profile] as string | null,
    priority: values[AT.priority] as number | null,
    estimateHours: row["estimate_hours"] as number | null,
    budgets: values[AT.budgets] === "{}" ? {} : (JSON.parse(values[AT.budgets] as string) as Budgets),
    inbox: values[AT.inbox] === 1,
    approval: toApproval(values),
    freeze: toFreeze(values),
    claim: toClaim(values),
    outcome: toOutcome(values),
    acceptance: toAcceptance(values),
    report: json(values[AT.report] as Value),
    archive: json(values[AT.archive] as Value),
    discoveries: list(values[AT.discoveries] as Value),
    epoch: values[AT.epoch] as number,
    attempts: values[AT.attempts] as number,
    retries: values[AT.retries] as number,
    replans: values[AT.replans] as number,
    replansGranted: values[AT.replans_granted] as number,
    createdAt: values[AT.created_at] as number,
    createdBy: values[AT.created_by] as string,
    updatedAt: values[AT.updated_at] as number,
    revision: values[AT.revision] as number,
    feature: values[AT.feature] as number | null,
    shelved: values[AT.shelved] === 1,
    hash: values[AT.hash] as string,
    pending: values[AT.pending] as number,
    held: values[AT.held] === 1,
    live: values[AT.live] as number,
    finished: values[AT.finished] as number,
    tasksLive: values[AT.tasks_live] as number,
    tasksFinished: values[AT.tasks_finished] as number,
    landedOp: values[AT.landed_op] as number | null,
    awaited: values[AT.awaited] as number,
  };
}

export const toInFlight = (row: Row): InFlight => ({
  nr: row["nr"] as number,
  kind: row["kind"] as Kind | null,
  files: list(row["files"] as Value),
  symbols: list(row["symbols"] as Value),
});

function toApproval(values: readonly Value[]): Approval | null {
  if (values[AT.approved_by] === null) return null;
  return {
    by: values[AT.approved_by] as string,
    at: values[AT.approved_at] as number,
    hash: values[AT.approved_hash] as string,
  };
}

function toFreeze(values: readonly Value[]): Freeze | null {
  if (values[AT.freeze_reason] === null) return null;
  return {
    reason: values[AT.freeze_reason] as string,
    by: values[AT.freeze_by] as string,
    at: values[AT.freeze_at] as number,
    from: values[AT.freeze_from] as number,
    commit: values[AT.freeze_commit] as string | null,
  };
}

function toClaim(values: readonly Value[]): Claim | null {
  if (values[AT.claim_token] === null) return null;
  return {
    by: values[AT.claim_by] as string,
    token: values[AT.claim_token] as string,
    epoch: values[AT.claim_epoch] as number,
    at: values[AT.claim_at] as number,
    until: values[AT.lease_until] as number,
  };
}

function toOutcome(values: readonly Value[]): Outcome | null {
  if (values[AT.outcome] === null) return null;
  return {
    kind: values[AT.outcome] as Outcome["kind"],
    by: values[AT.outcome_by] as string,
    at: values[AT.outcome_at] as number,
    reason: values[AT.outcome_reason] as string | null,
    op: values[AT.settled_op] as number,
  };
}

function toAcceptance(values: readonly Value[]): Acceptance | null {
  if (values[AT.acceptance] === null) return null;
  return {
    state: values[AT.acceptance] as Acceptance["state"],
    by: values[AT.acceptance_by] as string,
    at: values[AT.acceptance_at] as number,
    reason: values[AT.acceptance_reason] as string | null,
  };
}
