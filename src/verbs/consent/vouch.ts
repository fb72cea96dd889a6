// Whether the plan knows the person who asks. A secret proves somebody only to a plan that knows it: anybody can make one up.

import { agentIn, type Identity, UNKNOWN_AGENT } from "../../config/actor.js";
import type { Environment } from "../../machine/process/environment.js";
import { isPerson } from "../../model/actor.js";
import { idOfSecret, signerFrom } from "../../store/signer.js";
import type { Reader, Store } from "../../store/store.js";
import { mayBeFirst, noteBeginner, whyNotFirst } from "./first-person.js";
import { secretsOf } from "./sign.js";

interface Place {
  readonly store: Pick<Store, "read">;
  readonly root: string;
  readonly env: Environment;
}

/** The same identity, or that of an agent with the reason why it is no person here. */
export async function vouch({ store, root, env }: Place, asker: Identity): Promise<Identity> {
  if (!isPerson(asker.actor)) return asker;
  return store.read(async (reader) => {
    const secrets = secretsOf(asker.proof, { root, env });
    const nobody = (why: { why: string; key?: string }): Identity => ({
      actor: agentIn(env) ?? UNKNOWN_AGENT,
      proof: { kind: "none", ...why },
    });
    if (await reader.people.isEmpty()) {
      const isBeginning = (await reader.link()) === undefined;
      return mayBeFirst({ root, env }, secrets, isBeginning) ? asker : nobody({ why: whyNotFirst({ root, env }) });
    }
    for (const secret of secrets) {
      if (!(await reader.people.find(idOfSecret(secret)))) continue;
      await noteBeginner({ root, env }, reader);
      return asker;
    }
    return nobody(await whyUnknown(reader, secrets[0]));
  });
}

async function whyUnknown(reader: Reader, secret: string | undefined): Promise<{ why: string; key?: string }> {
  if (secret === undefined) return { why: "there is no secret here, and a plan knows people by theirs" };
  const row = await reader.item("person", idOfSecret(secret));
  if (row?.fields.state === "known")
    return { why: "something other than this program changed whom this plan knows, as verify shows" };
  return { why: "this plan does not know your secret", key: signerFrom(secret).key };
}
