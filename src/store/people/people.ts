// Whom the plan knows. A row alone proves nothing, because every program of the user can write to the file: each person was signed
// for by one who was known before, back to the first.

import { isPerson } from "../../model/actor.js";
import type { Person } from "../../model/item/person.js";
import { type Approval, approvalText, type Node, type Nr } from "../../model/node/node.js";
import type { Database, Value } from "../database.js";
import { listItems, readDocument, readItem } from "../rows/items.js";
import { numberOf, textOf, textOrNull } from "../rows/values.js";
import { idOfSignature, isSignedBy } from "../signer.js";
import type { ApprovalDoubt, KnownPeople, PeopleOptions } from "../store.js";
import { followPeople, type PeopleHistory, readPeopleChanges, signedImages } from "./history.js";
import {
  belongsTo,
  covers,
  isVouched,
  readSeal,
  readStatement,
  readTravellingSeal,
  type SignedStatement,
  statedOperation,
} from "./statement.js";

const APPROVALS = `
  select op, after from change where key = ? and entity = 'node' and after like '%"approval":%' order by op desc limit 10`;

const FIELDS = ["by", "at", "hash", "seal"] as const;

type Images = ReadonlyMap<string, Value | undefined>;

interface Followed {
  /** What the log said about people. */
  readonly text: string;
  readonly history: PeopleHistory;
  /** By operation, the rows that people brought back. */
  readonly undone: Map<number, Images>;
}

export class People implements KnownPeople {
  readonly #db: Database;
  readonly #known: () => string | undefined;
  readonly #knownPlan: () => string | undefined;
  readonly #isChecking: boolean;
  /** The last one. One operation often approves all tasks of a feature, so the next task has the same statement. */
  #read: { readonly signed: string; readonly key: string; readonly statement: SignedStatement | undefined } | undefined;

  /** What the log said about people, and what followed from it. */
  #last: Followed | undefined;

  constructor(db: Database, options?: PeopleOptions) {
    this.#db = db;
    this.#known = options?.first ?? (() => undefined);
    this.#knownPlan = options?.plan ?? (() => undefined);
    this.#isChecking = options !== undefined;
  }

  /** As the log says, and not the row alone. */
  async find(id: string): Promise<Person | undefined> {
    const found = await this.enrolled(id);
    return found && isPerson(found.name) ? found : undefined;
  }

  async enrolled(id: string): Promise<Person | undefined> {
    const row = await readItem(this.#db, "person", id);
    if (row?.fields.state !== "known") return undefined;
    const { history } = await this.#followed();
    const plan = this.#knownPlan();
    const isNoted = history.isBegunBy(this.#known()) && (plan === undefined || plan === history.plan);
    return isNoted ? history.enrolled(id) : undefined;
  }

  /** Follows them again only where something changed: each signature takes 0.1 ms. */
  async #followed(): Promise<Followed> {
    const changes = await readPeopleChanges(this.#db);
    const text = JSON.stringify(changes);
    if (this.#last?.text !== text)
      this.#last = { text, history: await followPeople(this.#db, changes), undone: new Map() };
    return this.#last;
  }

  /** Where something was signed, or the log knows somebody, the people were taken out of the file. */
  async isEmpty(): Promise<boolean> {
    if ((await listItems(this.#db, "person", { limit: 1 })).length > 0) return false;
    if ((await this.#db.get("select 1 from operation limit 1")) === undefined) return true;
    const signed = await this.#db.get("select 1 from operation where signature is not null limit 1");
    if (signed !== undefined) return false;
    // Reads the whole log, so only where this machine has noted somebody.
    const isNoted = this.#known() !== undefined;
    return !isNoted || (await this.#db.get("select 1 from change where entity = 'person' limit 1")) === undefined;
  }

  /** Land tasks have the approval of their feature from the store. */
  async doubt(node: Node): Promise<ApprovalDoubt | null> {
    const { kind, approval } = node;
    if (!this.#isChecking || approval === null || kind === "land") return null;
    const person = await this.find(idOfSignature(approval.seal ?? ""));
    if (person === undefined) return "unknown";
    const holds = (await this.#isSealed(node.uuid, approval, person.key)) && (await this.#isLatest(node.nr, approval));
    return holds ? null : "false";
  }

  /**
   * An approval that was taken back is still signed, so the log says which one was the last. If that is not the operation which it was
   * made in, it was brought back: by an undo, which a person signs.
   */
  async #isLatest(nr: Nr, approval: Approval): Promise<boolean> {
    for (const { op, after } of await this.#db.all(APPROVALS, String(nr))) {
      const { approval: last } = JSON.parse(textOf(after)) as { readonly approval?: Approval | null };
      if (last === undefined) continue;
      if (last === null || !FIELDS.every((field) => last[field] === approval[field])) return false;
      const made = readSeal(approval.seal ?? "");
      if (made === undefined || made.op === numberOf(op)) return true;
      return (await this.#undone(numberOf(op)))?.get(`node ${nr}`) === after;
    }
    return false;
  }

  /** What an undo that a person signed brought back. One often brings back many, so it is read once. */
  async #undone(op: number): Promise<Images | undefined> {
    const { undone, history } = await this.#followed();
    const known = undone.get(op) ?? (await signedImages(this.#db, history, op));
    if (known !== undefined) undone.set(op, known);
    return known;
  }

  async #isSealed(uuid: string, approval: Approval, key: string): Promise<boolean> {
    const { seal = "" } = approval;
    const travelled = readTravellingSeal(seal);
    if (travelled !== undefined)
      return isVouched(uuid, approval, key, await readDocument(this.#db, travelled.statement));
    const place = readSeal(seal);
    if (place === undefined) return isSignedBy(key, approvalText(uuid, approval), seal);
    const row = await this.#db.get("select op, verb, actor, at, statement from operation where op = ?", place.op);
    const signed = textOrNull(row?.["statement"] ?? null);
    if (row === undefined || signed === null) return false;
    if (this.#read?.signed !== signed || this.#read.key !== key)
      this.#read = { signed, key, statement: readStatement(signed, key) };
    const { statement } = this.#read;
    if (statement === undefined || !covers(statement, uuid, approval, place.path)) return false;
    return belongsTo(statement, await this.#planAt(place.op), statedOperation(row));
  }

  /** What a person signed in an operation, for whoever has their key. */
  async statement(op: number): Promise<string | undefined> {
    const row = await this.#db.get("select statement from operation where op = ?", op);
    return textOrNull(row?.["statement"] ?? null) ?? undefined;
  }

  /** What statements of this operation call the plan. */
  async #planAt(op: number): Promise<string> {
    const first = op === 1 ? undefined : await this.#db.get("select link from operation where op = 1");
    return first === undefined ? "" : textOf(first["link"]);
  }
}
