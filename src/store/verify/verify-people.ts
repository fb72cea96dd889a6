// Follows through the log whom the plan knew at each operation, and checks with their keys what was signed.

import { type Person, personText } from "../../model/item/person.js";
import { type Approval, approvalText } from "../../model/node/node.js";
import type { Database, Row } from "../database.js";
import { idOfKey, idOfSignature, isSignedBy, operationText } from "../people/signer.js";
import { textOf, textOrNull } from "../rows/values.js";

export interface LoggedApproval {
  readonly op: number;
  readonly key: string;
  readonly approval: Approval;
}

export class PeopleThen {
  /** Their keys, by id. */
  readonly #known = new Map<string, string>();
  /** Also those who were removed since. */
  readonly #ever = new Map<string, string>();

  /** Who started the plan. */
  get first(): string | undefined {
    return this.#ever.keys().next().value;
  }

  /** Before the first. */
  get isEmpty(): boolean {
    return this.#ever.size === 0;
  }

  /** `unknown`: by nobody who was known then. */
  judge(link: string, signature: string): "valid" | "wrong" | "unknown-key" {
    const key = this.#known.get(idOfSignature(signature));
    if (!key) return "unknown-key";
    return isSignedBy(key, operationText(link), signature) ? "valid" : "wrong";
  }

  /** Whether the change was one that the plan had to accept. `isSigned`: somebody who was known signed the operation. */
  follow({ key, before, after }: Row, isSigned: boolean): boolean {
    const id = textOf(key);
    if (!isSigned && (!this.isEmpty || before !== null)) return false;
    const text = textOrNull(after);
    const person = text === null ? null : (JSON.parse(text) as Partial<Person>);
    if (before === null) return this.#add(id, person as Person);
    const own = this.#ever.get(id);
    if (person?.state === "known" && own !== undefined) this.#known.set(id, own);
    else this.#known.delete(id);
    return true;
  }

  #add(id: string, person: Person): boolean {
    const by = person.addedBy === null ? this.isEmpty && person.key : this.#known.get(person.addedBy);
    if (!by || idOfKey(person.key) !== id || !isSignedBy(by, personText(person), person.seal)) return false;
    this.#known.set(id, person.key);
    this.#ever.set(id, person.key);
    return true;
  }

  /** Whether somebody who was known signed the approval itself. */
  async hasSealed(db: Database, { key, approval }: LoggedApproval): Promise<boolean> {
    const { seal = "" } = approval;
    const by = this.#ever.get(idOfSignature(seal));
    const node = by ? await db.get("select uuid from node where nr = ?", Number(key)) : undefined;
    return by !== undefined && node !== undefined && isSignedBy(by, approvalText(textOf(node["uuid"]), approval), seal);
  }
}
