// Tells what was done here since the last time, as operations that other clones understand.

import { isPerson } from "../../model/actor.js";
import type { KnownClone } from "../../model/item/clone.js";
import type { ItemChange } from "../../model/item/item.js";
import { type Seen, type SharedChange, timeAfter } from "../../model/merge/shared-operation.js";
import { RESULT } from "../../model/merge/table.js";
import type { Nr } from "../../model/node/node.js";
import { uuid7 } from "../../model/node/uuid7.js";
import type { Change, NodeChange } from "../../model/operation/change.js";
import type { LoggedOperation } from "../../model/operation/operation.js";
import { ok } from "../../model/result.js";
import type { Reader, Writer } from "../../store/store.js";
import { type CloneItem, type Clones, keepLines, keptLines, NEW_CLONE, noteClone, readClones } from "./clones.js";
import { Outward } from "./outward.js";
import { nextDigest, readShared, type SharedLine, sharedText } from "./wire.js";

/** Operations that change nothing of the plan, or only what comes from other clones. */
export const SHARE = "share";
export const SYNC = "sync";

const EVERYTHING = 1_000_000_000;

interface Done {
  readonly operation: LoggedOperation;
  readonly changes: readonly Change[];
}

/** `name`: of this clone, for people. */
export async function decideShare(writer: Writer, actor: string, name: string) {
  const clones = await readClones(writer);
  const { own } = clones;
  const id = own?.key ?? uuid7(writer.at, Buffer.from(await writer.random(10), "hex"));
  const before: KnownClone = own?.fields ?? { ...NEW_CLONE, state: "own", name };
  const { lines, seq, time, seen } = await untold(writer, id, clones);
  let digest = before.digest;
  for (const line of lines) digest = nextDigest(digest, line);
  const latest = await keepLines(writer, before.latest, lines);
  const isSigned = before.sealed?.seq === seq && before.sealed.seal !== "";
  const isToSign = isPerson(actor) && !isSigned && seq > 0;
  // The store signs it.
  const sealed = isToSign ? { seq, digest, seal: "" } : before.sealed;
  const fields: KnownClone = { ...before, seq, time, seen, digest, latest, sealed };
  const changes: readonly ItemChange[] = lines.length > 0 || isToSign ? noteClone(id, own, fields) : [];
  const sentence = lines.length === 0 ? `signed what ${name} shares` : `shared ${counted(lines.length)}`;
  return ok({ sentence, changes, value: { shared: lines.length } });
}

export const counted = (operations: number): string => `${operations} ${operations === 1 ? "operation" : "operations"}`;

/** Nodes that other clones say they made. */
async function bornElsewhere(reader: Reader, others: readonly CloneItem[]): Promise<ReadonlySet<string>> {
  const born = new Set<string>();
  for (const clone of others) {
    for (const text of await keptLines(reader, clone)) {
      for (const change of readShared(text, clone.key)?.changes ?? []) if (change.was === null) born.add(change.id);
    }
  }
  return born;
}

/** What was done here since the last time. */
export async function untold(reader: Reader, id: string, { own, others }: Clones) {
  const before: KnownClone = own?.fields ?? { ...NEW_CLONE, state: "own", name: "" };
  return newLines(reader, { id, before, born: await bornElsewhere(reader, others) });
}

interface Sharing {
  readonly id: string;
  readonly before: KnownClone;
  readonly born: ReadonlySet<string>;
}

async function newLines(reader: Reader, { id, before, born }: Sharing) {
  const operations = await reader.operations({ after: before.seq, limit: EVERYTHING });
  const done: Done[] = [];
  for (const operation of operations.reverse()) {
    if (operation.verb !== SHARE) done.push({ operation, changes: await reader.changes(operation.op) });
  }
  const outward = new Outward(reader, id);
  const results = await resultsAfter(reader, done);
  const lines: string[] = [];
  let { time, seen } = before;
  let seq = before.seq;
  for (const { operation, changes } of done) {
    const { op, at, actor, verb, sentence } = operation;
    ({ time, seen } = heard(changes, { time, seen }));
    const shared: SharedChange[] = [];
    for (const change of changes) {
      if (verb === SYNC && !isOwnLand(change, born)) continue;
      const told = await outward.change(change, results.get(`${op} ${change.key}`));
      if (told) shared.push(told);
    }
    if (shared.length === 0) continue;
    time = timeAfter(at, time);
    seq = op;
    const statements = await outward.takeStatements();
    const line: SharedLine = { clone: id, seq, time, seen, at, by: actor, verb, sentence, changes: shared };
    lines.push(sharedText(statements.length === 0 ? line : { ...line, statements }));
  }
  return { lines, seq, time, seen };
}

/** What a merge made known. */
function heard(changes: readonly Change[], known: { readonly time: number; readonly seen: Seen }) {
  let { time, seen } = known;
  for (const { entity, key, after } of changes) {
    if (entity !== "clone" || after === null) continue;
    const { seq, time: latest } = after as Partial<KnownClone>;
    if (seq !== undefined) seen = { ...seen, [key]: seq };
    time = Math.max(time, latest ?? 0);
  }
  return { time, seen };
}

/** The store minted it while it merged, and no one has told of it. */
const isOwnLand = ({ entity, before, after }: Change, born: ReadonlySet<string>): boolean =>
  entity === "node" && before === null && after?.kind === "land" && !born.has(String(after.uuid));

type Result = Readonly<Record<string, unknown>>;

/** Outcome, acceptance and report go together, so each operation that changed one of them tells all three. */
async function resultsAfter(reader: Reader, done: readonly Done[]): Promise<ReadonlyMap<string, Result>> {
  const now = new Map<Nr, Result>();
  const results = new Map<string, Result>();
  for (const { operation, changes } of [...done].reverse()) {
    for (const change of changes) {
      if (change.entity !== "node" || !touchesResult(change)) continue;
      const after = now.get(change.key) ?? (await resultNow(reader, change.key));
      if (change.after !== null) results.set(`${operation.op} ${change.key}`, after);
      now.set(change.key, { ...after, ...resultIn(change.before ?? {}) });
    }
  }
  return results;
}

const resultIn = (image: Readonly<Record<string, unknown>>): Result =>
  Object.fromEntries(RESULT.filter((name) => Object.hasOwn(image, name)).map((name) => [name, image[name]]));

const touchesResult = ({ before, after }: NodeChange): boolean =>
  [before, after].some((image) => image !== null && RESULT.some((name) => Object.hasOwn(image, name)));

async function resultNow(reader: Reader, nr: Nr): Promise<Result> {
  const node = await reader.node(nr);
  return { outcome: node?.outcome ?? null, acceptance: node?.acceptance ?? null, report: node?.report ?? null };
}
