// Before an operation is written: signs its approvals, and whom it adds to the people of the plan. What has to be signed, and nobody
// whom the plan knows signs, is refused.

import { isPerson } from "../../model/actor.js";
import { type CloneSeal, cloneText } from "../../model/item/clone.js";
import { createItem, type ItemChange } from "../../model/item/item.js";
import { type Person, personStateText, personText } from "../../model/item/person.js";
import { step } from "../../model/next-step.js";
import type { Change, NodeChange } from "../../model/operation/change.js";
import { ok, type Result, refused } from "../../model/result.js";
import { idOfSignature, type Signer } from "../signer.js";
import type { Sign, Stamped, Writer } from "../store.js";
import { Digests, HashTree, leafOf } from "./merkle.js";
import type { People } from "./people.js";
import { expiryOf, isVouched, readTravellingSeal, sealIn, signStatement } from "./statement.js";

/** All changes of an operation, in parts that need not be in memory together. They can be gone through again, and are the same then. */
export type ChangeParts = () => Iterable<readonly Change[]> | AsyncIterable<readonly Change[]>;

export interface SignedChanges {
  /** A part as it is written. Each of them once, in the order of the parts. */
  readonly sealed: (part: readonly Change[]) => Promise<readonly Change[]>;
  /** What comes with them. */
  readonly further: readonly Change[];
  /** Who signs the operation; null if nobody has to, or can. */
  readonly signer: Signer | null;
  /** What they say about its approvals; null if it has none. */
  readonly statement: string | null;
}

export const UNSIGNED: SignedChanges = { sealed: async (part) => part, further: [], signer: null, statement: null };

interface SignatureRequest {
  readonly sign: Sign;
  readonly intent: Pick<Stamped, "actor" | "verb" | "at">;
  /** The hash of the preview that the person said yes to. */
  readonly shown?: string | undefined;
  readonly people: People;
  readonly writer: Pick<Writer, "node" | "link" | "op" | "random" | "document">;
  /** An undo or a redo brings back approvals with the seals that they had. */
  readonly isReplay: boolean;
}

export async function sealChanges(request: SignatureRequest, parts: ChangeParts): Promise<Result<SignedChanges>> {
  const { sign, people, intent, writer } = request;
  const isFirst = await people.isEmpty();
  const asked = await whatToSign(request, parts);
  if (!asked.ok) return asked;
  const { leaves, isSealed, isShared } = asked.value;
  const isSigned = isSealed || sign.always;
  const first = isFirst ? await sign.first((await writer.link()) === undefined) : null;
  const asker = isSigned || isShared ? await askerOf(request, first) : null;
  if (isSealed && asker === null) return unsigned(intent.actor);
  const further = first === null ? [] : [firstPerson(first, sign.name, intent.at)];
  const signer = isSigned ? asker : null;
  if (asker === null || !(isSealed || isShared)) return ok({ ...UNSIGNED, further, signer });
  const place = { op: writer.op, plan: await planOf(writer) };
  const tree = leaves.length > 0 ? new HashTree(leaves) : null;
  const statement = tree && (await state(request, asker, tree.root, place));
  return ok({ sealed: sealing(request, asker, place, tree), further, signer, statement });
}

async function whatToSign(request: SignatureRequest, parts: ChangeParts) {
  const leaves = new Digests();
  let isSealed = false;
  let isShared = false;
  for await (const part of parts()) {
    for (const change of part) {
      const leaf = await leafToSign(request, change);
      if (leaf !== undefined) leaves.push(leaf);
      const isTravelled = hasTravelled(request, change);
      if (isTravelled && !(await isVouchedFor(request, change as NodeChange))) return notVouchedFor();
      isSealed ||= leaf !== undefined || change.entity === "person" || (!isTravelled && bringsBack(change));
      isShared ||= isUnsealed(change);
    }
  }
  return ok({ leaves, isSealed, isShared });
}

/** Null if it is nobody whom the plan knows, or begins to know now. */
async function askerOf({ sign, people }: SignatureRequest, first: Signer | null): Promise<Signer | null> {
  const keyOf = async (id: string): Promise<string | undefined> =>
    id === first?.id ? first.key : (await people.find(id))?.key;
  const signer = await sign.signer(async (id) => (await keyOf(id)) !== undefined);
  return signer !== null && (await keyOf(signer.id)) === signer.key ? signer : null;
}

