// Whom the plan knows. A row alone proves nothing, because every program of the user can write to the file: each person was signed
// for by one who was known before, back to the first.

import { type Person, personText } from "../../model/item/person.js";
import { approvalText, type Node } from "../../model/node/node.js";
import type { Database } from "../database.js";
import { listItems, readItem } from "../rows/items.js";
import { idOfKey, idOfSignature, isSignedBy } from "../signer.js";
import type { ApprovalDoubt, KnownPeople, PeopleOptions } from "../store.js";

/** More than anybody adds one after the other. */
const CHAIN_LIMIT = 50;

export class People implements KnownPeople {
  readonly #db: Database;
  readonly #known: () => string | undefined;
  readonly #isChecking: boolean;

  constructor(db: Database, options?: PeopleOptions) {
    this.#db = db;
    this.#known = options?.first ?? (() => undefined);
    this.#isChecking = options !== undefined;
  }

  async find(id: string): Promise<Person | undefined> {
    const person = await this.#row(id);
    return person?.state === "known" && (await this.#isVouchedFor(person, id)) ? person : undefined;
  }

  async #row(id: string): Promise<Person | undefined> {
    return (await readItem(this.#db, "person", id))?.fields;
  }

  /** Who was removed later had added others while they were known. */
  async #isVouchedFor(person: Person, id: string): Promise<boolean> {
    let [at, name]: [Person, string] = [person, id];
    for (let steps = 0; steps < CHAIN_LIMIT; steps++) {
      if (idOfKey(at.key) !== name) return false;
      const by = at.addedBy === null ? at : await this.#row(at.addedBy);
      if (!by || !isSignedBy(by.key, personText(at), at.seal)) return false;
      if (at.addedBy === null) return (await this.first()) === name;
      [at, name] = [by, at.addedBy];
    }
    return false;
  }

  /** Undefined if there is none, if something wrote a second one into the file, or if this machine knows another one. */
  async first(): Promise<string | undefined> {
    const firsts = await listItems(this.#db, "person", { owner: "" });
    const known = this.#known();
    if (known !== undefined) return firsts.some(({ key }) => key === known) ? known : undefined;
    return firsts.length === 1 ? firsts[0]?.key : undefined;
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
  async doubt({ uuid, kind, approval }: Node): Promise<ApprovalDoubt | null> {
    if (!this.#isChecking || approval === null || kind === "land") return null;
    const { seal = "" } = approval;
    const person = await this.find(idOfSignature(seal));
    if (person === undefined) return "unknown";
    return isSignedBy(person.key, approvalText(uuid, approval), seal) ? null : "false";
  }
}
