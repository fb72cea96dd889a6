// Follows the chain of the log from its first operation to its last, and checks the signatures on the way.

import type { Approval } from "../../model/node/node.js";
import type { Database, Row } from "../database.js";
import { type LoggedApproval, PeopleHistory } from "../people/history.js";
import { belongsTo, readSeal, readStatement, readTravellingSeal, statedOperation } from "../people/statement.js";
import { readLog } from "../read/log-query.js";
import { type ChainEnd, NO_OPERATION, readChainedFrom } from "../rows/log-rows.js";
import { numberOf, textOf, textOrNull } from "../rows/values.js";
import { idOfSignature } from "../signer.js";
import type { CheckSignature, LogVerification, VerifyOptions } from "../verification.js";
import type { Differences } from "./replay.js";
import { Witnesses } from "./witnesses.js";

export async function verifyChain(
  db: Database,
  differences: Differences,
  { checkSignature = () => "unknown-key", witnesses: known = [], first = () => undefined, report }: VerifyOptions,
): Promise<LogVerification> {
  const chainedFrom = await readChainedFrom(db);
  const signatures = new Signatures(chainedFrom, checkSignature);
  const witnesses = new Witnesses(known, chainedFrom);
  const total = await countChanges(db);
  let changes = 0;
  let end: ChainEnd = NO_OPERATION;
  let broken: LogVerification["broken"] = null;
  const breakAt = (op: number, problem: string, stored: unknown, replayed: unknown, field = "link"): void => {
    differences.compare(`operation ${op}`, field, stored, replayed);
    broken ??= { op, problem };
  };
  for await (const { operation, hash } of readLog(db)) {
    const [op, link] = [operation["op"] as number, operation["link"] as string];
    const logged = new SignableFacts(signatures.lands);
    const computed = await hash(end, (change) => {
      if (++changes % TOLD_AFTER === 0)
        report?.({ doing: "Following the chain", done: changes, total, unit: "change" });
      logged.look(change);
    });
    if (broken === null && op !== end.op + 1) breakAt(end.op + 1, "it is missing", null, "in the log");
    else if (broken === null && link !== computed) breakAt(op, "it was changed after it was written", link, computed);
    const isKnown = signatures.check(operation, logged);
    if (broken === null && !isKnown)
      breakAt(op, "it changes whom the plan knows, and nobody whom it knew signed it", null, null);
    end = { op, link, signature: operation["signature"] as string | null };
    witnesses.see(operation, () => signatures.trusts(operation), logged.people.length > 0);
  }
  const outside = witnesses.problem(end);
  if (broken === null && outside) breakAt(outside.op, outside.problem, outside.stored, outside.replayed, outside.field);
  if (broken === null && total !== changes)
    breakAt(end.op + 1, "changes without their operation are in the log", "changes", null);
  if (broken === null && !signatures.people.isBegunBy(first()))
    breakAt(1, "somebody else started the plan than this machine knows", signatures.people.first, first());
  const summary = await signatures.summary(db);
  return { head: { op: end.op, link: end.link }, knownTo: witnesses.knownTo, broken, chainedFrom, ...summary };
}

