// Reverses an operation in the plan as it is now, or says exactly what is in the way.

import { type Actor, isPerson } from "../../model/actor.js";
import { hasEnded } from "../../model/attempt/attempt.js";
import { rebaseItem } from "../../model/item/item.js";
import { step } from "../../model/next-step.js";
import type { Node, Nr } from "../../model/node/node.js";
import { type Change, changeFocus, isItemChange, type NodeChange } from "../../model/operation/change.js";
import type { LoggedOperation } from "../../model/operation/operation.js";
import {
  endingClaim,
  isStep,
  landTurn,
  netEffects,
  onlyApproves,
  onlyClaims,
  type Reversal,
  rebase,
  reopensAttempt,
  reverse,
  STEPS,
  subjectOf,
  withoutAttempts,
  withoutClaim,
} from "../../model/operation/undo.js";
import { ok, type Result, refused } from "../../model/result.js";
import { countsForLanding } from "../../model/status/rollup.js";
import type { Decision, Reader } from "../../store/store.js";

/** More than one undo should touch. */
const MAX_OPERATIONS = 1_000_000_000;
const MAX_LISTED = 20;

/** The latest turn of an operation: its doing, or what took it back or did it again since. */
export async function latestTurn(reader: Reader, operation: LoggedOperation): Promise<LoggedOperation> {
  const [latest] = await reader.operations({ of: operation.op, limit: 1 });
  return latest ?? operation;
}

/** More than that is turned round in parts, if it is only approvals: nothing else in the plan depends on each of them. */
const CHANGES_IN_MEMORY = 500;

/** Whether it holds of each change. Stops at the first of which it does not. */
export async function everyChange(reader: Reader, op: number, holds: (change: Change) => boolean): Promise<boolean> {
  for await (const page of reader.changePages(op)) if (!page.every(holds)) return false;
  return true;
}

const isLarge = async (reader: Reader, { op }: LoggedOperation): Promise<boolean> =>
  (await reader.changes(op, CHANGES_IN_MEMORY + 1)).length > CHANGES_IN_MEMORY && everyChange(reader, op, onlyApproves);

/** Whom the plan knows, and what it knows of other clones. */
const STAYS: ReadonlySet<string> = new Set(["person", "clone"]);

/** Whom the plan knows stays: that is for the people themselves. Who is no person gives a claim back, but not the attempt that it was. */
export async function reverseTurn(
  reader: Reader,
  turn: LoggedOperation,
  by: Actor,
  at: number,
): Promise<Result<Pick<Decision<unknown>, "changes" | "parts">>> {
  const inParts = await isLarge(reader, turn);
  const reversal = reverse(inParts ? [] : (await reader.changes(turn.op)).filter(({ entity }) => !STAYS.has(entity)));
  const later = await reader.operations({ overlaps: turn.op, after: turn.op, limit: MAX_OPERATIONS });
  const others = new Set(netEffects(later));
  if (isPerson(by) && (inParts || !reversal.changes.every(onlyClaims))) await passClaims(reader, others);
  const inTheWay = [
    ...(await strays(reader, reversal)),
    ...(await misplaced(reader, reversal)),
    ...(await unsettledLands(reader, reversal)),
    ...(await namesakes(reader, reversal)),
  ];
  const missing = await absentees(reader, reversal);
  for (const node of [...inTheWay.map(({ nr }) => nr), ...missing]) {
    for (const op of netEffects(await reader.operations({ node, after: turn.op, limit: MAX_OPERATIONS })))
      others.add(op);
  }
  if (others.size > 0 || inTheWay.length > 0 || missing.length > 0)
    return laterChanges(reader, turn, by, [...others], inTheWay);
  if (inParts) return ok({ changes: [], parts: () => reversedParts(reader, turn, at) });
  const keepAttempts = (each: Change): Change => (each.entity === "node" ? withoutAttempts(each) : each);
  const changes = isPerson(by) ? reversal.changes : reversal.changes.map(keepAttempts);
  return ok({ changes: await asOfNow(reader, changes, at) });
}

async function* reversedParts(reader: Reader, { op }: LoggedOperation, at: number): AsyncIterable<readonly Change[]> {
  for await (const page of reader.changePages(op)) yield asOfNow(reader, reverse(page).changes, at);
}

/** A person who takes something back ends the claims that built on it, as with a freeze. */
async function passClaims(reader: Reader, others: Set<number>): Promise<void> {
  for (const op of others) if (await everyChange(reader, op, onlyClaims)) others.delete(op);
}

const fieldsAfter = (changes: readonly Change[]) =>
  new Map(changes.flatMap((c) => (c.entity === "node" && c.after ? [[c.key, c.after] as const] : [])));

/** What stays, and would still stand below or depend on a row that disappears. */
async function strays(reader: Reader, { changes, removed }: Reversal): Promise<Node[]> {
  const after = fieldsAfter(changes);
  const found: Node[] = [];
  for (const nr of removed) {
    const near = [...(await reader.children(nr)), ...(await reader.dependents(nr))];
    const refers = (node: Node): boolean => {
      const { parent, dependsOn } = { ...node, ...after.get(node.nr) };
      return parent === nr || dependsOn.some((edge) => edge.on === nr);
    };
    for (const node of near) if (!removed.has(node.nr) && refers(node)) found.push(node);
  }
  return found;
}

