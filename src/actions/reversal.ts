// Turns an operation round in the plan of the moment, or says exactly what stands in the way.

import { type Change, changeFocus } from "../graph/change.js";
import type { Node, Nr } from "../graph/node.js";
import type { Operation } from "../graph/operation.js";
import { ok, type Result, refused } from "../graph/result.js";
import { countsForLanding } from "../graph/rollup.js";
import { landTurn, netEffects, type Reversal, reverse, subjectOf } from "../graph/undo.js";
import type { Reader } from "../store/store.js";

/** More than anybody could want to read or undo. */
const ALL = 1_000_000_000;
const LISTED = 20;

/** The latest turn of an operation: its doing, or what took it back or did it again since. */
export async function latestTurn(reader: Reader, operation: Operation): Promise<Operation> {
  const [latest] = await reader.operations({ of: operation.op, limit: 1 });
  return latest ?? operation;
}

export async function reverseTurn(reader: Reader, turn: Operation): Promise<Result<Change[]>> {
  const reversal = reverse(await reader.changes(turn.op));
  const later = await reader.operations({ overlaps: turn.op, after: turn.op, limit: ALL });
  const since = new Set(netEffects(later));
  const inTheWay = [
    ...(await strays(reader, reversal)),
    ...(await unsettledLands(reader, reversal)),
    ...(await namesakes(reader, reversal)),
  ];
  const missing = await absentees(reader, reversal);
  for (const nr of [...inTheWay.map((node) => node.nr), ...missing]) {
    for (const op of netEffects(await reader.operations({ node: nr, after: turn.op, limit: ALL }))) since.add(op);
  }
  if (since.size === 0 && inTheWay.length === 0 && missing.length === 0) {
    return ok(await withoutMovedFocus(reader, reversal.changes));
  }
  return laterChanges(reader, turn, [...since], inTheWay);
}

/** What stays, and stands below or depends on a row that would disappear. */
async function strays(reader: Reader, { removed }: Reversal): Promise<Node[]> {
  const found: Node[] = [];
  for (const nr of removed) {
    const near = [...(await reader.children(nr)), ...(await reader.dependents(nr))];
    found.push(...near.filter((node) => !removed.has(node.nr)));
  }
  return found;
}

/** A land task that opens beside an open one, or goes while there still is work to land. */
async function unsettledLands(reader: Reader, { changes, removed }: Reversal): Promise<Node[]> {
  const found: Node[] = [];
  for (const change of changes) {
    if (change.entity !== "node") continue;
    const now = await reader.node(change.key);
    const turned = landTurn(now, change);
    if (turned === undefined) continue;
    const feature = now?.parent ?? change.after?.parent ?? 0;
    const stays = (node: Node): boolean => node.outcome === null && node.nr !== change.key && !removed.has(node.nr);
    if (turned === "opens") {
      found.push(...(await reader.children(feature)).filter((node) => node.kind === "land" && stays(node)));
    } else {
      const settles = settledBy(changes);
      const open = (await reader.descendants(feature)).filter((node) => countsForLanding(node) && stays(node));
      found.push(...open.filter((node) => !settles.has(node.nr)));
    }
  }
  return found;
}

const settledBy = (changes: readonly Change[]): Set<Nr> =>
  new Set(changes.flatMap((c) => (c.entity === "node" && c.after?.outcome ? [c.key] : [])));

/** What has meanwhile taken the id or the UUID of a row that would come back. */
async function namesakes(reader: Reader, { restored }: Reversal): Promise<Node[]> {
  const found: Node[] = [];
  for (const { id = "", uuid = "" } of restored.values()) {
    const named = await reader.byId(id);
    if (named) found.push(named);
    const twin = named ? undefined : await reader.byUuid(uuid);
    if (twin) found.push(twin);
  }
  return found;
}

/** Rows that are gone, and that something put back would refer to. */
async function absentees(reader: Reader, { needed }: Reversal): Promise<Nr[]> {
  const missing: Nr[] = [];
  for (const nr of needed) if (!(await reader.node(nr))) missing.push(nr);
  return missing;
}

/** A focus goes back only if nobody has moved it since: it is a convenience, and no reason to refuse. */
async function withoutMovedFocus(reader: Reader, changes: readonly Change[]): Promise<Change[]> {
  const kept: Change[] = [];
  for (const change of changes) {
    if (change.entity === "node") kept.push(change);
    else {
      const now = await reader.focus(change.key);
      if (now === (change.before?.node ?? null)) kept.push(...changeFocus(change.key, now, change.after?.node ?? null));
    }
  }
  return kept;
}

async function laterChanges(
  reader: Reader,
  turn: Operation,
  since: readonly number[],
  nodes: readonly Node[],
): Promise<Result<never>> {
  const operations: Pick<Operation, "op" | "verb" | "actor" | "sentence">[] = [];
  for (const op of since.toSorted((a, b) => b - a)) {
    const found = await reader.operation(op);
    if (found) operations.push({ op, verb: found.verb, actor: found.actor, sentence: found.sentence });
  }
  const ids = [...new Set(nodes.map((node) => node.id))];
  const lines = operations.slice(0, LISTED).map(({ op, sentence }) => `  ${op}  ${sentence}`);
  if (operations.length > LISTED) lines.push("  …");
  if (ids.length > 0) lines.push(`  in the way: ${ids.slice(0, LISTED).join(", ")}`);
  return refused(
    "later-changes",
    `Operation ${subjectOf(turn)} cannot be turned round any more: something else happened to the same nodes since.\n${lines.join("\n")}`,
    {
      hint: "Nothing was changed. The later ones come first, newest first; `planwright log` shows them.",
      details: { operations, nodes: ids },
    },
  );
}
