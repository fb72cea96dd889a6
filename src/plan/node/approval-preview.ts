// What an approval would allow, read from the very changes that it would make: every node, every command, everything asked
// for, and what changed since the last approval. Every door shows this before it asks.

import { commandNeeds, dangerIn } from "../../machine/checks/dangers.js";
import { commandsIn } from "../../model/attempt/choose-worker.js";
import type { KeyedRecord, PlanRecord } from "../../model/item/record.js";
import { HASHED } from "../../model/node/content-hash.js";
import { BLANK, type Check, type Content, type Node, type NodeFields, type Nr } from "../../model/node/node.js";
import { type Change, mergeChanges, type NodeChange } from "../../model/operation/change.js";
import { ok, type Result, refused } from "../../model/result.js";
import { Sha256 } from "../../store/sha256.js";
import type { Decision, Reader, Writer } from "../../store/store.js";
import { pick } from "../base/pick.js";
import { claimsOn, type EndedClaim } from "./branch.js";
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

/** What would be written: large decisions come in parts. */
type Previewed = Pick<Decision<unknown>, "changes" | "parts">;

type PreviewedNode = Awaited<ReturnType<typeof shownNode>>;

type PreviewReader = Reader & Partial<Pick<Writer, "forget">>;

export async function previewOf(reader: PreviewReader, decided: Previewed, settings: PreviewSettings = NO_SETTINGS) {
  const nodes: PreviewedNode[] = [];
  const { hash, shown } = await look(reader, decided, settings, (node) => nodes.push(node));
  // What has run before is no part of the content: it changes while you read.
  const known = await knownCommands(reader);
  return {
    /** Names exactly this content: an approval that carries it is refused once the plan differs. */
    hash,
    nodes,
    ...shown,
    /** `isNew`: no task that was ever started here carries it. */
    commands: shown.commands.map((each) => ({ ...each, isNew: each.kind !== "setup" && !known.has(each.run) })),
  };
}

/** The nodes are handed out and not kept: whoever only compares the hash needs none of them. */
async function look(
  reader: PreviewReader,
  { changes, parts }: Previewed,
  settings: PreviewSettings,
  onNode: (node: PreviewedNode) => void,
) {
  const asked = new AskedFor();
  const hash = new Sha256().update('{"nodes":[');
  const history = approvedContent(reader);
  let isFirst = true;
  const add = async (part: readonly Change[]): Promise<void> => {
    for (const node of await shownNodes(reader, part, history, asked)) {
      hash.update(`${isFirst ? "" : ","}${JSON.stringify(node)}`);
      isFirst = false;
      asked.take(node);
      onNode(node);
    }
  };
  for await (const part of parts?.() ?? []) {
    await add(part);
    reader.forget?.();
  }
  const last = mergeChanges(changes);
  await add(last);
  const records = await activated(reader, last);
  const shown = {
    commands: asked.commandsWith(records, settings),
    /** Footprints of all tasks. Tasks without one are in `anyFile`. */
    files: [...asked.files].sort(),
    anyFile: asked.anyFile,
    /** Variables of your environment that workers and checks get by name. */
    environment: settings.env,
    records: records.map(shownRecord),
    dropped: asked.dropped,
    lostClaims: asked.lostClaims,
  };
  return { hash: hash.update(`],${JSON.stringify(shown).slice(1)}`).digest(), shown };
}

/** What the changes of a part approve. */
async function shownNodes(reader: Reader, changes: readonly Change[], history: ApprovedContent, asked: AskedFor) {
  const rows: Row[] = [];
  for (const change of changes) if (change.entity === "node") rows.push(await rowOf(reader, change));
  const names = new Map<Nr, string>(rows.map(({ nr, after }) => [nr, after.id]));
  const nameOf = async (nr: Nr): Promise<string> => {
    const name = names.get(nr) ?? (await reader.node(nr))?.id ?? "";
    names.set(nr, name);
    return name;
  };
  const nodes: PreviewedNode[] = [];
  for (const row of rows) {
    const isApproved = row.after.approval !== null && row.after.approval !== row.before?.approval;
    if (isApproved) nodes.push(await shownNode(row, nameOf, history));
  }
  asked.takeRows(rows);
  return nodes;
}

/** What all nodes of an approval ask for together, and what is given up with it. */
class AskedFor {
  readonly files = new Set<string>();
  readonly anyFile: string[] = [];
  readonly dropped: Pick<NodeFields, "id" | "title">[] = [];
  readonly lostClaims: EndedClaim[] = [];
  readonly #checks = new Commands();
  readonly #work = new Commands();
  #hasNodes = false;

  takeRows(rows: readonly Row[]): void {
    for (const { before, after } of rows) {
      const { id, title, claim, outcome } = after;
      if (!before?.outcome && outcome?.kind === "dropped") this.dropped.push({ id, title });
      if (before && (claim === null || outcome !== null)) this.lostClaims.push(...claimsOn([before]));
    }
  }

  take({ id, tier, kind, files, checks, body }: PreviewedNode): void {
    this.#hasNodes = true;
    for (const { run, ...more } of checks) this.#checks.add("check", id, run, more);
    if (kind !== "work") return;
    for (const run of commandsIn(body)) this.#work.add("work", id, run);
    if (tier !== "task") return;
    for (const file of files) this.files.add(file);
    if (files.length === 0) this.anyFile.push(id);
  }

  commandsWith(records: readonly KeyedRecord[], { setup }: PreviewSettings) {
    const others = new Commands();
    for (const { key, fields } of records) if (fields.measure?.run) others.add("measure", key, fields.measure.run);
    if (this.#hasNodes) for (const run of setup) others.add("setup", "execution.setup", run);
    return [this.#checks, this.#work, others].flatMap((commands) => commands.list());
  }
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
  reader: PreviewReader,
  decided: Previewed,
  seen: SeenPreview | undefined,
): Promise<Result<void>> {
  if (seen === undefined) return ok(undefined);
  const { hash } = await look(reader, decided, seen.settings, () => undefined);
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

/** Each command once, with everything that runs it. */
class Commands {
  readonly #byText = new Map<string, PreparedCommand>();

  add(kind: CommandKind, from: string, run: string, more: Omit<Check, "run"> = {}): void {
    const command = { kind, run, ...USUAL, ...more };
    const key = JSON.stringify(command);
    const known = this.#byText.get(key);
    if (known) known.from.push(from);
    else this.#byText.set(key, { ...command, from: [from] });
  }

  list() {
    return [...this.#byText.values()].map((command) => ({
      ...command,
      /** Why it is dangerous, as the end of a sentence. */
      danger: dangerIn(command.run, command.cwd) ?? null,
      ...commandNeeds(command.run),
    }));
  }
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
