// Signatures of people. A person has one secret, on their machine or in the environment. An Ed25519 key is made from it; the plan
// holds the public half, so that every program can check a signature, and only who has the secret can make one.

import type * as Crypto from "node:crypto";

export interface Signer {
  /** Tells secrets apart, and tells nothing else about them. */
  readonly id: string;
  /** The public half: `pwk_ID_…`. */
  readonly key: string;
  /** `ID:SIGNATURE` */
  readonly sign: (text: string) => string;
}

const crypto = (): typeof Crypto => process.getBuiltinModule("node:crypto");

/** `secret` has 64 hexadecimal digits. */
const mac = (secret: string, text: string): Buffer =>
  crypto().createHmac("sha256", Buffer.from(secret, "hex")).update(text).digest();

export const idOfSecret = (secret: string): string => mac(secret, "planwright key").toString("hex").slice(0, 16);

/** What comes before the 32 bytes of an Ed25519 key in the formats that Node reads. */
const PRIVATE_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");
const PUBLIC_PREFIX = Buffer.from("302a300506032b6570032100", "hex");

export function signerFrom(secret: string): Signer {
  const { createPrivateKey, createPublicKey, sign } = crypto();
  const seed = mac(secret, "planwright signing key");
  const own = createPrivateKey({ key: Buffer.concat([PRIVATE_PREFIX, seed]), format: "der", type: "pkcs8" });
  const half = createPublicKey(own).export({ format: "der", type: "spki" }).subarray(PUBLIC_PREFIX.length);
  const id = idOfSecret(secret);
  return {
    id,
    key: `pwk_${id}_${half.toString("base64url")}`,
    sign: (text) => `${id}:${sign(null, Buffer.from(text), own).toString("base64url")}`,
  };
}

const KEY = /^pwk_([0-9a-f]{16})_([A-Za-z0-9_-]{43})$/;

export const idOfKey = (key: string): string | undefined => KEY.exec(key)?.[1];

/** The id of who says to have made a signature. */
export const idOfSignature = (signature: string): string => signature.slice(0, Math.max(0, signature.indexOf(":")));

/** Node takes 0.1 ms to read one, and a program reads the same few thousands of times. */
const read = new Map<string, Crypto.KeyObject>();

export function isSignedBy(key: string, text: string, signature: string): boolean {
  const [, id, half] = KEY.exec(key) ?? [];
  if (id === undefined || half === undefined || idOfSignature(signature) !== id) return false;
  let known = read.get(key);
  if (known === undefined) {
    const der = Buffer.concat([PUBLIC_PREFIX, Buffer.from(half, "base64url")]);
    known = crypto().createPublicKey({ key: der, format: "der", type: "spki" });
    read.set(key, known);
  }
  return crypto().verify(null, Buffer.from(text), known, Buffer.from(signature.slice(id.length + 1), "base64url"));
}

/** What the signature of an operation signs: its link covers the operation and everything before it. */
export const operationText = (link: string): string => `planwright operation ${link}`;

/** As programs up to schema 7 signed operations. Only who has the secret can check it. */
export const oldSignature = (secret: string, link: string): string =>
  `${idOfSecret(secret)}:${mac(secret, operationText(link)).toString("hex")}`;
