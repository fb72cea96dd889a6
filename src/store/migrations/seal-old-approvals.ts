// An upgrade from a program that signed operations, but knew no people. Approvals that the person at hand signed stay good; every
// other one stays readable and waits until a person confirms it.

import { type Approval, approvalText, type Node, type Nr } from "../../model/node/node.js";
import { type Change, changeNode } from "../../model/operation/change.js";
import { type Failure, ok } from "../../model/result.js";
import type { Database, Row } from "../database.js";
import { StoreFault } from "../fault.js";
import { firstPerson } from "../people/seal-changes.js";
import { readLog } from "../read/log-query.js";
import { type ChainEnd, NO_OPERATION } from "../rows/log-rows.js";
import { textOf } from "../rows/values.js";
import { oldSignature, signerFrom } from "../signer.js";
import type { Decision, Writer } from "../store.js";
import { commitInside } from "../write/commit.js";

export interface OldOwner {
  /** All that are at hand, from the variable and from the file. */
  readonly secrets: readonly string[];
  /** Whose plan it is if nobody signed anything in it; undefined if nobody here may be its first person. */
  readonly ofUnsigned: string | undefined;
  readonly name: string;
}

/** Inside one transaction of the caller. How many approvals wait for a person. */
export async function sealOldApprovals(db: Database, owner: OldOwner): Promise<number> {
  const found = await readSigned(db, owner);
  const signer = found.first === undefined ? null : signerFrom(found.first);
  let waiting = 0;
  await commitUpgrade(db, signer === null ? undefined : owner.name, async (writer) => {
    const changes: Change[] = [];
    for (const node of await approvedNodes(writer)) {
      const approval = node.approval as Approval;
      const seal = signer && found.isSigned(node) ? signer.sign(approvalText(node.uuid, approval)) : null;
      if (seal === null) waiting++;
      changes.push(
        ...changeNode(node, { approval: seal === null ? { ...approval, hash: "" } : { ...approval, seal } }),
      );
    }
    if (signer !== null) changes.push(firstPerson(signer, owner.name, writer.at));
    return { sentence: sentenceOf(signer && owner.name, waiting), changes };
  });
  return waiting;
}

export const UPGRADER = "agent:upgrade";

/** Inside one transaction of the caller, at the time of the last operation. */
export async function commitUpgrade(
  db: Database,
  actor: string = UPGRADER,
  decide: (writer: Writer) => Promise<Omit<Decision<void>, "value">>,
): Promise<void> {
  // No operation is earlier than the one before it.
  const intent = { actor, verb: "upgrade", now: () => 0, commit: null };
  const committed = await commitInside(db, intent, async (writer) =>
    ok({ ...(await decide(writer)), value: undefined }),
  );
  if (!committed.ok) throw new Error(committed.error.message);
}

function sentenceOf(name: string | null, waiting: number): string {
  const who = name === null ? "nobody is known to this plan yet" : `${name} is the first person of this plan`;
  return waiting === 0
    ? who
    : `${who}; ${waiting} earlier ${waiting === 1 ? "approval waits" : "approvals wait"} for a person`;
}

/**
 * Who made one of the old signatures: undefined if nobody signed anything, null if none of these secrets made one. Everything else
 * about an old plan can be made up, so a secret that made none of them is nobody's in it.
 */
export async function whoSigned(db: Database, secrets: readonly string[]): Promise<string | null | undefined> {
  let answer: null | undefined;
  for (const { link, signature } of await db.all(
    "select link, signature from operation where signature is not null order by op",
  )) {
    const secret = secrets.find((each) => signature === oldSignature(each, textOf(link)));
    if (secret !== undefined) return secret;
    answer = null;
  }
  return answer;
}

async function readSigned(db: Database, { secrets, ofUnsigned }: OldOwner) {
  const signer = await whoSigned(db, secrets);
  if (signer === null) throw new StoreFault(SIGNED_BY_OTHERS);
  const approvals = new Map<string, string>();
  let end: ChainEnd = NO_OPERATION;
  let isWhole = true;
  for await (const { operation, hash } of readLog(db)) {
    const [link, signature] = [operation["link"] as string, operation["signature"] as string | null];
    const secret = secrets.find((each) => signature === oldSignature(each, link));
    const changed: Row[] = [];
    isWhole &&= link === (await hash(end, (change) => changed.push(change)));
    for (const change of changed) noteApproval(approvals, change, isWhole && secret !== undefined);
    end = { op: operation["op"] as number, link, signature };
  }
  return {
    /** The secret that becomes the plan's first one. */
    first: signer ?? ofUnsigned,
    isSigned: ({ nr, approval }: Node): boolean => approvals.get(String(nr)) === JSON.stringify(approval),
  };
}

const SIGNED_BY_OTHERS: Failure = {
  kind: "refused",
  reason: "unknown-secret",
  message:
    "Somebody signed approvals in this plan, and no secret that is here made one of these signatures. Run it where your secret is. The plan was not changed.",
};

function noteApproval(approvals: Map<string, string>, { entity, key, after }: Row, isSigned: boolean): void {
  if (entity !== "node" || typeof after !== "string" || !after.includes('"approval":')) return;
  const { approval } = JSON.parse(after) as { readonly approval?: Approval | null };
  if (approval && isSigned) approvals.set(String(key), JSON.stringify(approval));
  else if (approval !== undefined) approvals.delete(String(key));
}

/** Without what is over: given up, archived, or on the main branch. */
async function approvedNodes(writer: Writer): Promise<Node[]> {
  const landed = new Map<Nr, number>();
  const nodes: Node[] = [];
  for await (const node of writer.scan()) {
    if (node.landedOp !== null) landed.set(node.nr, node.landedOp);
    if (node.approval !== null && node.kind !== "land" && node.archive === null) nodes.push(node);
  }
  return nodes.filter(({ outcome, feature }) => {
    if (outcome === null) return true;
    return outcome.kind === "done" && !(feature !== null && outcome.op <= (landed.get(feature) ?? -1));
  });
}
