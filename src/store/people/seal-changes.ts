// Before an operation is written: signs its approvals, and whom it adds to the people of the plan. What has to be signed, and nobody
// whom the plan knows signs, is refused.

import { isPerson } from "../../model/actor.js";
import { createItem, type ItemChange } from "../../model/item/item.js";
import { type Person, personText } from "../../model/item/person.js";
import { step } from "../../model/next-step.js";
import { approvalText } from "../../model/node/node.js";
import type { Change, NodeChange } from "../../model/operation/change.js";
import { ok, type Result, refused } from "../../model/result.js";
import type { Signer } from "../signer.js";
import type { Reader, Sign, Stamped } from "../store.js";
import type { People } from "./people.js";

export interface SignedChanges {
  readonly changes: readonly Change[];
  /** Who signs the operation; null if nobody has to, or can. */
  readonly signer: Signer | null;
}

interface SignatureRequest {
  readonly sign: Sign;
  readonly intent: Pick<Stamped, "actor" | "at">;
  readonly people: People;
  readonly reader: Pick<Reader, "node" | "link">;
  /** An undo or a redo brings back approvals with the signatures that they had. */
  readonly isReplay: boolean;
}

export async function sealChanges(sealing: SignatureRequest, asked: readonly Change[]): Promise<Result<SignedChanges>> {
  const { sign, people, intent } = sealing;
  const isFirst = await people.isEmpty();
  const approvals = await approvalsToSign(sealing, asked);
  const isSealed = approvals.size > 0 || asked.some(({ entity }) => entity === "person");
  const isSigned = isSealed || sign.always;
  const first = isFirst ? await sign.first((await sealing.reader.link()) === undefined) : null;
  const asker = isSigned ? await askerOf(sealing, first) : null;
  if (isSealed && asker === null) return unsigned(intent.actor);
  const changes = asker && isSealed ? asked.map((change) => seal(change, asker, approvals)) : asked;
  return ok({
    changes: first === null ? changes : [...changes, firstPerson(first, sign.name, intent.at)],
    signer: isSigned ? asker : null,
  });
}

/** Null if it is nobody whom the plan knows, or begins to know now. */
async function askerOf({ sign, people }: SignatureRequest, first: Signer | null): Promise<Signer | null> {
  const keyOf = async (id: string): Promise<string | undefined> =>
    id === first?.id ? first.key : (await people.find(id))?.key;
  const signer = await sign.signer(async (id) => (await keyOf(id)) !== undefined);
  return signer !== null && (await keyOf(signer.id)) === signer.key ? signer : null;
}

type UuidOf = ReadonlyMap<Change, string>;

/** Land tasks get the approval of their feature from the store. */
async function approvalsToSign({ reader, isReplay }: SignatureRequest, changes: readonly Change[]): Promise<UuidOf> {
  const uuidOf = new Map<Change, string>();
  for (const change of changes) {
    const approval = change.entity === "node" ? change.after?.approval : null;
    if (!approval || approval.hash === "" || (isReplay && approval.seal !== undefined)) continue;
    const { key, before, after } = change as NodeChange;
    const { kind, uuid = "" } = (before === null ? after : await reader.node(key)) ?? {};
    if (kind !== "land") uuidOf.set(change, uuid);
  }
  return uuidOf;
}

function seal(change: Change, signer: Signer, approvals: UuidOf): Change {
  if (change.entity === "person") return sealPerson(signer, change);
  const uuid = approvals.get(change);
  const asked = change.entity === "node" ? change.after?.approval : null;
  if (change.entity !== "node" || uuid === undefined || !asked) return change;
  const { by, at, hash } = asked;
  const approval = { by, at, hash, seal: signer.sign(approvalText(uuid, { by, at, hash })) };
  return { ...change, after: { ...change.after, approval } };
}

function sealPerson(signer: Signer, change: ItemChange): ItemChange {
  if (change.after?.["seal"] !== "") return change;
  const person = change.after as unknown as Person;
  return { ...change, after: { ...person, addedBy: signer.id, seal: signer.sign(personText(person)) } };
}

/** Signs for themselves. */
export const firstPerson = ({ id, key, sign }: Signer, name: string, at: number): ItemChange =>
  createItem("person", id, { key, name, addedBy: null, at, seal: sign(personText({ key, name, at })), state: "known" });

const unsigned = (actor: string): Result<never> =>
  isPerson(actor)
    ? refused(
        "no-secret",
        "Only a secret that this plan knows can sign this, and there is none here. Nothing was changed.",
        { next: [step("people.list")] },
      )
    : refused("needs-person", `Only a person can bring back an approval, and ${actor} is not one.`);
