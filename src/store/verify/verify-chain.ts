// Follows the chain of the log from its first operation to its last, and checks the signatures on the way.

import type { Database, Row } from "../database.js";
import { CHAINED_FROM } from "../migrations/chain-log.js";
import { readLog } from "../read/read-log.js";
import { type ChainEnd, NO_OPERATION } from "../rows/log-link.js";
import type { CheckSignature, LogVerification, VerifyOptions } from "../store.js";
import type { Differences } from "./differences.js";

export async function verifyChain(
  db: Database,
  differences: Differences,
  { checkSignature = () => "unknown-key", expect: expected = null }: VerifyOptions,
): Promise<LogVerification> {
  const chainedFrom = await readChainedFrom(db);
  const signatures = new Signatures(chainedFrom, checkSignature);
  const changes = new ChangeCount();
  let end: ChainEnd = NO_OPERATION;
  let broken: LogVerification["broken"] = null;
  const breakAt = (op: number, problem: string, stored: unknown, replayed: unknown): void => {
    differences.compare(`operation ${op}`, "link", stored, replayed);
    broken ??= { op, problem };
  };
  for await (const { operation, hash } of readLog(db)) {
    const [op, link] = [operation["op"] as number, operation["link"] as string];
    const approvals = new Approvals(signatures.lands);
    const computed = await hash(end, (change) => {
      changes.seen++;
      approvals.look(change);
    });
    if (broken === null && op !== end.op + 1) breakAt(end.op + 1, "it is missing", null, "in the log");
    else if (broken === null && link !== computed) breakAt(op, "it was changed after it was written", link, computed);
    signatures.check(operation, approvals.found);
    end = { op, link, signature: operation["signature"] as string | null };
    if (broken === null && expected?.op === op && expected.link !== link)
      breakAt(op, `the log was rewritten: ${expected.source} knows another one`, link, expected.link);
  }
  if (broken === null && expected && expected.op > end.op)
    breakAt(end.op + 1, `it is missing: ${expected.source} knows operation ${expected.op}`, null, expected.link);
  if (broken === null && (await changes.inTable(db)) !== changes.seen)
    breakAt(end.op + 1, "changes without their operation are in the log", "changes", null);
  return { head: { op: end.op, link: end.link }, broken, chainedFrom, ...signatures.summary() };
}

async function readChainedFrom(db: Database): Promise<number> {
  const row = await db.get("select value from meta where name = ?", CHAINED_FROM);
  return (row?.["value"] as number | undefined) ?? 1;
}

class ChangeCount {
  seen = 0;

  async inTable(db: Database): Promise<number> {
    return (await db.get("select count(*) as changes from change"))?.["changes"] as number;
  }
}

/** Land tasks get the approval of their feature from the store. Every other approval needs a person. */
class Approvals {
  readonly #lands: Set<string>;
  found = 0;

  constructor(lands: Set<string>) {
    this.#lands = lands;
  }

  look({ entity, key, before, after }: Row): void {
    if (entity !== "node" || typeof after !== "string" || !after.includes('"approval":{')) return;
    if (before === null && after.includes('"kind":"land"')) this.#lands.add(key as string);
    if (!this.#lands.has(key as string)) this.found++;
  }
}

class Signatures {
  readonly lands = new Set<string>();
  readonly #chainedFrom: number;
  readonly #check: CheckSignature;
  #signed = 0;
  #unsignedEarlier = 0;
  readonly #unsigned: number[] = [];
  readonly #wrong: number[] = [];
  readonly #unknown: number[] = [];

  constructor(chainedFrom: number, check: CheckSignature) {
    this.#chainedFrom = chainedFrom;
    this.#check = check;
  }

  check(operation: Row, approvals: number): void {
    const op = operation["op"] as number;
    const signature = operation["signature"] as string | null;
    if (signature !== null) {
      const judged = this.#check(operation["link"] as string, signature);
      if (judged === "valid") this.#signed++;
      else if (judged === "wrong") this.#wrong.push(op);
      else this.#unknown.push(op);
    } else if (approvals > 0) {
      if (op < this.#chainedFrom) this.#unsignedEarlier++;
      else this.#unsigned.push(op);
    }
  }

  summary(): Pick<LogVerification, "signatures"> {
    return {
      signatures: {
        valid: this.#signed,
        wrong: this.#wrong,
        unknownKey: this.#unknown,
        unsigned: this.#unsigned,
        unsignedEarlier: this.#unsignedEarlier,
      },
    };
  }
}
