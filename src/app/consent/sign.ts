// Signs an operation with the secret of the person who asked for it.

import type { PersonProof } from "../../config/actor.js";
import { findSecret, makeSecret } from "../../config/person.js";
import { signLink } from "../../config/signature.js";
import type { Environment } from "../../process/environment.js";

interface Place {
  readonly env: Environment;
  /** Of the workspace. */
  readonly root: string;
}

/** Makes a secret for a person at a terminal who has none. Null if there is nothing to sign with. */
export function signAs(proof: PersonProof, link: string, { env, root }: Place): string | null {
  if (proof.kind === "secret") return signLink(proof.secret, link);
  if (proof.kind === "none") return null;
  makeSecret(env, root);
  const made = findSecret(env, root);
  return made.kind === "found" ? signLink(made.secret, link) : null;
}
