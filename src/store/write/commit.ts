// The only way to write: read, decide, check, write. Everything an operation does (its rows, its log entry, the derived
// columns) is one transaction; a refusal or a crash leaves nothing behind.

import { deriveColumns } from "../../model/derive/derive-columns.js";
import { changesOnlyItself } from "../../model/derive/pending-rows.js";
import type { Node, Nr, Tier } from "../../model/node/node.js";
import {
  type Change,
  type FocusChange,
  isItemChange,
  mergeChanges,
  type NodeChange,
} from "../../model/operation/change.js";
import { ok, type Result } from "../../model/result.js";
import type { Database, Row, SqlStatement } from "../database.js";
import { type ChangeParts, type SignedChanges, sealChanges, UNSIGNED } from "../people/seal-changes.js";
import { DatabaseReader } from "../read/reader.js";
import { documentStatement, itemStatement } from "../rows/items.js";
import { CHAIN_END, type ChainEnd, type LogEnd, toChainEnd } from "../rows/log-rows.js";
import { numberOf } from "../rows/values.js";
import { sha256 } from "../sha256.js";
import type { Committed, Decision, Intent, PeopleOptions, Stamped, Writer } from "../store.js";
import { checkPlan, checkRows, checkRowsAlone } from "./check-rows.js";
import { focusToMove, focusToRestore, plansThatCame } from "./follow-ups.js";
import { keepNeededLands, landsToCreate } from "./keep-lands.js";
import { LogEntry } from "./log-entry.js";
import { WritableRows } from "./writable-rows.js";

class DatabaseWriter extends DatabaseReader implements Writer {
  readonly op: number;
  readonly at: number;
  /** Nodes as they were before the operation, so that none is read twice. */
  readonly known = new Map<Nr, Node>();
  readonly allocate = (count: number) => this.take("row", count, 0);
  readonly mint = (tier: Tier, count: number, atLeast = 0) => this.take(tier, count, atLeast);
  readonly number = (prefix: string, count = 1) => this.take(prefix, count, 0);
  readonly random = async (bytes: number) => this.db.random(bytes);
  /** Texts by their hash, which are written with the operation. */
  readonly #kept = new Map<string, string>();

  readonly before: ChainEnd;

  constructor(db: Database, before: LogEnd, now: () => number, people?: PeopleOptions) {
    super(db, people);
    this.before = before;
    this.op = before.op + 1;
    this.at = Math.max(now(), before.at);
  }

  protected override toNode(row: Row): Node {
    const node = super.toNode(row);
    this.known.set(node.nr, node);
    return node;
  }

  override node(nr: Nr): Promise<Node | undefined> {
    const known = this.known.get(nr);
    return known ? Promise.resolve(known) : super.node(nr);
  }

  override async nodes(nrs: readonly Nr[]): Promise<Node[]> {
    const missing = nrs.filter((nr) => !this.known.has(nr));
    if (missing.length > 0) await super.nodes(missing);
    return nrs.flatMap((nr) => this.known.get(nr) ?? []);
  }

  forget(): void {
    this.known.clear();
  }

  protected async take(name: string, count: number, atLeast: number): Promise<number> {
    const row = await this.db.get(TAKE, name, atLeast + count, atLeast, atLeast, count);
    return numberOf(row?.["value"]) - count + 1;
  }

  async keep(text: string): Promise<string> {
    const hash = sha256(text);
    this.#kept.set(hash, text);
    return hash;
  }

  override async document(hash: string): Promise<string | undefined> {
    return this.#kept.get(hash) ?? super.document(hash);
  }

