// The one door: read, decide, check, write. Everything an operation does (its rows, its log entry, the
// derived columns) is one transaction; a refusal or a crash leaves nothing behind.

import type { Node, Nr, Tier } from "../graph/node/node.js";
import { type Change, type FocusChange, isItemChange, mergeChanges } from "../graph/operation/change.js";
import { ok, type Result } from "../graph/result.js";
import type { Database, Row } from "./database.js";
import { guardAlone, guardPlan, guardRows } from "./guard.js";
import { keepDocument, writeItem } from "./items.js";
import { movedFocus, openFocus } from "./keep-focus.js";
import { missingLands } from "./keep-lands.js";
import { keepNeededLands } from "./keep-needed-lands.js";
import { changeNr } from "./log-rows.js";
import { DatabaseReader } from "./reader.js";
import { settle } from "./settle.js";
import { type Draft, isOwnAffair, Sheet } from "./sheet.js";
import type { Committed, Decision, Intent, Writer } from "./store.js";
import { insertRow } from "./write-row.js";

class DatabaseWriter extends DatabaseReader implements Writer {
  readonly op: number;
  /** Nodes as they were before the operation: none is read twice. */
  readonly known = new Map<Nr, Node>();
  /** Names that were read with something else. */
  readonly #names = new Map<Nr, string>();

  constructor(db: Database, op: number) {
    super(db);
    this.op = op;
  }

  protected override toNode(row: Row): Node {
    const node = super.toNode(row);
    this.known.set(node.nr, node);
    if (row["parent_id"]) this.#names.set(node.parent as Nr, row["parent_id"] as string);
    return node;
  }

  override node(nr: Nr): Promise<Node | undefined> {
    const known = this.known.get(nr);
    return known ? Promise.resolve(known) : super.node(nr);
  }

  override idOf(nr: Nr): Promise<string | undefined> {
    const known = this.known.get(nr)?.id ?? this.#names.get(nr);
    return known === undefined ? super.idOf(nr) : Promise.resolve(known);
  }

  async #take(name: string, count: number, atLeast: number): Promise<number> {
    const found = await this.db.get("select value from counter where name = ?", name);
    const value = Math.max((found?.["value"] as number | undefined) ?? 0, atLeast);
    await this.db.run(
      "insert into counter (name, value) values (?, ?) on conflict (name) do update set value = excluded.value",
      name,
      value + count,
    );
    return value + 1;
  }

  allocate(count: number): Promise<Nr> {
    return this.#take("row", count, 0);
  }

  mint(tier: Tier, count: number, atLeast = 0): Promise<number> {
    return this.#take(tier, count, atLeast);
  }

  number(prefix: string, count = 1): Promise<number> {
    return this.#take(prefix, count, 0);
  }

  async keep(text: string): Promise<string> {
    return keepDocument(this.db, text);
  }

  async random(bytes: number): Promise<string> {
    return this.db.random(bytes);
  }
}

export function commit<T>(
  db: Database,
  intent: Intent,
  decide: (writer: Writer) => Promise<Result<Decision<T>>>,
): Promise<Result<Committed<T>>> {
  return db.write<Result<Committed<T>>>(async () => {
    const last = await db.get("select max(op) as op from operation");
    const writer = new DatabaseWriter(db, ((last?.["op"] as number | null) ?? 0) + 1);
    const decided = await decide(writer);
    if (!decided.ok) return { keep: false, value: decided };
    const { sentence, value } = decided.value;
    const changes = mergeChanges(decided.value.changes);
    // An undo counts even if all that was left to take back is a focus that has moved on.
    const turns = intent.undoes !== undefined || intent.redoes !== undefined;
    if (changes.length === 0 && !turns) return { keep: false, value: ok({ op: null, sentence, value }) };
    const written = await write(db, writer, intent, sentence, changes);
    if (!written.ok) return { keep: false, value: written };
    return { keep: true, value: ok({ op: writer.op, sentence, value }) };
  });
}

async function write(
  db: Database,
  writer: DatabaseWriter,
  intent: Intent,
  sentence: string,
  asked: readonly Change[],
): Promise<Result<void>> {
  const isReplay = intent.undoes !== undefined || intent.redoes !== undefined;
  const decided = isReplay ? await keepNeededLands(db, asked) : asked;
  const sheet = new Sheet(db, writer.known);
  const changed: Draft[] = [];
  for (const change of decided) {
    if (change.entity !== "node") continue;
    changed.push(change.before === null ? sheet.create(change, intent.at) : await sheet.apply(change, intent.at));
  }
  // Taking a task up and handing it in changes nothing around it, and every worker does both for every task.
  const isAlone = changed.every(isOwnAffair);
  const fitting = isAlone ? guardAlone(changed, intent) : await guardRows(sheet, changed, intent);
  if (!fitting.ok) return fitting;
  const lands = isAlone ? [] : await missingLands(sheet, changed, writer, intent);
  for (const change of lands) changed.push(sheet.create(change, intent.at));

  if (!isAlone) await settle(sheet, changed);
  const focused: FocusChange[] = [];
  for (const change of decided) {
    if (change.entity !== "focus") continue;
    // A verb may put any node in focus; only what goes back in time has to look at what is still open.
    if (isReplay) focused.push(...(await openFocus(sheet, change)));
    else focused.push(change);
  }
  const moved = isAlone ? [] : await movedFocus(sheet, new Set(focused.map((change) => change.key)));
  for (const change of [...focused, ...moved]) await writeFocus(db, change.key, change.after);
  await sheet.flush();
  const sound = isAlone ? ok(undefined) : await guardPlan(sheet, changed);
  if (!sound.ok) return sound;
  const items = decided.filter((change) => isItemChange(change));
  for (const change of items) await writeItem(db, change, writer.op, intent.at);
  const nodes = decided.filter((change) => change.entity === "node");
  await writeLog(db, writer.op, intent, sentence, [...nodes, ...lands, ...focused, ...moved, ...items]);
  return ok(undefined);
}

const FOCUS = "insert into focus (actor, node) values (?, ?) on conflict (actor) do update set node = excluded.node";

const writeFocus = (db: Database, actor: string, after: { node: Nr } | null): void | Promise<void> =>
  after === null ? db.run("delete from focus where actor = ?", actor) : db.run(FOCUS, actor, after.node);

async function writeLog(
  db: Database,
  op: number,
  intent: Intent,
  sentence: string,
  changes: readonly Change[],
): Promise<void> {
  await insertRow(db, "operation", {
    op,
    at: intent.at,
    actor: intent.actor,
    verb: intent.verb,
    sentence,
    git_commit: intent.commit,
    undoes: intent.undoes ?? null,
    redoes: intent.redoes ?? null,
  });
  for (const [seq, change] of changes.entries()) {
    const { entity, key, before, after } = change;
    const nr = changeNr(op, seq);
    await insertRow(db, "change", { nr, op, entity, key: String(key), before: toImage(before), after: toImage(after) });
  }
}

const toImage = (image: object | null): string | null => (image === null ? null : JSON.stringify(image));
