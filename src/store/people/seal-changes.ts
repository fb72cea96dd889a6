// Before an operation is written: signs its approvals, and whom it adds to the people of the plan. What has to be signed, and nobody
// whom the plan knows signs, is refused.

import { isPerson } from "../../model/actor.js";
import { createItem, type ItemChange } from "../../model/item/item.js";
import { type Person, personStateText, personText } from "../../model/item/person.js";
import { step } from "../../model/next-step.js";
import type { Approval } from "../../model/node/node.js";
import type { Change, NodeChange } from "../../model/operation/change.js";
import { ok, type Result, refused } from "../../model/result.js";
import type { Signer } from "../signer.js";
import type { Sign, Stamped, Writer } from "../store.js";
import { growTree, leafOf } from "./merkle.js";
import type { People } from "./people.js";
import { expiryOf, sealIn, signStatement } from "./statement.js";

export interface SignedChanges {
  readonly changes: readonly Change[];
  /** Who signs the operation; null if nobody has to, or can. */
  readonly signer: Signer | null;
  /** What they say about its approvals; null if it has none. */
  readonly statement: string | null;
}

interface SignatureRequest {
  readonly sign: Sign;
  readonly intent: Pick<Stamped, "actor" | "verb" | "at">;
  /** The hash of the preview that the person said yes to. */
  readonly shown?: string | undefined;
  readonly people: People;
  readonly writer: Pick<Writer, "node" | "link" | "op" | "random">;
  /** An undo or a redo brings back approvals with the seals that they had. */
  readonly isReplay: boolean;
}

export async function sealChanges(request: SignatureRequest, asked: readonly Change[]): Promise<Result<SignedChanges>> {
  const { sign, people, intent, writer } = request;
  const isFirst = await people.isEmpty();
  const approvals = await approvalsToSign(request, asked);
  const isSealed = approvals.size > 0 || asked.some((each) => each.entity === "person" || bringsBack(each));
  const isSigned = isSealed || sign.always;
  const first = isFirst ? await sign.first((await writer.link()) === undefined) : null;
  const asker = isSigned ? await askerOf(request, first) : null;
  if (isSealed && asker === null) return unsigned(intent.actor);
  const place = { op: writer.op, plan: isSealed ? await planOf(writer) : "" };
  const stated = asker && approvals.size > 0 ? await state(request, asker, approvals, place) : null;
  const changes = asker && isSealed ? asked.map((change) => seal(change, asker, place, stated)) : asked;
  return ok({
    changes: first === null ? changes : [...changes, firstPerson(first, sign.name, intent.at)],
    signer: isSigned ? asker : null,
    statement: stated?.statement ?? null,
  });
}

/** Null if it is nobody whom the plan knows, or begins to know now. */
async function askerOf({ sign, people }: SignatureRequest, first: Signer | null): Promise<Signer | null> {
  const keyOf = async (id: string): Promise<string | undefined> =>
    id === first?.id ? first.key : (await people.find(id))?.key;
  const signer = await sign.signer(async (id) => (await keyOf(id)) !== undefined);
  return signer !== null && (await keyOf(signer.id)) === signer.key ? signer : null;
}

interface AskedApproval {
  readonly uuid: string;
  readonly hash: string;
}

/** Land tasks get the approval of their feature from the store. */
async function approvalsToSign({ writer, isReplay }: SignatureRequest, changes: readonly Change[]) {
  const found = new Map<Change, AskedApproval>();
  for (const change of changes) {
    const approval = change.entity === "node" ? change.after?.approval : null;
    if (!approval || approval.hash === "" || (isReplay && approval.seal !== undefined)) continue;
    const { key, before, after } = change as NodeChange;
    const { kind, uuid = "" } = (before === null ? after : await writer.node(key)) ?? {};
    if (kind !== "land") found.set(change, { uuid, hash: approval.hash });
  }
  return found;
}

/** The seal of an earlier operation counts again only where a person signs for that. */
const bringsBack = ({ entity, after }: Change): boolean =>
  entity === "node" && after?.approval?.seal !== undefined && after.approval.hash !== "";

/** Where a signature counts: in this operation of this plan. */
interface Place {
  readonly op: number;
  readonly plan: string;
}

/** In the first operation nothing names the plan yet. */
const planOf = async (writer: SignatureRequest["writer"]): Promise<string> =>
  writer.op === 1 ? "" : ((await writer.link(1))?.link ?? "");

interface Stated {
  readonly statement: string;
  readonly approvalOf: ReadonlyMap<Change, Approval>;
}

/** One statement about everything that the operation approves. Whoever asks approves it, now. */
async function state(
  { intent, shown, writer }: SignatureRequest,
  signer: Signer,
  asked: ReadonlyMap<Change, AskedApproval>,
  { op, plan }: Place,
): Promise<Stated> {
  const { actor, verb, at } = intent;
  const { root, paths } = growTree([...asked.values()].map(({ uuid, hash }) => leafOf(uuid, hash)));
  const approvalOf = new Map<Change, Approval>();
  for (const [index, [change, { hash }]] of [...asked].entries())
    approvalOf.set(change, { by: actor, at, hash, seal: sealIn(op, signer, paths[index] ?? []) });
  const [previewHash, nonce] = [shown ?? null, await writer.random(16)];
  const statement = { plan, op, verb, actor, previewHash, root, nonce, at, expires: expiryOf(at) };
  return { statement: signStatement(signer, statement), approvalOf };
}

function seal(change: Change, signer: Signer, place: Place, stated: Stated | null): Change {
  if (change.entity === "person") return sealPerson(signer, place, change);
  const approval = stated?.approvalOf.get(change);
  if (change.entity !== "node" || approval === undefined) return change;
  return { ...change, after: { ...change.after, approval } };
}

/** Who adds somebody signs for them, and who changes whether they are known signs for that, and for when it was. */
function sealPerson(signer: Signer, { op, plan }: Place, change: ItemChange): ItemChange {
  const person = change.after as unknown as Person;
  if (change.before === null && person.seal === "")
    return { ...change, after: { ...person, addedBy: signer.id, seal: signer.sign(personText(person, plan)) } };
  if (person.lastChange?.seal !== "") return change;
  const lastChange = { by: signer.id, op, seal: signer.sign(personStateText(change.key, person.state, op, plan)) };
  return { ...change, after: { ...change.after, lastChange } };
}

/** Signs for themselves. */
export const firstPerson = ({ id, key, sign }: Signer, name: string, at: number): ItemChange => {
  const seal = sign(personText({ key, name, at }, ""));
  return createItem("person", id, { key, name, addedBy: null, at, seal, state: "known" });
};

const unsigned = (actor: string): Result<never> =>
  isPerson(actor)
    ? refused(
        "no-secret",
        "Only a secret that this plan knows can sign this, and there is none here. Nothing was changed.",
        { next: [step("people.list")] },
      )
    : refused("needs-person", `Only a person can bring back an approval, and ${actor} is not one.`);