/** What would be open inside something settled or archived, or the other way round. */
async function misplaced(reader: Reader, { changes }: Reversal): Promise<Node[]> {
  const after = fieldsAfter(changes);
  const afterwards = (node: Node): Node => ({ ...node, ...after.get(node.nr) });
  const found: Node[] = [];
  for (const [nr, fields] of after) {
    const node: Partial<Node> = { ...(await reader.node(nr)), ...fields };
    const parent = node.parent ? await reader.node(node.parent) : undefined;
    if (parent && covers(afterwards(parent), node)) found.push(parent);
    if (!fields.outcome && !fields.archive) continue;
    for (const child of await reader.children(nr)) if (covers(node, afterwards(child))) found.push(child);
  }
  return found;
}

const covers = (above: Partial<Node>, below: Partial<Node>): boolean =>
  (!!above.outcome && !below.outcome) || (!!above.archive && !below.archive);

/** A land task that would open beside an open one, or go while there still is work to land. */
async function unsettledLands(reader: Reader, reversal: Reversal): Promise<Node[]> {
  const found: Node[] = [];
  for (const change of reversal.changes) {
    if (change.entity !== "node") continue;
    const now = await reader.node(change.key);
    const turned = landTurn(now, change);
    if (turned === undefined) continue;
    const feature = now?.parent ?? 0;
    const inside = await reader.descendants(feature);
    const open = staysOpen(inside, feature, reversal);
    const rival = (node: Node): boolean => (turned === "opens" ? node.kind === "land" : countsForLanding(node));
    for (const node of inside) if (node.nr !== change.key && rival(node) && open(node)) found.push(node);
  }
  return found;
}

/** Whether a node is still open, and still in the feature, once everything is turned round. */
function staysOpen(inside: readonly Node[], feature: Nr, { changes, removed }: Reversal): (node: Node) => boolean {
  const parents = new Map<Nr, Nr | null>(inside.map((node) => [node.nr, node.parent]));
  const settled = new Set<Nr>();
  for (const { entity, key, after } of changes) {
    if (entity !== "node") continue;
    if (after?.parent !== undefined) parents.set(key, after.parent);
    if (after?.outcome) settled.add(key);
  }
  const isInside = (nr: Nr | null | undefined): boolean => nr === feature || (nr != null && isInside(parents.get(nr)));
  return (node) =>
    node.outcome === null && !settled.has(node.nr) && !removed.has(node.nr) && isInside(parents.get(node.nr));
}

