// Whom the plan knew at each moment, followed through its log: each person was signed for by one who was known before, back to the first.

import { isPerson } from "../../model/actor.js";
import { type Person, personStateText, personText } from "../../model/item/person.js";
import { type Approval, approvalText } from "../../model/node/node.js";
import type { Database, Row, Value } from "../database.js";
import { readDocument } from "../rows/items.js";
import { changeNr, LinkHash, toChainEnd } from "../rows/log-rows.js";
import { numberOf, textOf, textOrNull } from "../rows/values.js";
import { idOfKey, idOfSignature, isSignedBy, operationText } from "../signer.js";
import { isVouched, readTravellingSeal } from "./statement.js";

export interface LoggedApproval {
  readonly op: number;
  readonly key: string;
  readonly approval: Approval;
}

export class PeopleHistory {
  /** The link of the plan's first operation, which signatures name. */
  plan = "";
  /** The first person signed for this plan, so every later signature has to, too. */
  #isBound = false;
  readonly #known = new Map<string, Person>();
  /** Also those who were removed since. */
  readonly #ever = new Map<string, Person>();

  /** The key of who started the plan. */
  get first(): string | undefined {
    const [first] = this.#ever.values();
    return first?.key;
  }

  /** `noted`: the key that a machine has noted; older programs noted only its id, which anybody can put into a key of their own. */
  isBegunBy(noted: string | undefined): boolean {
    return noted === undefined || noted === this.first || noted === idOfKey(this.first ?? "");
  }

  /** The plan knows no person yet. */
  get isEmpty(): boolean {
    return this.#ever.size === 0;
  }

  /** Also machines, which never approve and add no one. */
  enrolled(id: string): Person | undefined {
    return this.#known.get(id);
  }

  find(id: string): Person | undefined {
    const found = this.enrolled(id);
    return found && isPerson(found.name) ? found : undefined;
  }

  /** `unknown`: the plan did not know the signer then. */
  judge(link: string, signature: string): "valid" | "wrong" | "unknown-key" {
    const by = this.find(idOfSignature(signature));
    if (!by) return "unknown-key";
    return isSignedBy(by.key, operationText(link), signature) ? "valid" : "wrong";
  }

  /** Whether the change was one that the plan had to accept; else it is ignored. `isSigned`: a person whom the plan knew signed the operation. */
  follow({ key, op, before, after }: Row, isSigned: boolean): boolean {
    const id = textOf(key);
    if (!isSigned && (!this.isEmpty || before !== null)) return false;
    const person = toPerson(after);
    if (before === null) return this.#add(id, person as Person);
    const own = this.#ever.get(id);
    if (own === undefined || !this.#isOfNow(id, numberOf(op), person)) return false;
    if (person.state === "known") this.#known.set(id, own);
    else this.#known.delete(id);
    return true;
  }

  #add(id: string, person: Person): boolean {
    if (this.#ever.has(id) || idOfKey(person.key) !== id) return false;
    const isFirst = person.addedBy === null;
    const by = person.addedBy === null ? this.isEmpty && person.key : this.find(person.addedBy)?.key;
    if (!by) return false;
    const isBound = isSignedBy(by, personText(person, isFirst ? "" : this.plan), person.seal);
    if (!isBound && (this.#isBound || !isSignedBy(by, personText(person, null), person.seal))) return false;
    if (isFirst) this.#isBound = isBound;
    this.#known.set(id, person);
    this.#ever.set(id, person);
    return true;
  }

  /** Up to schema 9 only the operation was signed. */
  #isOfNow(id: string, op: number, { state, lastChange }: Partial<Person>): boolean {
    if (lastChange === undefined) return !this.#isBound;
    const by = this.find(lastChange.by);
    if (!by || !state || lastChange.op !== op) return false;
    return isSignedBy(by.key, personStateText(id, state, op, this.plan), lastChange.seal);
  }

  /** Whether a person whom the plan knew signed an approval in another clone. Of a node that is gone it does not matter. */
  async hasVouched(db: Database, { key, approval }: LoggedApproval): Promise<boolean> {
    const node = await db.get("select uuid from node where nr = ?", Number(key));
    if (node === undefined) return true;
    const { seal = "" } = approval;
    const by = this.#ever.get(idOfSignature(seal))?.key;
    const signed = await readDocument(db, readTravellingSeal(seal)?.statement ?? "");
    return by !== undefined && isVouched(textOf(node["uuid"]), approval, by, signed);
  }

  /** Whether a person whom the plan knew signed the approval itself, as up to schema 9. */
  async hasSealed(db: Database, { key, approval }: LoggedApproval): Promise<boolean> {
    const { seal = "" } = approval;
    const by = this.#ever.get(idOfSignature(seal))?.key;
    const node = by ? await db.get("select uuid from node where nr = ?", Number(key)) : undefined;
    return by !== undefined && node !== undefined && isSignedBy(by, approvalText(textOf(node["uuid"]), approval), seal);
  }
}

const toPerson = (image: Value | undefined): Partial<Person> =>
  JSON.parse(textOrNull(image) ?? "{}") as Partial<Person>;

const CHANGES = `
  select change.nr, change.op, change.key, change.before, change.after from item
  join change on change.key = item.key and change.entity = item.entity where item.entity = 'person' order by change.nr`;

/** What the log says about everybody in the file: their rows are worth nothing without it. */
export const readPeopleChanges = async (db: Database): Promise<Row[]> => db.all(CHANGES);

/** Asks for the signatures of the changes themselves, without reading the log between them. */
export async function followPeople(db: Database, changes: readonly Row[]): Promise<PeopleHistory> {
  const history = new PeopleHistory();
  history.plan = textOf((await db.get("select link from operation where op = 1"))?.["link"] ?? "");
  for (const change of changes) {
    const { before, after, op } = change;
    const isSignedItself = before === null || toPerson(after).lastChange !== undefined;
    history.follow(change, isSignedItself || (await signedImages(db, history, numberOf(op))) !== undefined);
  }
  return history;
}

/** What an operation made of each row, if a person who is known signed exactly that. */
export async function signedImages(
  db: Database,
  history: PeopleHistory,
  op: number,
): Promise<ReadonlyMap<string, Value | undefined> | undefined> {
  const end = toChainEnd(await db.get("select op, link, signature, at from operation where op = ?", op - 1));
  const operation = await db.get("select * from operation where op = ?", op);
  if (typeof operation?.["signature"] !== "string") return undefined;
  const hash = new LinkHash(end, operation);
  const images = new Map<string, Value | undefined>();
  const sql = "select * from change where nr >= ? and nr < ? order by nr";
  for (const { entity, key, before, after } of await db.all(sql, changeNr(op, 0), changeNr(op + 1, 0))) {
    hash.add(textOf(entity), textOf(key), before, after);
    images.set(`${textOf(entity)} ${textOf(key)}`, after);
  }
  return history.judge(hash.end(), operation["signature"]) === "valid" ? images : undefined;
}
