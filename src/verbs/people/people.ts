// Whom the plan knows: lists them, adds one, and removes one. Only who is known adds or removes.

import { type Actor, isActor } from "../../model/actor.js";
import { changeItem, createItem } from "../../model/item/item.js";
import { step } from "../../model/next-step.js";
import type { Approval } from "../../model/node/node.js";
import { type Change, changeNode } from "../../model/operation/change.js";
import { absent, ok, type Result, refused, usage } from "../../model/result.js";
import { act, type Context } from "../../plan/context.js";
import { isoTime } from "../../plan/view.js";
import { idOfKey, idOfSignature } from "../../store/signer.js";
import type { Writer } from "../../store/store.js";

export interface KnownPerson {
  readonly id: string;
  readonly name: Actor;
  readonly key: string;
  readonly since: string;
  /** Who added them; null of the one who started the plan. */
  readonly addedBy: Actor | null;
}

export function listPeople({ store }: Pick<Context, "store">): Promise<KnownPerson[]> {
  return store.read(async (reader) => {
    const rows = await reader.items("person", {});
    const names = new Map(rows.map(({ key, fields }) => [key, fields.name]));
    const known: KnownPerson[] = [];
    for (const { key: id } of rows) {
      const person = await reader.people.find(id);
      if (!person) continue;
      const { name, key, at, addedBy } = person;
      known.push({
        id,
        name,
        key,
        since: isoTime(at),
        addedBy: addedBy === null ? null : (names.get(addedBy) ?? null),
      });
    }
    return known;
  });
}

export interface AddPersonInput {
  readonly key: string;
  /** Who they are; the name of the person who adds them unless given: most people add a machine of their own. */
  readonly name?: string;
}

export interface AddedPerson {
  readonly op: number | null;
  readonly id: string;
  readonly name: Actor;
}

export async function addPerson(context: Context, input: AddPersonInput): Promise<Result<AddedPerson>> {
  const id = idOfKey(input.key);
  if (id === undefined) return noKey(input.key);
  const name = input.name === undefined ? context.actor : `human:${input.name.replace(/^human:/, "")}`;
  if (!isActor(name)) return usage("usage", `"${input.name}" is no name: use a single word.`);
  const committed = await act(context, "people", async (writer, at) => {
    if (await writer.people.find(id)) return refused("known-already", `This plan knows ${input.key} already.`);
    // The store signs it, and says who signed.
    const sentence = `${context.actor} added ${name} (${id}) to the people of this plan`;
    const before = await writer.item("person", id);
    // Who was removed comes back with the signature that they had: they may have added others, who were signed for by them.
    const changes = before
      ? changeItem(before, { state: "known" })
      : [createItem("person", id, { key: input.key, name, addedBy: null, at, seal: "", state: "known" })];
    return ok({ sentence, changes, value: undefined });
  });
  return committed.ok ? ok({ op: committed.value.op, id, name }) : committed;
}

const SECRET = /^[0-9a-f]{64}$/i;

const noKey = (key: string): Result<never> =>
  SECRET.test(key)
    ? usage(
        "is-secret",
        "That looks like a secret. Show it to nobody. Pass the key that people prints where that secret is, which begins with pwk_.",
      )
    : usage("usage", "A key begins with pwk_. The command people prints the one of the secret that is used there.");

export interface RemovedPerson {
  readonly op: number | null;
  readonly id: string;
  readonly name: Actor;
  /** What only they had approved: it waits for another person. */
  readonly unconfirmed: readonly string[];
}

/** `reference`: the key, or the id of the secret. What they approved, and is not finished, waits until somebody confirms it. */
export async function removePerson(context: Context, reference: string): Promise<Result<RemovedPerson>> {
  const id = idOfKey(reference) ?? reference;
  const committed = await act(context, "people", async (writer) => {
    const item = await writer.item("person", id);
    const person = await writer.people.find(id);
    if (!item || !person)
      return absent("not-found", `This plan does not know ${reference}.`, { next: [step("people.list")] });
    if ((await others(writer, id)) === 0) {
      return refused("last-person", `${person.name} is the only person whom this plan knows. Add another one first.`, {
        next: [step("people.add", {}, "key")],
      });
    }
    const { changes, ids } = await unconfirming(writer, id);
    const sentence = `${context.actor} removed ${person.name} (${id}) from the people of this plan`;
    const value = { name: person.name, unconfirmed: ids };
    return ok({ sentence, changes: [...changeItem(item, { state: "removed" }), ...changes], value });
  });
  return committed.ok ? ok({ op: committed.value.op, id, ...committed.value.value }) : committed;
}

async function others(writer: Writer, id: string): Promise<number> {
  let known = 0;
  for (const { key } of await writer.items("person", { state: "known" }))
    if (key !== id && (await writer.people.find(key))) known++;
  return known;
}

async function unconfirming(writer: Writer, id: string): Promise<{ changes: Change[]; ids: string[] }> {
  const changes: Change[] = [];
  const ids: string[] = [];
  for await (const node of writer.scan()) {
    const { approval, outcome, archive, kind } = node;
    if (outcome !== null || archive !== null || kind === "land" || idOfSignature(approval?.seal ?? "") !== id) continue;
    const { by, at } = approval as Approval;
    changes.push(...changeNode(node, { approval: { by, at, hash: "" } }));
    ids.push(node.id);
  }
  return { changes, ids };
}
