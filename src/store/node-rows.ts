// From a row to its node. Lists are JSON text; facts that queries or constraints look at are columns.

import type {
  Acceptance,
  Approval,
  Budgets,
  Claim,
  Freeze,
  Kind,
  Node,
  Nr,
  Outcome,
  Tier,
} from "../graph/node/node.js";
import type { Row, Value } from "./database.js";
import type { InFlight } from "./store.js";

const list = (text: Value): never[] => (text === "[]" ? [] : (JSON.parse(text as string) as never[]));

const json = (text: Value): never | null => (text === null ? null : (JSON.parse(text as string) as never));

/** Where each column stands in the list of a row. An enum, because the build writes its numbers where they are used. */
export enum At {
  nr,
  uuid,
  id,
  tier,
  kind,
  title,
  body,
  parent,
  depends_on,
  files,
  symbols,
  checks,
  profile,
  priority,
  budgets,
  inbox,
  approved_by,
  approved_at,
  approved_hash,
  freeze_reason,
  freeze_by,
  freeze_at,
  freeze_from,
  freeze_commit,
  claim_by,
  claim_token,
  claim_epoch,
  claim_at,
  lease_until,
  outcome,
  outcome_by,
  outcome_at,
  outcome_reason,
  settled_op,
  acceptance,
  acceptance_by,
  acceptance_at,
  acceptance_reason,
  report,
  archive,
  discoveries,
  epoch,
  attempts,
  retries,
  replans,
  replans_granted,
  created_at,
  created_by,
  updated_at,
  revision,
  feature,
  shelved,
  hash,
  pending,
  held,
  live,
  finished,
  tasks_live,
  tasks_finished,
  landed_op,
  awaited,
}

/** In the order of `At`. */
export const COLUMNS =
  "nr,uuid,id,tier,kind,title,body,parent,depends_on,files,symbols,checks,profile,priority,budgets,inbox,approved_by,approved_at,approved_hash,freeze_reason,freeze_by,freeze_at,freeze_from,freeze_commit,claim_by,claim_token,claim_epoch,claim_at,lease_until,outcome,outcome_by,outcome_at,outcome_reason,settled_op,acceptance,acceptance_by,acceptance_at,acceptance_reason,report,archive,discoveries,epoch,attempts,retries,replans,replans_granted,created_at,created_by,updated_at,revision,feature,shelved,hash,pending,held,live,finished,tasks_live,tasks_finished,landed_op,awaited";

/**
 * What `toNode` reads: a row as one text, for sixty values one by one take twice as long. The only fraction stands beside
 * it, because the text would round it.
 */
export const NODE = `json_array(node.${COLUMNS.replaceAll(",", ",node.")}) as node, node.estimate_hours`;

export const NODE_BY_NR = `select ${NODE} from node where nr = ?`;

/** All fields in one literal: with facts that are spread into it, an object takes twice as long to make. */
export function toNode(row: Row): Node {
  const values = JSON.parse(row["node"] as string) as Value[];
  return {
    nr: values[At.nr] as number,
    uuid: values[At.uuid] as string,
    id: values[At.id] as string,
    tier: values[At.tier] as Tier,
    kind: values[At.kind] as Kind | null,
    title: values[At.title] as string,
    body: values[At.body] as string,
    parent: values[At.parent] as number | null,
    dependsOn: list(values[At.depends_on] as Value),
    files: list(values[At.files] as Value),
    symbols: list(values[At.symbols] as Value),
    checks: list(values[At.checks] as Value),
    profile: values[At.profile] as string | null,
    priority: values[At.priority] as number | null,
    estimateHours: row["estimate_hours"] as number | null,
    budgets: values[At.budgets] === "{}" ? {} : (JSON.parse(values[At.budgets] as string) as Budgets),
    inbox: values[At.inbox] === 1,
    approval: toApproval(values),
    freeze: toFreeze(values),
    claim: toClaim(values),
    outcome: toOutcome(values),
    acceptance: toAcceptance(values),
    report: json(values[At.report] as Value),
    archive: json(values[At.archive] as Value),
    discoveries: list(values[At.discoveries] as Value),
    epoch: values[At.epoch] as number,
    attempts: values[At.attempts] as number,
    retries: values[At.retries] as number,
    replans: values[At.replans] as number,
    replansGranted: values[At.replans_granted] as number,
    createdAt: values[At.created_at] as number,
    createdBy: values[At.created_by] as string,
    updatedAt: values[At.updated_at] as number,
    revision: values[At.revision] as number,
    feature: values[At.feature] as number | null,
    shelved: values[At.shelved] === 1,
    hash: values[At.hash] as string,
    pending: values[At.pending] as number,
    held: values[At.held] === 1,
    live: values[At.live] as number,
    finished: values[At.finished] as number,
    tasksLive: values[At.tasks_live] as number,
    tasksFinished: values[At.tasks_finished] as number,
    landedOp: values[At.landed_op] as number | null,
    awaited: values[At.awaited] as number,
  };
}

/** The latest text, and what it says: while a worker has its turn, what the others have in hand stays the same. */
let latest: { readonly text: string; readonly inFlight: readonly InFlight[] } = { text: "[]", inFlight: [] };

/** The same list, if nothing has changed since. */
export function toInFlight(row: Row): readonly InFlight[] {
  const text = row["found"] as string;
  if (text !== latest.text) latest = { text, inFlight: toFootprints(text) };
  return latest.inFlight;
}

export const toFootprints = (text: string): InFlight[] => (JSON.parse(text) as InFlightRow[]).map(readInFlight);

type InFlightRow = readonly [nr: Nr, id: string, kind: Kind | null, files: string, symbols: string, until: number];

const readInFlight = ([nr, id, kind, files, symbols, until]: InFlightRow): InFlight => ({
  nr,
  id,
  kind,
  files: list(files),
  symbols: list(symbols),
  until,
});

function toApproval(values: readonly Value[]): Approval | null {
  if (values[At.approved_by] === null) return null;
  return {
    by: values[At.approved_by] as string,
    at: values[At.approved_at] as number,
    hash: values[At.approved_hash] as string,
  };
}

function toFreeze(values: readonly Value[]): Freeze | null {
  if (values[At.freeze_reason] === null) return null;
  return {
    reason: values[At.freeze_reason] as string,
    by: values[At.freeze_by] as string,
    at: values[At.freeze_at] as number,
    from: values[At.freeze_from] as number,
    commit: values[At.freeze_commit] as string | null,
  };
}

function toClaim(values: readonly Value[]): Claim | null {
  if (values[At.claim_token] === null) return null;
  return {
    by: values[At.claim_by] as string,
    token: values[At.claim_token] as string,
    epoch: values[At.claim_epoch] as number,
    at: values[At.claim_at] as number,
    until: values[At.lease_until] as number,
  };
}

function toOutcome(values: readonly Value[]): Outcome | null {
  if (values[At.outcome] === null) return null;
  return {
    kind: values[At.outcome] as Outcome["kind"],
    by: values[At.outcome_by] as string,
    at: values[At.outcome_at] as number,
    reason: values[At.outcome_reason] as string | null,
    op: values[At.settled_op] as number,
  };
}

function toAcceptance(values: readonly Value[]): Acceptance | null {
  if (values[At.acceptance] === null) return null;
  return {
    state: values[At.acceptance] as Acceptance["state"],
    by: values[At.acceptance_by] as string,
    at: values[At.acceptance_at] as number,
    reason: values[At.acceptance_reason] as string | null,
  };
}
