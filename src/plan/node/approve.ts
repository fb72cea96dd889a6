// Clears nodes and everything below them to run, with exactly the content that they have now.

import { step } from "../../model/next-step.js";
import { contentHash } from "../../model/node/content-hash.js";
import { isContainer, type Node, type Nr } from "../../model/node/node.js";
import { type Change, changeNode } from "../../model/operation/change.js";
import { ok, type Result, refused } from "../../model/result.js";
import { landTitle } from "../../model/rules/land.js";
import { isUnconfirmed } from "../../model/status/stale-approval.js";
import { isApproved } from "../../model/status/status.js";
import { sha256 } from "../../store/sha256.js";
import type { Committed, Decision, Reader, Writer } from "../../store/store.js";
import { act, type Context, rehearse, withNumber } from "../base/context.js";
import { resolve, resolveAll } from "../base/resolve.js";
import type { ApprovalPreview, PreviewSettings, SeenPreview } from "./approval-preview.js";
import { branchOf, summary } from "./branch.js";
import type { Approving } from "./check-records.js";
import { place } from "./move-branch.js";

export interface ApproveInput {
  readonly references: readonly string[];
  /** Everything that was approved with a secret that the plan does not know. */
  readonly unknown?: boolean;
  /** Without what is below them. */
  readonly alone?: boolean | undefined;
  /** Move them there first, in the same operation: the way out of the inbox. */
  readonly to?: string;
  /** Why to approve although it contradicts records; kept in the log. */
  readonly despite?: string;
}

export interface Approved {
  readonly op: number | null;
  readonly approved: readonly string[];
  /** The records that it contradicts. */
  readonly despite: readonly string[];
}

interface ApprovalDecision {
  readonly changes: Change[];
  readonly asked: Approving[];
  readonly around: Approving[];
}

export async function approve(context: Context, input: ApproveInput, seen?: SeenPreview): Promise<Result<Approved>> {
  const decided = (writer: Writer, at: number) => decideApproval(context, input, writer, at);
  return withNumber(await actAsSeen(context, "approve", seen, decided));
}

/** What `approve` would do with the same input. */
export const previewApproval = (
  context: Context,
  input: ApproveInput,
  settings?: PreviewSettings,
): Promise<Result<ApprovalPreview>> =>
  previewDecision(context, settings, (writer, at) => decideApproval(context, input, writer, at));

async function decideApproval(
  context: Context,
  { references, unknown = false, alone = false, to, despite }: ApproveInput,
  writer: Writer,
  at: number,
): Promise<Result<Decision<Omit<Approved, "op">>>> {
  const roots = await resolveAll(writer, references, context.actor);
  if (!roots.ok) return roots;
  const target = to === undefined ? undefined : await resolve(writer, to, context.actor);
  if (target && !target.ok) return target;
  const decided = await decide(writer, roots.value, target?.value, { by: context.actor, at, alone });
  if (!decided.ok) return decided;
  if (unknown) await confirmUnknown(writer, decided.value, { by: context.actor, at });
  const { changes, asked } = decided.value;
  const held = await holdToRecords(writer, decided.value, { by: context.actor, at, reason: despite });
  if (!held.ok) return held;
  const { records, overrides } = held.value;
  const ids = asked.map(({ node }) => node.id);
  const although = records.length === 0 ? "" : ` despite ${summary(records)}: ${despite ?? ""}`;
  const sentence = `${context.actor} approved ${summary(ids)}${although}`;
  return ok({ sentence, changes: [...changes, ...overrides], value: { approved: ids, despite: records } });
}

async function decide(
  writer: Writer,
  roots: readonly Node[],
  parent: Node | undefined,
  { by, at, alone }: { by: string; at: number; alone: boolean },
): Promise<Result<ApprovalDecision>> {
  const decided: ApprovalDecision = { changes: [], asked: [], around: [] };
  const seen = new Set<Nr>();
  for (const root of roots) {
    if (parent ? parent.shelved : root.shelved) return inInbox(root);
    const moved = parent ? await place(writer, by, root, parent) : ok([]);
    if (!moved.ok) return moved;
    for (const change of moved.value) decided.changes.push(change);
    // A feature takes its tasks along; a story or a task comes into another one.
    const moving = root.tier === "story" || root.tier === "task" ? parent : undefined;
    for (const node of alone ? [root] : await branchOf(writer, root)) {
      if (seen.has(node.nr)) continue;
      seen.add(node.nr);
      const content = parent && node.nr === root.nr ? { ...node, parent: parent.nr } : node;
      const isMoved = content.parent !== node.parent;
      if (node.outcome !== null || node.archive !== null) continue;
      const inside = { node, feature: (moving ?? node).feature };
      decided.around.push(inside);
      if (!isMoved && isApproved(node) && (await writer.people.doubt(node)) === null) continue;
      const hash = await hashOf(writer, content);
      decided.changes.push(...changeNode(node, { approval: { by, at, hash } }));
      decided.asked.push({ ...inside, hash });
    }
  }
  return ok(decided);
}

