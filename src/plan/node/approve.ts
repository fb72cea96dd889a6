// Clears nodes and everything below them to run, with exactly the content that they have now.

import { type Actor, isPerson } from "../../model/actor.js";
import { step } from "../../model/next-step.js";
import { contentHash } from "../../model/node/content-hash.js";
import { type Approval, isContainer, type Node, type Nr } from "../../model/node/node.js";
import { type Change, changeNode } from "../../model/operation/change.js";
import { ok, type Result, refused } from "../../model/result.js";
import { landTitle } from "../../model/rules/land.js";
import { isBugs } from "../../model/status/rollup.js";
import { isUnconfirmed } from "../../model/status/stale-approval.js";
import { isApproved } from "../../model/status/status.js";
import { sha256 } from "../../store/sha256.js";
import type { Committed, Decision, Reader, Writer } from "../../store/store.js";
import { act, type Context, rehearse, withNumber } from "../base/context.js";
import { resolve, resolveAll } from "../base/resolve.js";
import type { ApprovalPreview, PreviewSettings, SeenPreview } from "./approval-preview.js";
import { summary } from "./branch.js";
import { isBug, needsOwnFeature } from "./bugs.js";
import type { Approving, RecordCheck } from "./check-records.js";
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

/** Of a large branch only this much of each node stays in memory. */
interface Chosen {
  readonly nr: Nr;
  readonly hash: string;
}

interface ApprovalDecision {
  /** Of nodes that come to another parent first. */
  readonly moves: Change[];
  readonly chosen: Chosen[];
  /** Those of them that wait for a plan. */
  readonly awaiting: Set<Nr>;
  readonly ids: string[];
}

/**
 * So many nodes are decided about, signed and written at once. 100,000 approvals take 0.4 GB instead of 1.4 and a fifth less time, a
 * million 1.3 GB instead of all that V8 has. With 5,000 at once it took a seventh longer, in the garbage collector.
 */
const NODES_AT_ONCE = 500;

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
  const roots = await resolveAll(writer, references, context);
  if (!roots.ok) return roots;
  const target = to === undefined ? undefined : await resolve(writer, to, context);
  if (target && !target.ok) return target;
  const maker = { by: context.actor, at };
  const records = await recordsInForce(writer);
  const decided = await decide(writer, roots.value, target?.value, { ...context, alone, records });
  if (!decided.ok) return decided;
  if (unknown) await confirmUnknown(writer, decided.value, records);
  const { moves, chosen, awaiting, ids } = decided.value;
  const held = await holdToRecords(writer, records, chosen, { ...maker, reason: despite });
  if (!held.ok) return held;
  const { keys, overrides } = held.value;
  const although = keys.length === 0 ? "" : ` despite ${summary(keys)}: ${despite ?? ""}`;
  const sentence = `${context.actor} approved ${summary(ids)}${although}`;
  // A branch that moves is in memory anyway.
  const isLarge = chosen.length > NODES_AT_ONCE && moves.length === 0;
  const last = isLarge ? chosen.filter(({ nr }) => awaiting.has(nr)) : chosen;
  const changes = [...moves, ...(await approvalsOf(writer, last, maker)), ...overrides];
  const value = { approved: ids, despite: keys };
  if (!isLarge) return ok({ sentence, changes, value });
  const others = awaiting.size === 0 ? chosen : chosen.filter(({ nr }) => !awaiting.has(nr));
  return ok({ sentence, changes, value, parts: () => approvalParts(writer, others, maker) });
}

async function* approvalParts(writer: Writer, chosen: readonly Chosen[], maker: Maker) {
  for (const some of inParts(chosen)) yield await approvalsOf(writer, some, maker);
}

function* inParts<T>(all: readonly T[]): Iterable<readonly T[]> {
  for (let from = 0; from < all.length; from += NODES_AT_ONCE) yield all.slice(from, from + NODES_AT_ONCE);
}

type Maker = Pick<Approval, "by" | "at">;

async function approvalsOf(reader: Reader, chosen: readonly Chosen[], maker: Maker): Promise<Change[]> {
  const nodes = await reader.nodes(chosen.map(({ nr }) => nr));
  return nodes.flatMap((node, i) => changeNode(node, { approval: { ...maker, hash: (chosen[i] as Chosen).hash } }));
}

interface Asked extends Pick<Context, "actor" | "report"> {
  readonly alone: boolean;
  readonly records: RecordCheck | null;
}

async function decide(
  writer: Writer,
  roots: readonly Node[],
  to: Node | undefined,
  { actor, report, alone, records }: Asked,
): Promise<Result<ApprovalDecision>> {
  const decided: ApprovalDecision = { moves: [], chosen: [], awaiting: new Set(), ids: [] };
  const seen = new Set<Nr>();
  for (const root of roots) {
    if (to ? to.shelved : root.shelved) return inInbox(root);
    const target = await targetOf(writer, root, to);
    if (!target.ok) return target;
    const parent = target.value;
    const moved = parent ? await place(writer, actor, root, parent) : ok([]);
    if (!moved.ok) return moved;
    for (const change of moved.value) decided.moves.push(change);
    // A feature takes its tasks along; a story or a task comes into another one.
    const moving = root.tier === "story" || root.tier === "task" ? parent : undefined;
    const numbers = [root.nr, ...(alone ? [] : await writer.numbersBelow(root.nr))].filter((nr) => !seen.has(nr));
    const total = seen.size + numbers.length;
    for (const some of inParts(numbers)) {
      const around: Approving[] = [];
      const asked: Approving[] = [];
      for (const node of await writer.nodes(some)) {
        seen.add(node.nr);
        const content = parent && node.nr === root.nr ? { ...node, parent: parent.nr } : node;
        const isMoved = content.parent !== node.parent;
        if (node.outcome !== null || node.archive !== null) continue;
        const inside = { node, feature: (moving ?? node).feature };
        around.push(inside);
        if (!isMoved && isApproved(node) && (await writer.people.doubt(node)) === null) continue;
        asked.push(choose(decided, inside, await hashOf(writer, content)));
      }
      records?.look(asked, around);
      if (numbers.length > NODES_AT_ONCE) writer.forget();
      report?.({ doing: "Comparing", done: seen.size, total, unit: "node" });
    }
  }
  return ok(decided);
}

