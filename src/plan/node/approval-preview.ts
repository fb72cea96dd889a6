// What an approval would allow, read from the very changes that it would make: every node, every command, everything asked
// for, and what changed since the last approval. Every door shows this before it asks.

import { commandNeeds, dangerIn } from "../../machine/checks/dangers.js";
import { commandsIn } from "../../model/attempt/choose-worker.js";
import type { KeyedRecord, PlanRecord } from "../../model/item/record.js";
import { HASHED } from "../../model/node/content-hash.js";
import { BLANK, type Check, type Content, type Node, type NodeFields, type Nr } from "../../model/node/node.js";
import { type Change, mergeChanges, type NodeChange } from "../../model/operation/change.js";
import { ok, type Result, refused } from "../../model/result.js";
import { sha256 } from "../../store/sha256.js";
import type { Reader } from "../../store/store.js";
import { pick } from "../base/pick.js";
import { claimsOn } from "./branch.js";
import { isoTime } from "./view.js";

export type ApprovalPreview = Awaited<ReturnType<typeof previewOf>>;

export type PreviewNode = ApprovalPreview["nodes"][number];
export type PreviewField = NonNullable<PreviewNode["lastApproval"]>["changes"][number];
export type PreviewCommand = ApprovalPreview["commands"][number];
export type PreviewRecord = ApprovalPreview["records"][number];

/** What the settings add to every task. */
export interface PreviewSettings {
  readonly setup: readonly string[];
  readonly env: readonly string[];
}

const NO_SETTINGS: PreviewSettings = { setup: [], env: [] };

type Row = Awaited<ReturnType<typeof rowOf>>;

export async function previewOf(reader: Reader, all: readonly Change[], settings: PreviewSettings = NO_SETTINGS) {
  const changes = mergeChanges(all);
  const rows: Row[] = [];
  for (const change of changes) if (change.entity === "node") rows.push(await rowOf(reader, change));
  const names = new Map<Nr, string>(rows.map(({ nr, after }) => [nr, after.id]));
  const nameOf = async (nr: Nr): Promise<string> => {
    const name = names.get(nr) ?? (await reader.node(nr))?.id ?? "";
    names.set(nr, name);
    return name;
  };
  const history = approvedContent(reader);
  const nodes: Awaited<ReturnType<typeof shownNode>>[] = [];
  for (const row of rows) {
    const isApproved = row.after.approval !== null && row.after.approval !== row.before?.approval;
    if (isApproved) nodes.push(await shownNode(row, nameOf, history));
  }
  const dropped = rows.filter(({ before, after }) => !before?.outcome && after.outcome?.kind === "dropped");
  const freed = rows.filter(({ after }) => after.claim === null || after.outcome !== null);
  const tasks = nodes.filter(({ tier, kind }) => tier === "task" && kind === "work");
  const records = await activated(reader, changes);
  const commands = commandsOf(nodes, records, settings);
  const shown = {
    nodes,
    commands,
    /** Footprints of all tasks. Tasks without one are in `anyFile`. */
    files: [...new Set(tasks.flatMap(({ files }) => files))].sort(),
    anyFile: tasks.filter(({ files }) => files.length === 0).map(({ id }) => id),
    /** Variables of your environment that workers and checks get by name. */
    environment: settings.env,
    records: records.map(shownRecord),
    dropped: dropped.map(({ after: { id, title } }) => ({ id, title })),
    lostClaims: claimsOn(freed.flatMap(({ before }) => before ?? [])),
  };
  // What has run before is no part of the content: it changes while you read.
  const hash = sha256(JSON.stringify(shown));
  const known = await knownCommands(reader);
  return {
    /** Names exactly this content: an approval that carries it is refused once the plan differs. */
    hash,
    ...shown,
    /** `isNew`: no task that was ever started here carries it. */
    commands: commands.map((each) => ({ ...each, isNew: each.kind !== "setup" && !known.has(each.run) })),
  };
}

/** Commands of tasks that were started before. */
async function knownCommands(reader: Reader): Promise<Set<string>> {
  const begun = await reader.begunWork();
  return new Set(begun.flatMap(({ checks, body }) => [...checks.map(({ run }) => run), ...commandsIn(body)]));
}

/** Every word of a record that comes into force: it reaches prompts and bundles. */
const shownRecord = ({ key, fields }: KeyedRecord) => {
  const { kind, title, body, because = null, alternatives, forbids, measure, baseline = null } = fields;
  return { id: key, kind, title, body, because, alternatives, forbids, measure, baseline };
};

/** What a person was shown before they said yes. */
export interface SeenPreview {
  readonly hash: string;
  readonly settings: PreviewSettings;
}

/** Refused if the changes are no longer what was shown. */
export async function requireAsSeen(
  reader: Reader,
  changes: readonly Change[],
  seen: SeenPreview | undefined,
): Promise<Result<void>> {
  if (seen === undefined) return ok(undefined);
  const { hash } = await previewOf(reader, changes, seen.settings);
  if (hash === seen.hash) return ok(undefined);
  const message = `The plan is not what you were shown (${seen.hash}, now ${hash}). Nothing was approved. Look at it again.`;
  return refused("preview-outdated", message, { details: { seen: seen.hash, now: hash } });
}