/** Undefined if there is no approval to sign. Land tasks get the approval of their feature from the store. */
async function leafToSign(request: SignatureRequest, change: Change): Promise<string | undefined> {
  const { writer, isReplay } = request;
  const approval = change.entity === "node" ? change.after?.approval : null;
  if (!approval || approval.hash === "" || (isReplay && approval.seal !== undefined)) return undefined;
  if (hasTravelled(request, change)) return undefined;
  const { key, before, after } = change as NodeChange;
  const { kind, uuid = "" } = (before === null ? after : await writer.node(key)) ?? {};
  return kind === "land" ? undefined : leafOf(uuid, approval.hash);
}

/** Signed in another clone. What an undo or a redo brings back is for a person to sign. */
const hasTravelled = ({ isReplay }: SignatureRequest, { entity, after }: Change): boolean =>
  !isReplay && entity === "node" && readTravellingSeal(after?.approval?.seal ?? "") !== undefined;

/** Whether a person whom the plan knows signed what passes for their approval. Land tasks follow their feature. */
async function isVouchedFor({ writer, people }: SignatureRequest, change: NodeChange): Promise<boolean> {
  const { key, before, after } = change;
  const { kind, uuid = "" } = (before === null ? after : await writer.node(key)) ?? {};
  const approval = after?.approval;
  const seal = approval?.seal ?? "";
  const person = await people.find(idOfSignature(seal));
  const statement = await writer.document(readTravellingSeal(seal)?.statement ?? "");
  return kind === "land" || (!!approval && !!person && isVouched(uuid, approval, person.key, statement));
}

const notVouchedFor = (): Result<never> =>
  refused("approval-unknown", "Nobody whom this plan knows signed an approval that another clone tells of.");

/** What this clone shares, which nobody has signed yet. */
const isUnsealed = ({ entity, after }: Change): boolean =>
  entity === "clone" && (after?.["sealed"] as CloneSeal | null | undefined)?.seal === "";

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

/** One statement about everything that the operation approves. */
async function state(
  { intent, shown, writer }: SignatureRequest,
  signer: Signer,
  root: string,
  { op, plan }: Place,
): Promise<string> {
  const { actor, verb, at } = intent;
  const [previewHash, nonce] = [shown ?? null, await writer.random(16)];
  return signStatement(signer, { plan, op, verb, actor, previewHash, root, nonce, at, expires: expiryOf(at) });
}

function sealing(
  request: SignatureRequest,
  signer: Signer,
  place: Place,
  tree: HashTree | null,
): SignedChanges["sealed"] {
  let next = 0;
  return async (part) => {
    const done: Change[] = [];
    for (const change of part) {
      const leaf = tree && (await leafToSign(request, change));
      if (change.entity === "person") done.push(sealPerson(signer, place, change));
      else if (isUnsealed(change)) done.push(sealClone(signer, change as ItemChange));
      else if (!leaf) done.push(change);
      else {
        const index = next++;
        // What was signed is what is written, also where both were read apart.
        if (leaf !== tree.leaf(index))
          throw new Error("The parts of an operation were not the same when they were read again.");
        done.push(approved(change as NodeChange, request.intent, sealIn(place.op, signer, tree.path(index))));
      }
    }
    return done;
  };
}

/** Whoever asks approves it, now. */
const approved = (change: NodeChange, { actor: by, at }: SignatureRequest["intent"], seal: string): NodeChange => ({
  ...change,
  after: { ...change.after, approval: { by, at, hash: change.after?.approval?.hash ?? "", seal } },
});

/** Who adds somebody signs for them, and who changes whether they are known signs for that, and for when it was. */
function sealPerson(signer: Signer, { op, plan }: Place, change: ItemChange): ItemChange {
  const person = change.after as unknown as Person;
  if (change.before === null && person.seal === "")
    return { ...change, after: { ...person, addedBy: signer.id, seal: signer.sign(personText(person, plan)) } };
  if (person.lastChange?.seal !== "") return change;
  const lastChange = { by: signer.id, op, seal: signer.sign(personStateText(change.key, person.state, op, plan)) };
  return { ...change, after: { ...change.after, lastChange } };
}

function sealClone(signer: Signer, change: ItemChange): ItemChange {
  const sealed = change.after?.["sealed"] as CloneSeal;
  const seal = signer.sign(cloneText(change.key, sealed));
  return { ...change, after: { ...change.after, sealed: { ...sealed, seal } } };
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