/** Changes after which it says how far it is. */
const TOLD_AFTER = 2_000;

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
  readonly people = new PeopleHistory();
  readonly #chainedFrom: number;
  readonly #checkOld: CheckSignature;
  readonly #nonces = new Set<string>();
  #signed = 0;
  #unsignedEarlier = 0;
  readonly #unsigned: number[] = [];
  readonly #wrong: number[] = [];
  readonly #unknown: number[] = [];
  /** From before the plan knew people: what they approved was confirmed since, or waits for a person. */
  readonly #unknownEarlier: number[] = [];
  /** In unsigned operations, up to schema 9: an undo may have brought back what was signed before. */
  readonly #brought: LoggedApproval[] = [];
  /** Signed in other clones. */
  readonly #travelled: LoggedApproval[] = [];
  /** The same in a log that has statements: since then a person signs for what comes back. */
  readonly #unsealed = new Set<number>();

  constructor(chainedFrom: number, checkOld: CheckSignature) {
    this.#chainedFrom = chainedFrom;
    this.#checkOld = checkOld;
  }

  /** False if it changes whom the plan knows, and may not. */
  check(operation: Row, { approvals, people }: SignableFacts): boolean {
    const [op, link] = [operation["op"] as number, operation["link"] as string];
    const signature = operation["signature"] as string | null;
    if (op === 1) this.people.plan = link;
    const isFirst = this.people.isEmpty;
    // The first person signs for themselves, and then for the operation that they came with.
    const isBegun = !isFirst || people.every((change) => this.people.follow(change, false));
    const judged = signature === null ? null : this.#judge(link, signature);
    const isChanged = isFirst || people.every((change) => this.people.follow(change, judged === "valid"));
    if (judged === "valid" && !this.#isStated(operation, approvals)) this.#wrong.push(op);
    else if (judged === "valid") this.#signed++;
    else if (judged === "wrong") this.#wrong.push(op);
    else if (judged === "unknown-key") (this.people.isEmpty ? this.#unknownEarlier : this.#unknown).push(op);
    else this.#noteUnsigned(op, approvals);
    return isBegun && isChanged;
  }

  /** What it approves for the first time is in its own statement, which was made for it alone. */
  #isStated(operation: Row, approvals: SignableFacts["approvals"]): boolean {
    const op = operation["op"] as number;
    const signed = operation["statement"] as string | null;
    if (signed === null) return !approvals.some(({ approval }) => readSeal(approval.seal ?? "")?.op === op);
    const by = this.people.find(idOfSignature(signed));
    const statement = by && readStatement(signed, by.key);
    if (!statement || !belongsTo(statement, op === 1 ? "" : this.people.plan, statedOperation(operation))) return false;
    const isNew = !this.#nonces.has(statement.nonce);
    this.#nonces.add(statement.nonce);
    return isNew;
  }

  /** Whether a person whom the plan knows did it. Before it knew its first person, every person counts. */
  trusts(operation: Row): boolean {
    const signature = textOrNull(operation["signature"]);
    if (this.people.isEmpty) return true;
    return signature !== null && this.people.judge(textOf(operation["link"]), signature) === "valid";
  }

  /** Before there were people, only who had the secret could check a signature. */
  #judge(link: string, signature: string): ReturnType<CheckSignature> {
    return this.people.isEmpty ? this.#checkOld(link, signature) : this.people.judge(link, signature);
  }

  #noteUnsigned(op: number, all: SignableFacts["approvals"]): void {
    const hasTravelled = ({ approval }: (typeof all)[number]): boolean =>
      readTravellingSeal(approval.seal ?? "") !== undefined;
    this.#travelled.push(...all.filter(hasTravelled).map((each) => ({ op, ...each })));
    const approvals = all.filter((each) => !hasTravelled(each));
    if (approvals.length === 0) return;
    if (this.#nonces.size > 0) this.#unsealed.add(op);
    else if (!this.people.isEmpty) this.#brought.push(...approvals.map((each) => ({ op, ...each })));
    else if (op < this.#chainedFrom) this.#unsignedEarlier++;
    else this.#unsigned.push(op);
  }

  async summary(db: Database): Promise<Pick<LogVerification, "signatures" | "hasPeople">> {
    for (const each of this.#brought) if (!(await this.people.hasSealed(db, each))) this.#unsealed.add(each.op);
    for (const each of this.#travelled) if (!(await this.people.hasVouched(db, each))) this.#unsealed.add(each.op);
    const hasPeople = !this.people.isEmpty;
    return {
      hasPeople,
      signatures: {
        valid: this.#signed,
        wrong: this.#wrong,
        unknownKey: hasPeople ? this.#unknown : this.#unknownEarlier,
        unsigned: hasPeople ? [...this.#unsealed] : this.#unsigned,
        unsignedEarlier: this.#unsignedEarlier + (hasPeople ? this.#unsigned.length : 0),
      },
    };
  }
}
