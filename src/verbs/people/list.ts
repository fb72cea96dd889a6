import { type Actor, isActor } from "../../model/actor.js";
import { changeItem, createItem } from "../../model/item/item.js";
import { step } from "../../model/next-step.js";
import type { Approval } from "../../model/node/node.js";
import { type Change, changeNode } from "../../model/operation/change.js";
import { absent, ok, type Result, refused, usage } from "../../model/result.js";
import { act, type Context } from "../../plan/base/context.js";
import { isoTime } from "../../plan/node/view.js";
import { idOfKey, idOfSignature } from "../../store/signer.js";
import type { Writer } from "../../store/store.js";
import { fields } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";

export const input = fields({});

export const verb = planVerb({
  name: "people.list",
  command: { words: "people", group: "tool" },
  summary: "Show whom this plan knows, and the key of your secret",
  description:
    "A plan knows people by the secret that they sign with: the first is whoever started it. What anybody else approves does not run. A key is no secret: it only checks signatures.",
  who: "both",
  effect: "reads",
  input,
  examples: [{ input: {}, does: "lists them, and says whether you are one of them" }],
  run: async (session): Promise<Result<PeopleView>> => {
    const { secretsAt } = await import("../consent/sign.js");
    const { signerFrom } = await import("../../store/signer.js");
    const people = await listPeople(session);
    const mine = secretsAt(session).map(signerFrom);
    const used = mine.find(({ id }) => people.some((each) => each.id === id)) ?? mine[0];
    const isKnown = people.some(({ id }) => id === used?.id);
    return ok({ people, own: used === undefined ? null : { key: used.key, isKnown } });
  },
  text: ({ people, own }, style) =>
    [
      ...(people.length === 0
        ? [style.dim("This plan knows nobody yet. The first will be the person of the secret file on this machine.")]
        : []),
      ...people.map(
        ({ id, name, since, addedBy }) =>
          `${style.bold(name)}  ${id}  since ${since.slice(0, 10)}${addedBy === null ? ", started the plan" : `, added by ${addedBy}`}`,
      ),
      ...(own === null
        ? []
        : ["", own.isKnown ? "You are one of them. Your key:" : "You are not one of them. Your key:", `  ${own.key}`]),
    ].join("\n"),
  note: ({ own, people }) =>
    own === null || own.isKnown || people.length === 0
      ? ""
      : "Somebody whom the plan knows adds this key. Whoever has its secret can then approve everything, so add it only if you made that secret yourself.",
  next: ({ own, people }) =>
    own === null || own.isKnown || people.length === 0 ? [] : [step("people.add", { key: own.key })],
});

interface PeopleView {
  readonly people: readonly KnownPerson[];
  /** The key of the secret that is used here, if there is one, and whether the plan knows it. */
  readonly own: { readonly key: string; readonly isKnown: boolean } | null;
}

interface KnownPerson {
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

interface AddPersonInput {
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
    const before = await writer.item("person", id);
    if (before && before.fields.key !== input.key) return otherKey(before.fields.key);
    if (await writer.people.find(id)) return refused("known-already", `This plan knows ${input.key} already.`);
    // Who was removed comes back with the name and signature that they had: they may have added others, who were signed for by them.
    const value = before?.fields.name ?? name;
    // The store signs it, and says who signed.
    const sentence = `${context.actor} added ${value} (${id}) to the people of this plan`;
    const changes = before
      ? changeItem(before, { state: "known" })
      : [createItem("person", id, { key: input.key, name, addedBy: null, at, seal: "", state: "known" })];
    return ok({ sentence, changes, value });
  });
  return committed.ok ? ok({ op: committed.value.op, id, name: committed.value.value }) : committed;
}

const otherKey = (key: string): Result<never> =>
  refused(
    "other-key",
    `This is not the key that this plan has for these 16 digits: that one is ${key}. Look where the secret is: people prints its key there. Nothing was changed.`,
    { next: [step("people.list")] },
  );

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
