// A node as users see it in JSON: names instead of row numbers, times as text, status derived.

import { type TaskProof, taskProof } from "../../model/attempt/proof-strength.js";
import { isoTime } from "../../model/iso-time.js";
import type { Node, Report } from "../../model/node/node.js";
import { progressOf } from "../../model/status/rollup.js";
import { isStale } from "../../model/status/stale-approval.js";
import { deriveStatus } from "../../model/status/status.js";
import type { Reader } from "../../store/store.js";
import { pick } from "../base/pick.js";
import { gatherSurroundings } from "../base/surroundings.js";

export { isoTime };

export type NodeView = Awaited<ReturnType<typeof toView>>;

export type ReportView = NonNullable<NodeView["report"]>;

/** A land task waits for its whole feature. */
const MAX_LANDED_SHOWN = 20;

/** The name of a row that is not there. */
const UNKNOWN = "?";

/** `checksApproval`: also whether a person whom the plan knows signed it. */
export async function toView(reader: Reader, node: Node, checksApproval = false) {
  const idOf = async (nr: number): Promise<string> => (await reader.idOf(nr)) ?? UNKNOWN;
  const feature = node.kind === "land" && node.feature !== null ? await reader.node(node.feature) : undefined;
  const isFree = node.dependsOn.length === 0 && node.kind !== "land";
  const links = isFree ? [] : await reader.dependencies(node, feature ? MAX_LANDED_SHOWN : undefined);
  const discoveries = [];
  for (const each of node.discoveries) {
    discoveries.push({ ...each, from: await idOf(each.from), at: isoTime(each.at) });
  }
  const around = await gatherSurroundings(reader, node, { links, checksApproval });
  const { status, reason, because } = deriveStatus(node, around);
  return {
    ...pick(node, "id", "uuid", "tier", "kind", "title", "body"),
    parent: node.parent === null ? null : ((await reader.idOf(node.parent)) ?? UNKNOWN),
    /** A land task depends on its whole feature, so only the first few are listed. */
    dependsOn: links.map(({ target }) => target.id),
    dependsOnTotal: node.dependsOn.length + (feature?.tasksLive ?? 0),
    ...pick(node, "files", "symbols", "checks", "profile", "priority", "estimateHours", "budgets"),
    status,
    reason,
    because,
    ...factsView(node),
    freeze: node.freeze && {
      ...pick(node.freeze, "reason", "by"),
      at: isoTime(node.freeze.at),
      from: await idOf(node.freeze.from),
    },
    discoveries,
    attempts: node.attempts,
    progress: progressOf(node),
    revision: node.revision,
    createdAt: isoTime(node.createdAt),
    createdBy: node.createdBy,
    updatedAt: isoTime(node.updatedAt),
  };
}

/** What shows that work is done. */
const proofView = (node: Node): { readonly proof?: Pick<TaskProof, "strength" | "words"> } =>
  node.tier === "task" && node.kind === "work" && node.outcome?.kind === "done"
    ? { proof: pick(taskProof(node), "strength", "words") }
    : {};

function reportView(report: Report) {
  const { startedAt: _, ...shown } = report;
  return { ...shown, at: isoTime(report.at) };
}

/** The claim's token is the worker's alone and never shown. */
function factsView(node: Node) {
  const { approval, claim, outcome, acceptance, report, archive } = node;
  return {
    ...proofView(node),
    approval: approval && { by: approval.by, at: isoTime(approval.at), stale: isStale(node) },
    claim: claim && { by: claim.by, epoch: claim.epoch, at: isoTime(claim.at), leaseUntil: isoTime(claim.until) },
    outcome: outcome && { kind: outcome.kind, by: outcome.by, at: isoTime(outcome.at), reason: outcome.reason },
    acceptance: acceptance && { ...acceptance, at: isoTime(acceptance.at) },
    report: report && reportView(report),
    archive: archive && { by: archive.by, at: isoTime(archive.at), summary: archive.summary },
  };
}
