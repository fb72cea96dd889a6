// Who may be the first person of a plan. This is the only place that decides it: whoever is first lets others in, and anybody can
// make up a secret and put it into a variable.

import { existsSync } from "node:fs";
import { agentIn, type Identity, type PersonProof, UNKNOWN_AGENT, userOf } from "../../config/actor.js";
import {
  findSecret,
  firstPersonFile,
  makeSecret,
  noteFirstPerson,
  readFirstPerson,
  readNotedKey,
  readNotedPlan,
  SECRET_VARIABLE,
  secretsHere,
} from "../../config/person.js";
import type { Environment } from "../../machine/process/environment.js";
import { isPerson } from "../../model/actor.js";
import { step } from "../../model/next-step.js";
import type { Failure } from "../../model/result.js";
import type { Context } from "../../plan/base/context.js";
import { StoreFault } from "../../store/fault.js";
import type { OldOwner } from "../../store/migrations/seal-old-approvals.js";
import { wasPlan } from "../../store/open/open.js";
import { idOfSecret, oldSignature, signerFrom } from "../../store/signer.js";
import type { Reader, Sign } from "../../store/store.js";
import type { CheckSignature } from "../../store/verification.js";

export interface PlanSite {
  readonly env: Environment;
  readonly root: string;
}

/**
 * The secret of the first person: the one that this machine has noted, or else that of the secret file. One from the variable counts
 * only while the plan begins, and not inside of an agent: CI starts plans so. Undefined if nobody here may be the first.
 */
export function firstSecret({ env, root }: PlanSite, isBeginning: boolean): string | undefined {
  const { variable, file } = secretsHere(env, root);
  const noted = readFirstPerson(root, env);
  if (noted !== undefined) return [variable ?? [], file].flat().find((secret) => idOfSecret(secret) === noted);
  return file[0] ?? (isBeginning && agentIn(env) === undefined ? variable : undefined);
}

/** Whether who has these secrets may ask as a person where nobody is known. */
export function mayBeFirst(place: PlanSite, secrets: readonly string[], isBeginning: boolean): boolean {
  // Who has no secret signs nothing, so no plan begins with them.
  if (secrets.length === 0) return readFirstPerson(place.root, place.env) === undefined;
  const first = firstSecret(place, isBeginning);
  return first !== undefined && secrets.includes(first);
}

/** Why no person here may be the first; completes "Nothing proves that a person asks: …". */
export const whyNotFirst = ({ env, root }: PlanSite): string =>
  readFirstPerson(root, env) === undefined ? KNOWS_NOBODY : `${NOTED_OTHER} in ${firstPersonFile(root, env)}`;

const NOTED_OTHER = "your secret is not that of the person who started the plan here, as this machine has noted";

const KNOWS_NOBODY = `this plan knows nobody yet, and a secret in ${SECRET_VARIABLE} cannot be the first that it knows. Unset that variable: then your secret file on this machine counts`;

/** Who owns a plan that an older program made, which knew nobody. */
export function oldOwner(place: PlanSite): OldOwner {
  const { variable, file } = secretsHere(place.env, place.root);
  const secrets = variable === undefined ? file : [variable, ...file];
  return { secrets, ofUnsigned: firstSecret(place, true), name: `human:${userOf(place.env)}` };
}

/** A program could remove your plan and start its own in that place, to have you run it. `path`: of the plan's file. */
export function requireSameBeginner(place: PlanSite, path: string): void {
  const { env, root } = place;
  if (existsSync(path) || wasPlan(path)) return;
  if (readFirstPerson(root, env) === undefined || firstSecret(place, true) !== undefined) return;
  throw new StoreFault({
    kind: "refused",
    reason: "unknown-secret",
    message: `This machine has seen a plan in ${root} before, and the secret of the person who started that one is not here. Start the new plan where that secret is. If somebody else starts over here, or the secret is lost, remove this file yourself first: ${firstPersonFile(root, env)}`,
    next: [step("backup.list")],
  });
}