/** What has meanwhile taken the id or the UUID of a row that would come back. */
async function namesakes(reader: Reader, { restored }: Reversal): Promise<Node[]> {
  const found: Node[] = [];
  for (const { id = "", uuid = "", kind } of restored.values()) {
    // The store mints land tasks, and lets none come back whose place is taken.
    if (kind === "land") continue;
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

/** A focus goes back only if it was not moved since: it is a convenience, and no reason to refuse. */
async function asOfNow(reader: Reader, changes: readonly Change[], at: number): Promise<Change[]> {
  const kept: Change[] = [];
  // All at once: one by one, reading 100,000 of them takes three times as long.
  const numbers = changes.flatMap((change) => (change.entity === "node" ? change.key : []));
  const now = new Map((await reader.nodes(numbers)).map((node) => [node.nr, node]));
  const isEnd = changes.some(reopensAttempt);
  for (const change of changes) {
    if (reopensAttempt(change)) continue;
    if (change.entity === "node") {
      const isOver = isEnd || (await hasWorkerStopped(reader, change));
      const turned = endingClaim(isOver ? withoutClaim(change) : change);
      kept.push(...rebase(now.get(change.key), turned, at));
    } else if (isItemChange(change)) kept.push(...rebaseItem(await reader.item(change.entity, change.key), change));
    else {
      const focus = await reader.focus(change.key);
      if (focus === (change.before?.node ?? null))
        kept.push(...changeFocus(change.key, focus, change.after?.node ?? null));
    }
  }
  return kept;
}

/** The attempt that held the claim has ended since, and its worker with it. */
async function hasWorkerStopped(reader: Reader, { key, after }: NodeChange): Promise<boolean> {
  const claim = after?.claim;
  if (!claim) return false;
  const attempts = await reader.items("attempt", { owner: String(key), newest: true });
  return attempts.some(({ fields }) => fields.token === claim.token && hasEnded(fields.state));
}

interface LaterOperation extends LoggedOperation {
  readonly isUndone: boolean;
  /** Itself a step, or a step has built on it. */
  readonly lasting: LoggedOperation | null;
}

async function laterChanges(
  reader: Reader,
  turn: LoggedOperation,
  by: Actor,
  others: readonly number[],
  nodes: readonly Node[],
) {
  const operations: LaterOperation[] = [];
  for (const op of others.toSorted((a, b) => b - a)) {
    const found = await reader.operation(op);
    if (!found) continue;
    const isUndone = (await latestTurn(reader, found)).undoes === op;
    operations.push({ ...found, isUndone, lasting: isUndone ? null : await lastingOf(reader, found) });
  }
  const ids = [...new Set(nodes.map((node) => node.id))];
  const lasting = operations.find((each) => each.lasting !== null)?.lasting ?? null;
  const details = {
    operations: operations.map(({ op, verb, actor, sentence }) => ({ op, verb, actor, sentence })),
    nodes: ids,
    turnable: lasting === null,
    lasting: lasting?.op ?? null,
  };
  const isRedo = turn.undoes !== null;
  const subject = `Operation ${subjectOf(turn)} (${turn.sentence}) cannot be ${isRedo ? "redone" : "undone"}`;
  const list = listed(operations, ids);
  if (lasting === null) {
    const { words, next, why } = firstOf(operations, ids, by);
    const message = `${subject} yet, because later operations changed the same nodes. ${words}:\n${list}`;
    return refused("later-changes", message, { next: [...next, step("log")], details: { ...details, why } });
  }
  const what = `operation ${lasting.op} is a later step of ${lasting.verb === "attempt" ? "an attempt" : "a planning run"}`;
  const { words, next } = isRedo ? BY_HAND : await wayBack(reader, turn, lasting);
  const message = `${subject}: ${what}, and such steps cannot be undone. ${words} Later operations:\n${list}`;
  const steps = [...next, step("diff", { operation: subjectOf(turn) })];
  return refused("later-changes", message, { next: steps, details: { ...details, why: what } });
}

/** The step that keeps an operation from being undone for ever. Nobody finds a way back by undoing the one before it. */
async function lastingOf(reader: Reader, operation: LoggedOperation): Promise<LoggedOperation | null> {
  if (isStep(operation)) return operation;
  const [built] = await reader.operations({ overlaps: operation.op, after: operation.op, verbs: STEPS, limit: 1 });
  return built && !(await everyChange(reader, built.op, onlyClaims)) ? built : null;
}

function listed(operations: readonly LaterOperation[], ids: readonly string[]): string {
  const isMixed = operations.some(({ isUndone }) => isUndone) && operations.some(({ isUndone }) => !isUndone);
  const turned = (isUndone: boolean): string => (isMixed && isUndone ? " (undone: redo it)" : "");
  const shown = operations.slice(0, MAX_LISTED);
  const lines = shown.map(({ op, sentence, isUndone }) => `  ${op}  ${sentence}${turned(isUndone)}`);
  if (operations.length > MAX_LISTED) lines.push("  …");
  if (ids.length > 0) lines.push(`  in the way: ${ids.slice(0, MAX_LISTED).join(", ")}`);
  return lines.join("\n");
}

/** What comes first, and who may do it: what others did only a person takes back. */
function firstOf(operations: readonly LaterOperation[], ids: readonly string[], by: Actor) {
  const [last] = operations;
  if (last === undefined) return { words: "In the way", next: [], why: `${ids.join(", ")} would be left over` };
  const areAllUndone = operations.every(({ isUndone }) => isUndone);
  const verb = areAllUndone ? "Redo" : "Undo";
  const numbers = operations.slice(0, MAX_LISTED).map(({ op }) => op);
  const why = `${verb.toLowerCase()} ${numbers.join(", ")} first`;
  if (!isPerson(by) && operations.some(({ actor }) => actor !== by))
    return { words: `Ask a person to ${verb.toLowerCase()} those first, newest first`, next: [], why };
  const first = last.isUndone ? step("redo", { operation: last.op }) : step("undo", { operation: String(last.op) });
  return { words: `${verb} those first, newest first`, next: [first], why };
}

const BY_HAND = { words: "Change by hand what it changed.", next: [] };

/** What leads back from an operation that cannot be undone. */
async function wayBack(reader: Reader, turn: LoggedOperation, lasting: Pick<LoggedOperation, "verb">) {
  if (lasting.verb !== "attempt") return { words: "Abort the run instead.", next: [step("plan.list")] };
  const touched: Node[] = [];
  for (const change of await reader.changes(turn.op, CHANGES_IN_MEMORY)) {
    const node = change.entity === "node" ? await reader.node(change.key) : undefined;
    if (node) touched.push(node);
  }
  const claimed = touched.find((node) => node.claim !== null);
  if (claimed)
    return { words: `Release ${claimed.id} instead.`, next: [step("claim.release", { reference: claimed.id })] };
  const open = touched.filter((node) => node.outcome === null && node.kind !== "land").map((node) => node.id);
  const references = open.slice(0, MAX_LISTED);
  if (turn.verb === "approve" && open.length > 0) {
    return { words: "Withdraw the approval instead.", next: [step("unapprove", { references })] };
  }
  if (turn.verb === "add" && open.length > 0) {
    return { words: `Drop ${references.join(", ")} instead.`, next: [step("drop", { references }, "reason")] };
  }
  return BY_HAND;
}
