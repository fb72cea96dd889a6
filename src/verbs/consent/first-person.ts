// Who may be the first person of a plan. This is the only place that decides it: whoever is first lets others in, and anybody can
// make up a secret and put it into a variable.

import { existsSync } from "node:fs";
import { agentIn, userOf } from "../../config/actor.js";
import { firstPersonFile, noteFirstPerson, readFirstPerson } from "../../config/known-plans.js";
import { SECRET_VARIABLE, secretsHere } from "../../config/person.js";
import type { Environment } from "../../machine/process/environment.js";
import { step } from "../../model/next-step.js";
import { StoreFault } from "../../store/fault.js";
import type { OldOwner } from "../../store/migrations/seal-old-approvals.js";
import { wasPlan } from "../../store/open/open.js";
import { idOfSecret } from "../../store/signer.js";
import type { Reader } from "../../store/store.js";

interface Place {
  readonly env: Environment;
  /** Of the workspace. */
  readonly root: string;
}

/**
 * The secret of the first person: the one that this machine has noted, or else that of the secret file. One from the variable counts
 * only while the plan begins, and not inside of an agent: CI starts plans so. Undefined if nobody here may be the first.
 */
export function firstSecret({ env, root }: Place, isBeginning: boolean): string | undefined {
  const { variable, file } = secretsHere(env, root);
  const noted = readFirstPerson(root, env);
  if (noted !== undefined) return [variable ?? [], file].flat().find((secret) => idOfSecret(secret) === noted);
  return file[0] ?? (isBeginning && agentIn(env) === undefined ? variable : undefined);
}

/** Whether who has these secrets may ask as a person where nobody is known. */
export function mayBeFirst(place: Place, secrets: readonly string[], isBeginning: boolean): boolean {
  // Who has no secret signs nothing, so no plan begins with them.
  if (secrets.length === 0) return readFirstPerson(place.root, place.env) === undefined;
  const first = firstSecret(place, isBeginning);
  return first !== undefined && secrets.includes(first);
}

/** Why not: completes "Nothing proves that a person asks: …". */
export const whyNotFirst = ({ env, root }: Place): string =>
  readFirstPerson(root, env) === undefined ? KNOWS_NOBODY : `${NOTED_OTHER} in ${firstPersonFile(root, env)}`;

const NOTED_OTHER = "your secret is not that of the person who started the plan here, as this machine has noted";

const KNOWS_NOBODY = `this plan knows nobody yet, and a secret in ${SECRET_VARIABLE} cannot be the first that it knows. Unset that variable: then your secret file on this machine counts`;

/** Of a plan that an older program made, which knew nobody. */
export function oldOwner(place: Place): OldOwner {
  const { variable, file } = secretsHere(place.env, place.root);
  const secrets = variable === undefined ? file : [variable, ...file];
  return { secrets, ofUnsigned: firstSecret(place, true), name: `human:${userOf(place.env)}` };
}

/** A program could remove your plan and start its own in that place, to have you run it. `path`: of the plan's file. */
export function requireSameBeginner(place: Place, path: string): void {
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
export async function noteBeginner({ env, root }: Place, reader: Pick<Reader, "items">): Promise<void> {
  if (readFirstPerson(root, env) !== undefined) return;
  const [first, second] = await reader.items("person", { owner: "" });
  if (first && second === undefined) noteFirstPerson(root, env, first.key);
}