  documents(): SqlStatement[] {
    return [...this.#kept].map(([hash, body]) => documentStatement(hash, body));
  }

  /** Without `sign` nothing is signed: the store's own migrations and tests. */
  async seal(intent: Stamped, { shown }: { shown?: string }, parts: ChangeParts): Promise<Result<SignedChanges>> {
    const { sign } = intent;
    if (!sign) return ok(UNSIGNED);
    const asked = { sign, intent, shown, people: this.people, writer: this, isReplay: isReplay(intent) };
    return sealChanges(asked, parts);
  }
}

/** One round trip where the database is far away. */
const TAKE = `
  insert into counter (name, value) values (?, ?) on conflict (name) do update
  set value = case when counter.value < ? then ? else counter.value end + ? returning value`;

/** Gives out numbers for itself: nothing is written. */
class RehearsingWriter extends DatabaseWriter {
  readonly #taken = new Map<string, number>();

  protected override async take(name: string, count: number, atLeast: number): Promise<number> {
    const found = this.#taken.get(name) ?? (await readCounter(this.db, name));
    const value = Math.max(found, atLeast);
    this.#taken.set(name, value + count);
    return value + 1;
  }
}

export const rehearseOn = <T>(
  db: Database,
  now: () => number,
  look: (writer: Writer) => Promise<T>,
  people?: PeopleOptions,
): Promise<T> => db.read(async () => look(new RehearsingWriter(db, toChainEnd(await db.get(CHAIN_END)), now, people)));

async function readCounter(db: Database, name: string): Promise<number> {
  const found = await db.get("select value from counter where name = ?", name);
  return (found?.["value"] as number | undefined) ?? 0;
}

export function commit<T>(
  db: Database,
  intent: Intent,
  decide: (writer: Writer) => Promise<Result<Decision<T>>>,
  people?: PeopleOptions,
): Promise<Result<Committed<T>>> {
  return db.write(async () => {
    const value = await commitInside(db, intent, decide, people);
    return { keep: value.ok && value.value.op !== null, value };
  });
}

/** Inside one transaction of the caller, who rolls it back after a refusal. */
export async function commitInside<T>(
  db: Database,
  { now, ...asked }: Intent,
  decide: (writer: Writer) => Promise<Result<Decision<T>>>,
  people?: PeopleOptions,
): Promise<Result<Committed<T>>> {
  const writer = new DatabaseWriter(db, toChainEnd(await db.get(CHAIN_END)), now, people);
  const intent: Stamped = { ...asked, at: writer.at };
  const decided = await decide(writer);
  if (!decided.ok) return decided;
  const { value } = decided.value;
  // A database reads a text no further than its first NUL, and then the log would seem to have been changed.
  const sentence = decided.value.sentence.replaceAll("\0", " ");
  const changes = mergeChanges(decided.value.changes);
  const { parts } = decided.value;
  // An undo is recorded even if it changes nothing, for example because the focus has moved since.
  const isRecorded = intent.undoes !== undefined || intent.redoes !== undefined || intent.always === true;
  if (changes.length === 0 && !parts && !isRecorded) return ok({ op: null, sentence, value });
  const counted = { done: 0, total: null as number | null };
  const look = () => (parts ? oneByOne(writer, { parts, last: changes, report: intent.report, counted }) : [changes]);
  const sealed = await writer.seal(intent, decided.value, look);
  if (!sealed.ok) return sealed;
  const total = { done: 0, total: counted.done };
  const all = { changes, parts: parts ? oneByOne(writer, { parts, report: intent.report, counted: total }) : [] };
  const written = await write(db, writer, intent, sentence, all, sealed.value);
  return written.ok ? ok({ op: writer.op, sentence, value }) : written;
}

/** Each part with nothing in memory of the one before. */
async function* oneByOne(writer: DatabaseWriter, { parts, last, report, counted }: Reading) {
  const doing = counted.total === null ? "Reading" : "Writing";
  for await (const part of parts()) {
    yield part;
    writer.forget();
    counted.done += part.length;
    report?.({ doing, ...counted, unit: "change" });
  }
  if (last) yield last;
}

interface Reading extends Pick<Stamped, "report"> {
  readonly parts: () => AsyncIterable<readonly Change[]>;
  readonly last?: readonly Change[];
  readonly counted: { done: number; readonly total: number | null };
}

interface AskedChanges {
  readonly changes: readonly Change[];
  readonly parts: Iterable<readonly Change[]> | AsyncIterable<readonly Change[]>;
}

async function write(
  db: Database,
  writer: DatabaseWriter,
  intent: Stamped,
  sentence: string,
  { changes, parts }: AskedChanges,
  { sealed, further, signer, statement }: SignedChanges,
): Promise<Result<void>> {
  const isReturning = isReplay(intent);
  const entry = new LogEntry(db, writer.before, intent, { sentence, statement });
  /** Of parts that are written already. What an undo or redo changes is said in the log. */
  const came = new Map<Nr, NodeChange>();
  for await (const part of parts) {
    const logged = await writeRows(db, writer, intent, await sealed(part), (rows) => {
      if (!isReturning) for (const change of plansThatCame(rows)) came.set(change.key, change);
      return [];
    });
    if (!logged.ok) return logged;
    await entry.add(logged.value);
  }
  const asked = [...(await sealed(changes)), ...further];
  const decided = isReturning ? await keepNeededLands(db, asked) : asked;
  const logged = await writeRows(
    db,
    writer,
    intent,
    decided,
    (rows) => {
      const planned = isReturning ? [] : plansThatCame(rows);
      return came.size === 0
        ? planned
        : [...new Map([...came, ...planned.map((change) => [change.key, change] as const)]).values()];
    },
    came.size > 0,
  );
  if (!logged.ok) return logged;
  const items = decided.filter((change) => isItemChange(change));
  const itemRows = await Promise.all(items.map((change) => itemStatement(db, change, writer.op, intent.at)));
  await db.batch([...writer.documents(), ...itemRows, ...entry.end([...logged.value, ...items], signer)]);
  return ok(undefined);
}

/** Checks and writes the rows of nodes and focuses. The result is what has to be logged of them. */
async function writeRows(
  db: Database,
  writer: DatabaseWriter,
  intent: Stamped,
  decided: readonly Change[],
  planned: (rows: WritableRows) => readonly NodeChange[],
  hasMore = false,
): Promise<Result<readonly Change[]>> {
  const rows = new WritableRows(db, writer.known);
  for (const change of decided) if (change.entity === "node") await rows.take(change, intent.at);
  // Claiming a task and handing it in changes nothing around it: that saves half of the time of both.
  const isAlone = !hasMore && rows.changed.every(changesOnlyItself);
  const rowsOk = isAlone ? checkRowsAlone(rows, intent) : await checkRows(rows, intent);
  if (!rowsOk.ok) return rowsOk;
  const lands = isAlone ? [] : await landsToCreate(rows, writer, intent);
  for (const change of lands) rows.create(change, intent.at);
  const came = isAlone ? [] : planned(rows);
  for (const change of came) await rows.loadAroundRow(await rows.apply(change, intent.at));
  if (!isAlone) await deriveColumns(rows, sha256);
  const focused: FocusChange[] = [];
  for (const change of decided) {
    if (change.entity !== "focus") continue;
    if (isReplay(intent)) focused.push(...(await focusToRestore(rows, change)));
    else focused.push(change);
  }
  const moved = isAlone ? [] : await focusToMove(rows, new Set(focused.map((change) => change.key)));
  await rows.flush([...focused, ...moved].map(focusStatement), intent.report);
  const planOk = isAlone ? ok(undefined) : await checkPlan(rows);
  if (!planOk.ok) return planOk;
  const own = decided.filter((change) => change.entity === "node");
  const nodes = came.length === 0 ? own : mergeChanges([...own, ...came]);
  return ok([...nodes, ...lands, ...focused, ...moved]);
}

const isReplay = ({ undoes, redoes }: Stamped): boolean => undoes !== undefined || redoes !== undefined;

const FOCUS = "insert into focus (actor, node) values (?, ?) on conflict (actor) do update set node = excluded.node";

const focusStatement = ({ key, after }: FocusChange): SqlStatement =>
  after === null
    ? { sql: "delete from focus where actor = ?", params: [key] }
    : { sql: FOCUS, params: [key, after.node] };