/** Where it moves; undefined if it stays. A bug comes into BUGS with a feature around it, whose landing is approved with it. */
async function targetOf(reader: Reader, root: Node, to: Node | undefined): Promise<Result<Node | undefined>> {
  if (to === undefined || !isBug(root) || !isBugs(to)) return ok(to);
  if (!(await needsOwnFeature(reader, root, to))) return ok(undefined);
  const message = `${root.id} gets a feature of its own in ${to.id}. Move it there, then approve that feature.`;
  return refused("needs-feature", message, { next: [step("move", { references: [root.id], to: to.id })] });
}

function choose({ chosen, awaiting, ids }: ApprovalDecision, { node, feature }: Approving, hash: string): Approving {
  chosen.push({ nr: node.nr, hash });
  ids.push(node.id);
  if (node.awaitsPlan !== null) awaiting.add(node.nr);
  return { node, feature, hash };
}

/** Includes what is done and has not landed: landing asks for its approval once more. */
async function confirmUnknown(writer: Writer, decided: ApprovalDecision, records: RecordCheck | null): Promise<void> {
  const seen = new Set(decided.chosen.map(({ nr }) => nr));
  const landed = new Map<Nr, number>();
  for await (const { nr, landedOp } of writer.scan()) if (landedOp !== null) landed.set(nr, landedOp);
  let looked = 0;
  for await (const node of writer.scan()) {
    if (++looked % NODES_AT_ONCE === 0) writer.forget();
    if (node.approval === null || seen.has(node.nr) || !(await isWaiting(writer, node, landed))) continue;
    const asked = choose(decided, { node, feature: node.feature }, await hashOf(writer, node));
    records?.look([asked], []);
  }
}

async function isWaiting(reader: Reader, node: Node, landed: ReadonlyMap<Nr, number>): Promise<boolean> {
  const { archive, kind, shelved, outcome, feature } = node;
  if (archive !== null || kind === "land" || shelved) return false;
  if (outcome !== null && outcome.kind !== "done") return false;
  if (outcome !== null && feature !== null && outcome.op <= (landed.get(feature) ?? -1)) return false;
  return isUnconfirmed(node) || (await reader.people.doubt(node)) === "unknown";
}

async function recordsInForce(reader: Reader): Promise<RecordCheck | null> {
  const active = await reader.items("record", { state: "active" });
  if (active.length === 0) return null;
  const { RecordCheck } = await import("./check-records.js");
  return new RecordCheck(active);
}

/** The records that are contradicted, if a reason was given; without one, that is refused. */
async function holdToRecords(
  reader: Reader,
  records: RecordCheck | null,
  chosen: readonly Chosen[],
  { reason, ...maker }: Maker & { readonly reason: string | undefined },
) {
  if (records === null) return ok({ keys: [], overrides: [] });
  const { contradicts, overridesOf } = await import("./check-records.js");
  const found = await records.found(reader);
  if (found.length > 0 && reason === undefined) return contradicts(found);
  const approving = chosen.filter(({ nr }) => records.broken.has(nr));
  const overrides = await overridesOf(reader, found, await approvalsOf(reader, approving, maker), {
    ...maker,
    reason: reason ?? "",
  });
  return ok({ keys: [...new Set(found.map(({ record }) => record))], overrides });
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
    const same = await requireAsSeen(writer, decided.value, seen);
    return same.ok ? ok({ ...decided.value, shown: seen.hash }) : same;
  });

export const previewDecision = (context: Context, settings: PreviewSettings | undefined, decide: Decide<unknown>) =>
  rehearse(context, decide, async (writer, decided) => {
    const { previewOf } = await import("./approval-preview.js");
    return previewOf(writer, decided, settings);
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

/**
 * The new title changes nothing about what will be done, so the approval of the land task stays valid if a person gave the title.
 * One that an agent gave waits for a person, as everything else that agents change.
 */
export async function retitleLand(
  reader: Reader,
  actor: Actor,
  feature: Node,
  title: string | undefined,
): Promise<Change[]> {
  if (feature.tier !== "feature" || title === undefined || title === feature.title) return [];
  const changes: Change[] = [];
  for (const land of await reader.children(feature.nr)) {
    if (land.kind !== "land" || land.outcome !== null || land.archive !== null) continue;
    const patch = { title: landTitle(title) };
    const approval = isPerson(actor) &&
      isApproved(land) &&
      land.approval && { ...land.approval, hash: await hashOf(reader, { ...land, ...patch }) };
    changes.push(...changeNode(land, { ...patch, ...(approval && { approval }) }));
  }
  return changes;
}
