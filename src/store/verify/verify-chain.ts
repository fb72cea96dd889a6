// Follows the chain of the log from its first operation to its last, and checks the signatures on the way.

import { type Person, personText } from "../../model/item/person.js";
import { type Approval, approvalText } from "../../model/node/node.js";
import type { Database, Row } from "../database.js";
import { CHAINED_FROM } from "../migrations/migrate.js";
import { readLog } from "../read/log-query.js";
import { type ChainEnd, NO_OPERATION } from "../rows/log-rows.js";
import { numberOf, textOf, textOrNull } from "../rows/values.js";
import { idOfKey, idOfSignature, isSignedBy, operationText } from "../signer.js";
import type { CheckSignature, LogVerification, VerifyOptions } from "../store.js";
import type { Differences } from "./replay.js";

export async function verifyChain(
  db: Database,
  differences: Differences,
  { checkSignature = () => "unknown-key", expect: expected = null, first = () => undefined }: VerifyOptions,
): Promise<LogVerification> {
  const chainedFrom = await readChainedFrom(db);
  const signatures = new Signatures(chainedFrom, checkSignature);
  let changes = 0;
  let end: ChainEnd = NO_OPERATION;
  let broken: LogVerification["broken"] = null;
  const breakAt = (op: number, problem: string, stored: unknown, replayed: unknown): void => {
    differences.compare(`operation ${op}`, "link", stored, replayed);
    broken ??= { op, problem };
  };
  for await (const { operation, hash } of readLog(db)) {
    const [op, link] = [operation["op"] as number, operation["link"] as string];
    const logged = new SignableFacts(signatures.lands);
    const computed = await hash(end, (change) => {
      changes++;
      logged.look(change);
    });
    if (broken === null && op !== end.op + 1) breakAt(end.op + 1, "it is missing", null, "in the log");
    else if (broken === null && link !== computed) breakAt(op, "it was changed after it was written", link, computed);
    const isKnown = signatures.check(operation, logged);
    if (broken === null && !isKnown)
      breakAt(op, "it changes whom the plan knows, and nobody whom it knew signed it", null, null);
    end = { op, link, signature: operation["signature"] as string | null };
    if (broken === null && expected?.op === op && expected.link !== link)
      breakAt(op, `the log was rewritten: ${expected.source} knows another one`, link, expected.link);
  }
  if (broken === null && expected && expected.op > end.op)
    breakAt(end.op + 1, `it is missing: ${expected.source} knows operation ${expected.op}`, null, expected.link);
  if (broken === null && (await countChanges(db)) !== changes)
    breakAt(end.op + 1, "changes without their operation are in the log", "changes", null);
  if (broken === null && ![undefined, signatures.first].includes(first()))
    breakAt(1, "somebody else started the plan than this machine knows", signatures.first, first());
  const summary = await signatures.summary(db);
  return { head: { op: end.op, link: end.link }, broken, chainedFrom, ...summary };
}

async function readChainedFrom(db: Database): Promise<number> {
  const row = await db.get("select value from meta where name = ?", CHAINED_FROM);
  return (row?.["value"] as number | undefined) ?? 1;
}

const countChanges = async (db: Database): Promise<number> =>
  numberOf((await db.get("select count(*) as changes from change"))?.["changes"]);

/** What an operation did that a person has to sign. Land tasks get the approval of their feature from the store. */
class SignableFacts {
  readonly #lands: Set<string>;
  readonly approvals: Pick<LoggedApproval, "key" | "approval">[] = [];
  readonly people: Row[] = [];

  constructor(lands: Set<string>) {
    this.#lands = lands;
  }

  look(change: Row): void {
    const { entity, key, before, after } = change;
    if (entity === "person") this.people.push(change);
    if (entity !== "node" || typeof after !== "string") return;
    if (before === null && after.includes('"kind":"land"')) this.#lands.add(key as string);
    if (!after.includes('"approval":{') || this.#lands.has(key as string)) return;
    const { approval } = JSON.parse(after) as { readonly approval: Approval };
    // One that binds nothing needs no signature.
    if (approval.hash !== "") this.approvals.push({ key: key as string, approval });
  }
}

class Signatures {
  readonly lands = new Set<string>();
  readonly #people = new PeopleThen();
  readonly #chainedFrom: number;
  readonly #checkOld: CheckSignature;
  #signed = 0;
  #unsignedEarlier = 0;
  readonly #unsigned: number[] = [];
  readonly #wrong: number[] = [];
  readonly #unknown: number[] = [];
  /** From before the plan knew people: what they approved was confirmed since, or waits for a person. */
  readonly #unknownEarlier: number[] = [];
  /** In operations that nobody signed: they may have been signed before, and be back after an undo. */
  readonly #brought: LoggedApproval[] = [];

  constructor(chainedFrom: number, checkOld: CheckSignature) {
    this.#chainedFrom = chainedFrom;
    this.#checkOld = checkOld;
  }

  get first(): string | undefined {
    return this.#people.first;
  }

  /** False if it changes whom the plan knows, and may not. */
  check(operation: Row, { approvals, people }: SignableFacts): boolean {
    const [op, link] = [operation["op"] as number, operation["link"] as string];
    const signature = operation["signature"] as string | null;
    const isFirst = this.#people.isEmpty;
    // The first person signs for themselves, and then for the operation that they came with.
    const isBegun = !isFirst || people.every((change) => this.#people.follow(change, false));
    const judged = signature === null ? null : this.#judge(link, signature);
    const isChanged = isFirst || people.every((change) => this.#people.follow(change, judged === "valid"));
    if (judged === "valid") this.#signed++;
    else if (judged === "wrong") this.#wrong.push(op);
    else if (judged === "unknown-key") (this.#people.isEmpty ? this.#unknownEarlier : this.#unknown).push(op);
    else if (approvals.length > 0) this.#noteUnsigned(op, approvals);
    return isBegun && isChanged;
  }

  /** Before there were people, only who had the secret could check a signature. */
  #judge(link: string, signature: string): ReturnType<CheckSignature> {
    return this.#people.isEmpty ? this.#checkOld(link, signature) : this.#people.judge(link, signature);
  }

  #noteUnsigned(op: number, approvals: SignableFacts["approvals"]): void {
    if (!this.#people.isEmpty) this.#brought.push(...approvals.map((each) => ({ op, ...each })));
    else if (op < this.#chainedFrom) this.#unsignedEarlier++;
    else this.#unsigned.push(op);
  }

  async summary(db: Database): Promise<Pick<LogVerification, "signatures" | "hasPeople">> {
    const unsealed = new Set<number>();
    for (const each of this.#brought) if (!(await this.#people.hasSealed(db, each))) unsealed.add(each.op);
    const hasPeople = !this.#people.isEmpty;
    return {
      hasPeople,
      signatures: {
        valid: this.#signed,
        wrong: this.#wrong,
        unknownKey: hasPeople ? this.#unknown : this.#unknownEarlier,
        unsigned: hasPeople ? [...unsealed] : this.#unsigned,
        unsignedEarlier: this.#unsignedEarlier + (hasPeople ? this.#unsigned.length : 0),
      },
    };
  }
}

interface LoggedApproval {
  readonly op: number;
  readonly key: string;
  readonly approval: Approval;
}

class PeopleThen {
  /** Their keys, by id. */
  readonly #known = new Map<string, string>();
  /** Also those who were removed since. */
  readonly #ever = new Map<string, string>();

  /** Who started the plan. */
  get first(): string | undefined {
    return this.#ever.keys().next().value;
  }

  /** The plan knows nobody yet. */
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
