// A node that is in the plan already: what changed in its source since the last import, and nothing that you changed here.

import { changeItem, createItem } from "../../model/item/item.js";
import type { SourceBase } from "../../model/item/source.js";
import type { Edge, Node, NodeFields } from "../../model/node/node.js";
import { changeNode } from "../../model/operation/change.js";
import { landTitle } from "../../model/rules/land.js";
import { shortHash } from "../source/identity.js";
import { edgesOf } from "./add-node.js";
import { isSettledThere, progressFacts } from "./facts.js";
import type { Placed } from "./place.js";
import { rememberItem } from "./remember.js";
import type { ImportEntry, ImportRun } from "./run.js";
import { mergeContent, mergeSet, wantedOf } from "./three-way.js";

export async function updateNode(run: ImportRun, entry: ImportEntry, node: Node): Promise<void> {
  const { placed, known } = entry;
  const { item } = placed;
  const wanted = wantedOf(placed);
  const base = known?.base ?? null;
  if (node.claim !== null) {
    run.note(item.at, `${node.id}: Somebody works on it, so nothing of it was changed. Import again later.`);
    return;
  }
  if (item.uuid !== undefined) return tickOff(run, placed, node);
  const changes = changeNode(node, patchOf(run, placed, node, base));
  const fields = changes.flatMap(({ after }) => Object.keys(after ?? {}));
  run.changes.push(...changes);
  if (fields.includes("title")) await retitleLand(run, node, wanted.title);
  if (await relabel(run, node, wanted.labels, base?.labels)) fields.push("labels");
  const said = new Set(base?.comments);
  const fresh = base === null ? [] : (item.comments ?? []).filter((text) => !said.has(shortHash(text)));
  for (const text of fresh) run.comments.push({ node: node.nr, text });
  if (fresh.length > 0) fields.push("comments");
  if (fields.length > 0) run.changed.push({ id: node.id, title: node.title, tier: node.tier, fields });
  rememberItem(run, entry, wanted);
}

/** A line of an export says how far the work is. Its words were shortened, so they are not read back. */
function tickOff(run: ImportRun, placed: Placed, node: Node): void {
  if (node.outcome !== null || node.archive !== null) return;
  // It was done here, so it lands like everything else.
  const { outcome, ...facts } = forward(run, placed, node, undefined);
  const changes = changeNode(node, outcome ? { ...facts, outcome: { ...outcome, op: run.importing.op } } : facts);
  run.changes.push(...changes);
  const fields = changes.flatMap(({ after }) => Object.keys(after ?? {}));
  if (fields.length > 0) run.changed.push({ id: node.id, title: node.title, tier: node.tier, fields });
}

function patchOf(run: ImportRun, placed: Placed, node: Node, base: SourceBase | null): Partial<NodeFields> {
  const { item } = placed;
  if (node.outcome !== null || node.archive !== null) {
    const isOpenAgain = base !== null && base.progress !== item.progress && !isSettledThere(item.progress);
    if (isOpenAgain) {
      const word = item.status ?? item.progress;
      run.note(item.at, `${node.id}: It is finished in the plan and stays so; ${run.importing.tool} says "${word}".`);
    }
    return {};
  }
  const { patch, kept } = mergeContent(node, wantedOf(placed), base);
  if (kept.length > 0) run.kept.push({ id: node.id, fields: kept });
  const edges = mergeEdges(run, item.key, node, base?.dependsOn);
  return {
    ...patch,
    ...(edges ? { dependsOn: edges } : {}),
    ...moved(run, placed, node, base?.parent ?? null),
    ...forward(run, placed, node, base?.progress),
  };
}

/** Not if you moved it here, or the source did not move it. */
function moved(run: ImportRun, { parent }: Placed, node: Node, was: string | null): Partial<NodeFields> {
  const wasHere = was === null ? run.mission : run.entries.get(was)?.nr;
  return parent === was || wasHere !== node.parent ? {} : { parent: run.nrOf(parent) };
}

/** SourceProgress only goes forward. */
function forward(run: ImportRun, { item }: Placed, node: Node, was: string | undefined): Partial<NodeFields> {
  if (node.tier !== "task" || node.kind === "land" || was === item.progress) return {};
  return isSettledThere(item.progress) ? { ...progressFacts(item, node.nr, run.importing), freeze: null } : {};
}

function mergeEdges(run: ImportRun, key: string, node: Node, was: readonly string[] = []): Edge[] | undefined {
  const wanted = edgesOf(run, key);
  const before = was.flatMap((each) => run.entries.get(each)?.nr ?? []);
  const here = node.dependsOn.map(({ on }) => on);
  const merged = mergeSet(
    before,
    here,
    wanted.map(({ on }) => on),
  );
  if (merged === here) return undefined;
  const origins = new Map([...wanted, ...node.dependsOn].map(({ on, origin }) => [on, origin]));
  return merged.map((on) => ({ on, origin: origins.get(on) ?? "stated" }));
}

async function retitleLand(run: ImportRun, { nr, tier }: Node, title: string): Promise<void> {
  if (tier !== "feature") return;
  const land = (await run.writer.children(nr)).find(({ kind, outcome }) => kind === "land" && outcome === null);
  if (land) run.changes.push(...changeNode(land, { title: landTitle(title) }));
}

async function relabel(
  run: ImportRun,
  { uuid, nr }: Node,
  wanted: readonly string[],
  was: readonly string[] | undefined,
): Promise<boolean> {
  if (wanted.length === 0 && was === undefined) return false;
  const item = await run.writer.item("labels", uuid);
  const labels = [...mergeSet(was, item?.fields.labels ?? [], wanted)].sort();
  const changes = item
    ? changeItem(item, { labels })
    : [createItem("labels", uuid, { state: "set", node: nr, labels })];
  run.changes.push(...changes);
  return changes.length > 0;
}