/** From now on this machine notices if somebody replaces the first person in the plan's file. */
export async function noteBeginner(
  { env, root }: PlanSite,
  reader: Pick<Reader, "items" | "link" | "people">,
): Promise<void> {
  const noted = readFirstPerson(root, env);
  const key = readNotedKey(root, env);
  if (noted !== undefined && key !== undefined && readNotedPlan(root, env) !== undefined) return;
  const [only, second] = noted === undefined ? await reader.items("person", { owner: "" }) : [];
  const id = noted ?? (second === undefined ? only?.key : undefined);
  if (id === undefined) return;
  const first = { id, key: key ?? (await reader.people.enrolled(id))?.key };
  noteFirstPerson(root, env, first, (await reader.link(1))?.link ?? null);
}

/** The one that is used first; then earlier ones. */
export function secretsAt({ env, root }: PlanSite): readonly string[] {
  const found = findSecret(env, root);
  return found.kind === "found" ? [found.secret, ...found.others] : [];
}

/** Makes a secret for a person at a terminal who has none. */
export function secretsOf(proof: PersonProof, place: PlanSite): readonly string[] {
  if (proof.kind === "none") return [];
  const secrets = secretsAt(place);
  if (secrets.length > 0 || proof.kind === "secret") return secrets;
  makeSecret(place.env, place.root);
  return secretsAt(place);
}

export const signingAs = (proof: PersonProof, place: PlanSite): Pick<Sign, "signer" | "first"> => ({
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

/** Checks operations from before the plan knew people. Without a secret none can be checked: undefined. */
export function oldSignatureCheck(place: PlanSite): CheckSignature | undefined {
  const secrets = new Map(secretsAt(place).map((secret) => [idOfSecret(secret), secret]));
  if (secrets.size === 0) return undefined;
  return (link, signature) => {
    const secret = secrets.get(signature.split(":")[0] ?? "");
    if (secret === undefined) return "unknown-key";
    return signature === oldSignature(secret, link) ? "valid" : "wrong";
  };
}

/** The same identity, or that of an agent with the reason why it is no person here. */
export async function vouch(
  { store, root, env, isSaid }: PlanSite & Pick<Context, "store"> & { readonly isSaid: boolean },
  asker: Identity,
) {
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
    const names: string[] = [];
    for (const secret of secrets) {
      const known = await reader.people.find(idOfSecret(secret));
      if (known) names.push(known.name);
    }
    const [name] = names;
    if (name !== undefined) {
      await noteBeginner({ root, env }, reader);
      if (names.includes(asker.actor) || names.includes(RECOVERY)) return asker;
      if (isSaid) throw new StoreFault(keyOfOther(asker.actor, name));
      return { ...asker, actor: name };
    }
    const plan = readNotedPlan(root, env);
    const isOther = plan !== undefined && plan !== (await reader.link(1))?.link;
    return nobody(isOther ? { why: anotherPlan({ root, env }) } : await whyUnknown(reader, secrets[0]));
  });
}

/** Who has it stands in for somebody whose key is lost. */
export const RECOVERY = "human:recovery";

const keyOfOther = (asked: string, owner: string): Failure => ({
  kind: "refused",
  reason: "other-person",
  message: `You cannot ask as ${asked}: your key is the one of ${owner} in this plan, and what you sign is theirs. Leave the name out to ask as ${owner}. To let ${asked} approve, add the key that people shows where their secret is.`,
  next: [step("people.list"), step("people.add", { name: asked.replace(/^human:/, "") }, "key")],
});

const anotherPlan = ({ root, env }: PlanSite): string =>
  `the plan in ${root} is not the one that this machine has seen there. If you put it there yourself, remove this file first: ${firstPersonFile(root, env)}`;

async function whyUnknown(reader: Reader, secret: string | undefined): Promise<{ why: string; key?: string }> {
  if (secret === undefined) return { why: "there is no secret here, and a plan knows people by theirs" };
  const machine = await reader.people.enrolled(idOfSecret(secret));
  if (machine) return { why: `this plan knows your key as that of ${machine.name}, a machine, which approves nothing` };
  const row = await reader.item("person", idOfSecret(secret));
  if (row?.fields.state === "known")
    return { why: "something other than this program changed whom this plan knows, as verify shows" };
  return { why: "this plan does not know your secret", key: signerFrom(secret).key };
}
