// Signs what only a person may do with that person's secret, and checks such signatures.

import type { Environment } from "../process/environment.js";
import { findSecret } from "./person.js";

const mac = (secret: string, text: string): string =>
  process.getBuiltinModule("node:crypto").createHmac("sha256", Buffer.from(secret, "hex")).update(text).digest("hex");

/** Tells secrets apart, and tells nothing else about them. */
const keyOf = (secret: string): string => mac(secret, "planwright key").slice(0, 16);

/** Of an operation's link, which covers the operation and everything before it. */
export const signLink = (secret: string, link: string): string =>
  `${keyOf(secret)}:${mac(secret, `planwright operation ${link}`)}`;

/** Undefined without a secret: then nothing can be checked. */
export function signatureCheck(
  env: Environment,
  root: string,
): ((link: string, signature: string) => "valid" | "wrong" | "unknown-key") | undefined {
  const found = findSecret(env, root);
  if (found.kind !== "found") return undefined;
  const secrets = new Map([found.secret, ...found.others].map((secret) => [keyOf(secret), secret]));
  return (link, signature) => {
    const secret = secrets.get(signature.split(":")[0] ?? "");
    if (secret === undefined) return "unknown-key";
    return signature === signLink(secret, link) ? "valid" : "wrong";
  };
}
