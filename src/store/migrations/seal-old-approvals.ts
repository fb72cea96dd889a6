// An upgrade from a program that signed operations, but knew no people. Approvals that the person at hand signed stay good; every
// other one stays readable and waits until a person confirms it.

import { createItem } from "../../model/item/item.js";
import { personText } from "../../model/item/person.js";
import { type Approval, approvalText, type Node, type Nr } from "../../model/node/node.js";
import { type Change, changeNode } from "../../model/operation/change.js";
import { ok } from "../../model/result.js";
import type { Database, Row } from "../database.js";
import { readLog } from "../read/log-query.js";
import { type ChainEnd, NO_OPERATION } from "../rows/log-rows.js";
import { oldSignature, type Signer, signerFrom } from "../signer.js";
import type { Writer } from "../store.js";
import { commitInside } from "../write/commit.js";

/** The person whose secrets are at hand, the one that they sign with first. */
export interface OldOwner {
  readonly secrets: readonly string[];
  readonly name: string;
}

/** Inside one transaction of the caller. How many approvals wait for a person. */
export async function sealOldApprovals(db: Database, owner: OldOwner): Promise<number> {
  const found = await readSigned(db, owner);
  const signer = found.first === undefined ? null : signerFrom(found.first);
  const last = await db.get("select max(at) as at from operation");
  const at = Number(last?.["at"] ?? 0);
  let waiting = 0;
  const intent = {
    actor: signer === null ? "agent:upgrade" : owner.name,
    verb: "upgrade",
    now: () => at,
    commit: null,
  };
  const committed = await commitInside(db, intent, async (writer) => {
    const changes: Change[] = [];
    for (const node of await approvedNodes(writer)) {
      const approval = node.approval as Approval;
      const seal = signer && found.isSigned(node) ? signer.sign(approvalText(node.uuid, approval)) : null;
      if (seal === null) waiting++;
      changes.push(
        ...changeNode(node, { approval: seal === null ? { ...approval, hash: "" } : { ...approval, seal } }),
      );
    }
    if (signer !== null) changes.push(firstPerson(signer, owner.name, at));
    return ok({ sentence: sentenceOf(signer && owner.name, waiting), changes, value: undefined });
  });
  if (!committed.ok) throw new Error(committed.error.message);
  return waiting;
}

const firstPerson = ({ id, key, sign }: Signer, name: string, at: number): Change =>
  createItem("person", id, { key, name, addedBy: null, at, seal: sign(personText({ key, name, at })), state: "known" });

function sentenceOf(name: string | null, waiting: number): string {
  const who = name === null ? "nobody is known to this plan yet" : `${name} is the first person of this plan`;
  return waiting === 0
    ? who
    : `${who}; ${waiting} earlier ${waiting === 1 ? "approval waits" : "approvals wait"} for a person`;
}

interface Signed {
  /** The secret that becomes the plan's first one; undefined if others signed here, and this person never did. */
  readonly first: string | undefined;
  readonly isSigned: (node: Node) => boolean;
}

async function readSigned(db: Database, { secrets }: OldOwner): Promise<Signed> {
  const approvals = new Map<string, string>();
  let first: string | undefined;
  let isAnySigned = false;
  let end: ChainEnd = NO_OPERATION;
  let isWhole = true;
  for await (const { operation, hash } of readLog(db)) {
    const [link, signature] = [operation["link"] as string, operation["signature"] as string | null];
    const secret = secrets.find((each) => signature === oldSignature(each, link));
    const changed: Row[] = [];
    isWhole &&= link === (await hash(end, (change) => changed.push(change)));
    for (const change of changed) noteApproval(approvals, change, isWhole && secret !== undefined);
    isAnySigned ||= signature !== null;
    if (isWhole) first ??= secret;
    end = { op: operation["op"] as number, link, signature };
  }
  return {
    first: first ?? (isAnySigned ? undefined : secrets[0]),
    isSigned: ({ nr, approval }) => approvals.get(String(nr)) === JSON.stringify(approval),
  };
}

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