/** Includes what is done and has not landed: landing asks for its approval once more. */
async function confirmUnknown(
  writer: Writer,
  decided: ApprovalDecision,
  { by, at }: { by: string; at: number },
): Promise<void> {
  const seen = new Set(decided.asked.map(({ node }) => node.nr));
  const landed = new Map<Nr, number>();
  const approved: Node[] = [];
  for await (const node of writer.scan()) {
    if (node.landedOp !== null) landed.set(node.nr, node.landedOp);
    if (node.approval !== null && !seen.has(node.nr)) approved.push(node);
  }
  for (const node of approved) {
    if (!(await isWaiting(writer, node, landed))) continue;
    const approval = { by, at, hash: await hashOf(writer, node) };
    decided.changes.push(...changeNode(node, { approval }));
    decided.asked.push({ node, feature: node.feature });
  }
}

async function isWaiting(reader: Reader, node: Node, landed: ReadonlyMap<Nr, number>): Promise<boolean> {
  const { archive, kind, shelved, outcome, feature } = node;
  if (archive !== null || kind === "land" || shelved) return false;
  if (outcome !== null && outcome.kind !== "done") return false;
  if (outcome !== null && feature !== null && outcome.op <= (landed.get(feature) ?? -1)) return false;
  return isUnconfirmed(node) || (await reader.people.doubt(node)) === "unknown";
}

/** The records that are contradicted, if a reason was given; without one, that is refused. */
async function holdToRecords(
  reader: Reader,
  { changes, asked, around }: ApprovalDecision,
  { reason, ...maker }: { readonly by: string; readonly at: number; readonly reason: string | undefined },
) {
  const active = await reader.items("record", { state: "active" });
  if (active.length === 0) return ok({ records: [], overrides: [] });
  const { contradictionsOf, contradicts, overridesOf } = await import("./check-records.js");
  const found = await contradictionsOf(reader, active, asked, around);
  if (found.length > 0 && reason === undefined) return contradicts(found);
  const overrides = await overridesOf(reader, found, changes, { ...maker, reason: reason ?? "" });
  return ok({ records: [...new Set(found.map(({ record }) => record))], overrides });
}

type Decide<T> = (writer: Writer, at: number) => Promise<Result<Decision<T>>>;

/** Refused if it is no longer what the person was shown. */
export const actAsSeen = <T>(
  context: Context,
  verb: string,
  seen: SeenPreview | undefined,
  decide: Decide<T>,
): Promise<Result<Committed<T>>> =>
  act<T>(context, verb, async (writer, at) => {
    const decided = await decide(writer, at);
    if (!decided.ok || seen === undefined) return decided;
    const { requireAsSeen } = await import("./approval-preview.js");
    const same = await requireAsSeen(writer, decided.value.changes, seen);
    return same.ok ? ok({ ...decided.value, shown: seen.hash }) : same;
  });

export const previewDecision = (context: Context, settings: PreviewSettings | undefined, decide: Decide<unknown>) =>
  rehearse(context, decide, async (writer, { changes }) => {
    const { previewOf } = await import("./approval-preview.js");
    return previewOf(writer, changes, settings);
  });

/** What an approval of this content binds; `fresh` names nodes that are only being made. */
export async function hashOf(reader: Reader, node: Node, fresh: Iterable<[Nr, string]> = []): Promise<string> {
  const uuids = new Map(fresh);
  for (const nr of [node.parent, ...node.dependsOn.map((edge) => edge.on)]) {
    if (nr !== null && !uuids.has(nr)) uuids.set(nr, (await reader.node(nr))?.uuid ?? "");
  }
  return contentHash(node, (nr) => uuids.get(nr) ?? "", sha256);
}

const inInbox = (node: Node): Result<never> =>
  refused("inbox", `${node.id} is in the inbox, where nothing runs. Say where to move it to.`, {
    next: isContainer(node)
      ? [step("approve", { references: [node.id], to: "MISSION" })]
      : [step("approve", { references: [node.id] }, "to")],
  });

/** The new title changes nothing about what will be done, so the approval of the land task stays valid. */
export async function retitleLand(reader: Reader, feature: Node, title: string | undefined): Promise<Change[]> {
  if (feature.tier !== "feature" || title === undefined || title === feature.title) return [];
  const changes: Change[] = [];
  for (const land of await reader.children(feature.nr)) {
    if (land.kind !== "land" || land.outcome !== null || land.archive !== null) continue;
    const patch = { title: landTitle(title) };
    const approval = isApproved(land) &&
      land.approval && { ...land.approval, hash: await hashOf(reader, { ...land, ...patch }) };
    changes.push(...changeNode(land, { ...patch, ...(approval && { approval }) }));
  }
  return changes;
}
