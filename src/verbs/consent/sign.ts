// Signs an operation with the secret of the person who asked for it.

import type { PersonProof } from "../../config/actor.js";
import { findSecret, makeSecret } from "../../config/person.js";
import type { Environment } from "../../machine/process/environment.js";
import { idOfSecret, oldSignature, signerFrom } from "../../store/signer.js";
import type { CheckSignature, Sign } from "../../store/store.js";
import { firstSecret } from "./first-person.js";

interface Place {
  readonly env: Environment;
  /** Of the workspace. */
  readonly root: string;
}

/** The one that is used first; then earlier ones. */
export function secretsAt({ env, root }: Place): readonly string[] {
  const found = findSecret(env, root);
  return found.kind === "found" ? [found.secret, ...found.others] : [];
}

/** Makes a secret for a person at a terminal who has none. */
export function secretsOf(proof: PersonProof, place: Place): readonly string[] {
  if (proof.kind === "none") return [];
  const secrets = secretsAt(place);
  if (secrets.length > 0 || proof.kind === "secret") return secrets;
  makeSecret(place.env, place.root);
  return secretsAt(place);
}

export const signingAs = (proof: PersonProof, place: Place): Pick<Sign, "signer" | "first"> => ({
  signer: async (isKnown) => {
    for (const secret of secretsOf(proof, place)) if (await isKnown(idOfSecret(secret))) return signerFrom(secret);
    return null;
  },
  first: async (isBeginning) => {
    // Makes the secret of a person at a terminal, who then is the first.
    secretsOf(proof, place);
    const secret = firstSecret(place, isBeginning);
    return secret === undefined ? null : signerFrom(secret);
  },
});

/** Of operations from before the plan knew people. Undefined without a secret: then nothing of them can be checked. */
export function oldSignatureCheck(place: Place): CheckSignature | undefined {
  const secrets = new Map(secretsAt(place).map((secret) => [idOfSecret(secret), secret]));
  if (secrets.size === 0) return undefined;
  return (link, signature) => {
    const secret = secrets.get(signature.split(":")[0] ?? "");
    if (secret === undefined) return "unknown-key";
    return signature === oldSignature(secret, link) ? "valid" : "wrong";
  };
}
