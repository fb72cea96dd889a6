// Turns what was read from another tool into the changes of one operation. Nothing of it is approved, and no progress is taken back.

import type { Actor } from "../../model/actor.js";
import { createItem } from "../../model/item/item.js";
import { itemKey } from "../../model/item-key.js";
import type { Node } from "../../model/node/node.js";
import type { Change } from "../../model/operation/change.js";
import { absent, ok, type Result } from "../../model/result.js";
import type { Writer } from "../../store/store.js";
import { cleanItem, cleanText } from "../source/clean.js";
import { uuidOf } from "../source/identity.js";
import { itemName, type SourceItem, type SourceRead, type SourceRemark } from "../source/source.js";
import { addNode } from "./add-node.js";
import { keepEdges } from "./edges.js";
import { chooseIds } from "./ids.js";
import { homeKey, type Placed, placeItems } from "./place.js";
import { type KnownItems, keepRemembered, recall } from "./remember.js";
import { type ChangedNode, type ImportEntry, type ImportedNode, ImportRun } from "./run.js";
import { settleLands } from "./settle-lands.js";
import { updateNode } from "./update-node.js";

export interface ImportReport {
  readonly tool: string;
  readonly added: readonly ImportedNode[];
  /** With the fields that changed. */
  readonly changed: readonly ChangedNode[];
  readonly unchanged: number;
  /** Fields that changed here and in the source: they stay as they are here. */
  readonly kept: readonly { readonly id: string; readonly fields: readonly string[] }[];
  /** In the plan from an earlier import, and not in the source any more. */
  readonly gone: readonly string[];
  /** How many dependencies follow from nothing but the order of the source. */
  readonly implied: number;
  readonly findings: readonly SourceRemark[];
}

export interface PlannedImport {
  readonly changes: readonly Change[];
  readonly report: ImportReport;
}

export async function planImport(writer: Writer, by: Actor, given: SourceRead): Promise<Result<PlannedImport>> {
  const [mission] = await writer.children(null);
  if (!mission) return absent("not-found", "There is no mission to import anything below.");
  const run = new ImportRun(writer, { by, at: writer.at, op: writer.op, tool: given.tool }, mission.nr);
  const read = { ...given, items: cleanItems(run, given) };
  const remembered = await recall(run);
  const sources = remembered.known;
  const known = await knownNodes(writer, read, sources);
  const { placed, findings } = placeItems(read, (key) => known.get(key)?.tier);
  const kept = keepEdges(placed, read.droppedFrees === true);
  run.findings.push(...findings, ...kept.findings);
  run.edges = kept.edges;
  if (read.looseParents === true) noteHeldChildren(run, placed);
  run.entries = await enter(run, placed, known, sources);
  for (const entry of run.entries.values()) {
    if (entry.existing) await updateNode(run, entry, entry.existing);
    else addNode(run, entry);
  }
  await settleLands(run);
  await keepRemembered(run, remembered);
  await say(run);
  const implied = [...kept.edges.values()].flat().filter(({ isImplied }) => isImplied).length;
  const unchanged = run.entries.size - run.added.length - run.changed.length;
  const { added, changed, kept: mine } = run;
  const gone = await goneFrom(run, read, sources);
  const report = { tool: read.tool, added, changed, unchanged, kept: mine, gone, implied, findings: run.findings };
  return ok({ changes: run.changes, report });
}

/** As they can stand in the plan, each with a key of its own. */
function cleanItems(run: ImportRun, read: SourceRead): SourceItem[] {
  run.findings.push(...read.findings);
  const keys = new Set<string>();
  return read.items.map((each) => {
    const { item, changed } = cleanItem(each);
    for (const change of changed) run.note(item.at, `${itemName(item)}: ${change}.`);
    const isTwice = keys.has(item.key);
    if (isTwice) run.note(item.at, `${itemName(item)}: The id is used twice, so this one gets another.`);
    const key = isTwice ? `${item.key}#${keys.size}` : item.key;
    keys.add(key);
    return isTwice ? { ...item, key, displayId: undefined } : item;
  });
}

/** Here everything in a container waits for what the container waits for; the tool lets it begin. */
function noteHeldChildren(run: ImportRun, placed: readonly Placed[]): void {
  for (const { item, tier } of placed) {
    if (tier === "task" || (run.edges.get(item.key) ?? []).length === 0) continue;
    run.note(item.at, `${itemName(item)}: What it contains waits with it; in ${run.importing.tool} it does not.`);
  }
}

/** The nodes that earlier imports made, here or in another clone. */
async function knownNodes(writer: Writer, read: SourceRead, sources: KnownItems): Promise<Map<string, Node>> {
  const uuidFor = (item: Pick<SourceItem, "key" | "uuid">): string =>
    item.uuid ?? sources.get(item.key)?.uuid ?? uuidOf(item);
  const items = [...read.items, { key: homeKey(read) }];
  const keys = new Map(items.map((item) => [uuidFor(item), item.key]));
  const nodes = await writer.byUuids([...keys.keys()]);
  return new Map(nodes.map((node) => [keys.get(node.uuid) as string, node]));
}

async function enter(
  run: ImportRun,
  placed: readonly Placed[],
  known: ReadonlyMap<string, Node>,
  sources: KnownItems,
): Promise<Map<string, ImportEntry>> {
  const fresh = placed.filter(({ item }) => !known.has(item.key));
  let nr = fresh.length === 0 ? 0 : await run.writer.allocate(fresh.length);
  const ids = await chooseIds(run, fresh);
  return new Map(
    placed.map((each) => {
      const existing = known.get(each.item.key);
      const id = existing?.id ?? ids.get(each) ?? "";
      const before = existing && sources.get(each.item.key);
      return [each.item.key, { placed: each, existing, id, nr: existing?.nr ?? nr++, known: before }] as const;
    }),
  );
}

async function say({ comments, changes, writer, importing: { by, at } }: ImportRun): Promise<void> {
  if (comments.length === 0) return;
  let number = await writer.number("COM", comments.length);
  for (const { node, text } of comments) {
    const fields = { state: "kept", node, text: cleanText(text), createdAt: at, createdBy: by } as const;
    changes.push(createItem("comment", itemKey("COM", number++), fields));
  }
}

async function goneFrom({ writer, entries }: ImportRun, read: SourceRead, known: KnownItems): Promise<string[]> {
  const files = new Set(read.items.map(({ at }) => at.file));
  const gone = [...known.values()].filter(({ key, file }) => files.has(file) && !entries.has(key));
  return (await writer.byUuids(gone.map(({ uuid }) => uuid))).map(({ id }) => id);
}
