// What a person signs when they approve: one statement for the whole operation, which says what was shown and what was approved. Each
// approval names the operation and its way up the tree of hashes, so one of them is checked without the others.

import type { Actor } from "../../model/actor.js";
import type { Approval } from "../../model/node/node.js";
import type { Row } from "../database.js";
import { numberOf, textOf } from "../rows/values.js";
import { sha256 } from "../sha256.js";
import { idOfSignature, isSignedBy, type Signer } from "../signer.js";
import { climb, leafOf } from "./merkle.js";

export interface SignedStatement {
  /** The link of the plan's first operation; empty in that operation itself. */
  readonly plan: string;
  readonly verb: string;
  readonly actor: Actor;
  /** The operation that it was made for, and counts in. Programs that first signed statements left it out. */
  readonly op?: number;
  /** The hash of what the person was shown. Null: they said yes to it unseen. */
  readonly previewHash: string | null;
  /** Of a tree over the UUID and the content hash of everything that is approved. */
  readonly root: string;
  readonly nonce: string;
  readonly at: number;
  /** When it is too late to hand it in. What was handed in in time stays approved. */
  readonly expires: number;
}

/** The operation that a statement was handed in with. */
export interface StatedOperation {
  readonly op: number;
  readonly verb: string;
  readonly actor: string;
  readonly at: number;
}

export const statedOperation = (row: Row): StatedOperation => ({
  op: numberOf(row["op"]),
  verb: textOf(row["verb"]),
  actor: textOf(row["actor"]),
  at: numberOf(row["at"]),
});

const HAND_IN_MS = 10 * 60_000;

export const expiryOf = (at: number): number => at + HAND_IN_MS;

const signedText = (text: string): string => `planwright statement ${text}`;

/** As the log keeps it: the signature, and then the text that was signed. */
export function signStatement(signer: Signer, statement: SignedStatement): string {
  const text = JSON.stringify(statement);
  return `${signer.sign(signedText(text))} ${text}`;
}

/** Undefined unless this key signed it. */
export function readStatement(signed: string, key: string): SignedStatement | undefined {
  const [signature = ""] = signed.split(" ", 1);
  const text = signed.slice(signature.length + 1);
  return isSignedBy(key, signedText(text), signature) ? (JSON.parse(text) as SignedStatement) : undefined;
}

/** Whether it was made for this plan and this operation, and handed in in time. */
export const belongsTo = (
  statement: SignedStatement,
  plan: string,
  { op, verb, actor, at }: StatedOperation,
): boolean =>
  statement.plan === plan &&
  (statement.op ?? op) === op &&
  statement.verb === verb &&
  statement.actor === actor &&
  statement.at <= at &&
  at <= statement.expires;

/** Whether it approves this node with this content. */
export const covers = (
  statement: SignedStatement,
  uuid: string,
  { by, at, hash }: Approval,
  path: readonly string[],
): boolean => statement.actor === by && statement.at === at && climb(leafOf(uuid, hash), path) === statement.root;

/** What an approval keeps: who signed, in which operation, and the way up to the root. */
export const sealIn = (op: number, signer: Pick<Signer, "id">, path: readonly string[]): string =>
  [`${signer.id}:${op}`, ...path].join("/");

/** The same seal for other clones, where the operation has another number: it names the statement by its hash. */
export function travellingSeal(seal: string, statement: string): string {
  const [place = "", ...path] = seal.split("/");
  return [`${idOfSignature(place)}:@${sha256(statement)}`, ...path].join("/");
}

const TRAVELLING = /^[0-9a-f]{16}:@([0-9a-f]{64})((?:\/[\w-]{43})*)$/;

/** Undefined of an approval that was made here. */
export function readTravellingSeal(seal: string) {
  const [, statement, path = ""] = TRAVELLING.exec(seal) ?? [];
  return statement === undefined ? undefined : { statement, path: path.split("/").slice(1) };
}

const SEAL = /^[0-9a-f]{16}:(\d{1,15})((?:\/[\w-]{43})*)$/;

/** Undefined of an approval that was signed by itself, as programs up to schema 9 did. */
export function readSeal(seal: string): { readonly op: number; readonly path: readonly string[] } | undefined {
  const [, op, path = ""] = SEAL.exec(seal) ?? [];
  return op === undefined ? undefined : { op: Number(op), path: path.split("/").slice(1) };
}

/** Of an approval that another clone tells of: whether somebody with this key signed exactly that. */
export function isVouched(uuid: string, approval: Approval, key: string, signed: string | undefined): boolean {
  const travelled = readTravellingSeal(approval.seal ?? "");
  const statement = signed === undefined ? undefined : readStatement(signed, key);
  return travelled !== undefined && statement !== undefined && covers(statement, uuid, approval, travelled.path);
}