/** Nothing in it needs a person's yes. */
export const isEmptyPreview = ({ nodes, records, dropped, lostClaims }: ApprovalPreview): boolean =>
  nodes.length + records.length + dropped.length + lostClaims.length === 0;

async function rowOf(reader: Reader, { key, after }: NodeChange) {
  const before = await reader.node(key);
  return { nr: key, before, after: { ...BLANK, ...before, ...after } as NodeFields };
}

async function shownNode({ before, after }: Row, nameOf: NameOf, history: ApprovedContent) {
  const then = before?.approval ? await history(before) : undefined;
  const changes: { field: string; before: unknown; after: unknown }[] = [];
  for (const field of HASHED) {
    if (then === undefined || field === "approval") continue;
    const [old, now] = [await shownField(then, field, nameOf), await shownField(after, field, nameOf)];
    if (JSON.stringify(old) !== JSON.stringify(now)) changes.push({ field, before: old, after: now });
  }
  return {
    ...pick(after, "id", "tier", "kind", "title", "body", "files", "symbols", "checks", "profile", "budgets"),
    parent: after.parent === null ? null : await nameOf(after.parent),
    dependsOn: await statedNames(after, nameOf),
    /** With what differs from what was approved then; null if it was never approved. */
    lastApproval: before?.approval ? { by: before.approval.by, at: isoTime(before.approval.at), changes } : null,
  };
}

type NameOf = (nr: Nr) => Promise<string>;

const statedNames = ({ dependsOn }: Content, nameOf: NameOf): Promise<string[]> =>
  Promise.all(dependsOn.filter(({ origin }) => origin === "stated").map(({ on }) => nameOf(on)));

async function shownField(node: NodeFields, field: keyof NodeFields, nameOf: NameOf): Promise<unknown> {
  if (field === "dependsOn") return statedNames(node, nameOf);
  if (field === "parent") return node.parent === null ? null : nameOf(node.parent);
  return node[field];
}

/** A node that was edited so often since its approval is compared with an older edit than that; nothing is left out. */
const MAX_EDITS = 1000;

type ApprovedContent = (node: Node) => Promise<NodeFields>;

/** Nodes as they were when they were approved, read backwards from the log. One approval often covers many nodes. */
function approvedContent(reader: Reader): ApprovedContent {
  const known = new Map<number, ReadonlyMap<Nr, NodeChange>>();
  const changesOf = async (op: number): Promise<ReadonlyMap<Nr, NodeChange>> => {
    const nodes = (await reader.changes(op)).filter((change) => change.entity === "node");
    return new Map(nodes.map((change) => [change.key, change]));
  };
  return async (node) => {
    let fields: NodeFields = node;
    for (const { op } of await reader.operations({ node: node.nr, limit: MAX_EDITS })) {
      const changes = known.get(op) ?? (await changesOf(op));
      known.set(op, changes);
      const change = changes.get(node.nr);
      if (change?.after?.approval?.hash === node.approval?.hash) return fields;
      if (change) fields = { ...fields, ...change.before };
    }
    return fields;
  };
}

/** What runs a command: a check of a task, a worker without a model, the measure of a requirement, or the set-up of a worktree. */
type CommandKind = "check" | "work" | "measure" | "setup";

/** What goes for a command that says nothing else. */
const USUAL = {
  cwd: "",
  /** How it has to end, if that is not "exit 0". */
  expect: null as string | null,
  /** How long it may take, if the check says so itself. */
  timeoutS: null as number | null,
};

interface PreparedCommand extends Readonly<typeof USUAL> {
  readonly run: string;
  readonly kind: CommandKind;
  readonly from: string[];
}

function commandsOf(
  nodes: readonly Pick<NodeFields, "id" | "checks" | "body" | "kind">[],
  records: readonly KeyedRecord[],
  { setup }: PreviewSettings,
) {
  const byText = new Map<string, PreparedCommand>();
  const add = (kind: CommandKind, from: string, run: string, more: Omit<Check, "run"> = {}): void => {
    const command = { kind, run, ...USUAL, ...more };
    const key = JSON.stringify(command);
    const known = byText.get(key);
    if (known) known.from.push(from);
    else byText.set(key, { ...command, from: [from] });
  };
  for (const { id, checks } of nodes) for (const { run, ...more } of checks) add("check", id, run, more);
  const workNodes = nodes.filter(({ kind }) => kind === "work");
  for (const { id, body } of workNodes) for (const run of commandsIn(body)) add("work", id, run);
  for (const { key, fields } of records) if (fields.measure?.run) add("measure", key, fields.measure.run);
  if (nodes.length > 0) for (const run of setup) add("setup", "execution.setup", run);
  return [...byText.values()].map((command) => ({
    ...command,
    /** Why it is dangerous, as the end of a sentence. */
    danger: dangerIn(command.run, command.cwd) ?? null,
    ...commandNeeds(command.run),
  }));
}

/** The records that the changes put in force. */
async function activated(reader: Reader, changes: readonly Change[]): Promise<KeyedRecord[]> {
  const found: KeyedRecord[] = [];
  for (const { entity, key, after } of changes) {
    const { state, ...rest } = (after ?? {}) as Partial<PlanRecord>;
    if (entity !== "record" || state !== "active") continue;
    const fields = { ...(await reader.item("record", key))?.fields, ...rest, state } as PlanRecord;
    found.push({ key, fields });
  }
  return found;
}
