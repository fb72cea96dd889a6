import { isActor } from "../../model/actor.js";
import { changeItem, createItem } from "../../model/item/item.js";
import { actWithNumber, type Context } from "../../plan/base/context.js";
import { idOfKey } from "../../store/signer.js";
import { fields, filled, type Infer, ok, optional, planVerb, type Result, refused, step, usage } from "../kit/verb.js";

export const input = fields({
  key: filled("their key, which begins with pwk_", "KEY"),
  name: optional(filled("who they are; you, unless given", "NAME")),
});

export const verb = planVerb({
  command: { words: "people add", group: "tool", positional: ["key"] },
  summary: "Let somebody else approve in this plan",
  description:
    "Takes the key that people prints where their secret is: a colleague, or you on another machine or in CI. It is signed with your secret, so only somebody whom the plan knows can add another person.",
  who: "person",
  effect: "writes",
  input,
  examples: [
    {
      input: { key: "pwk_3fa1c29e5b7d8846_Qm9vayBvZiBlYXN5IHdvcmRzIGZvciBodW1hbnM", name: "grace" },
      does: "lets Grace approve, too",
    },
  ],
  run: addPerson,
  text: ({ name, id }, style) => `${style.green("✓")} What ${name} (${id}) approves runs from now on`,
  next: () => [step("people.list")],
});

/** Most people add a machine of their own, so they need not say who it is. */
export async function addPerson(context: Context, { key, name: given }: Infer<typeof input>) {
  const id = idOfKey(key);
  if (id === undefined) return noKey(key);
  const name = given === undefined ? context.actor : `human:${given.replace(/^human:/, "")}`;
  if (!isActor(name)) return usage("usage", `"${given}" is no name: use a single word.`);
  return actWithNumber(context, "people", async (writer, at) => {
    const before = await writer.item("person", id);
    if (before && before.fields.key !== key) return otherKey(before.fields.key);
    if (await writer.people.find(id)) return refused("known-already", `This plan knows ${key} already.`);
    // Who was removed comes back with the name and signature that they had: they may have added others, who were signed for by them.
    const known = before?.fields.name ?? name;
    // The store signs it, and says who signed.
    const sentence = `${context.actor} added ${known} (${id}) to the people of this plan`;
    const changes = before
      ? changeItem(before, { state: "known" })
      : [createItem("person", id, { key, name, addedBy: null, at, seal: "", state: "known" })];
    return ok({ sentence, changes, value: { id, name: known } });
  });
}

const otherKey = (key: string): Result<never> =>
  refused(
    "other-key",
    `This is not the key that this plan has for these 16 digits: that one is ${key}. Look where the secret is: people prints its key there. Nothing was changed.`,
    { next: [step("people.list")] },
  );

const noKey = (key: string): Result<never> =>
  SECRET.test(key)
    ? usage(
        "is-secret",
        "That looks like a secret. Show it to nobody. Pass the key that people prints where that secret is, which begins with pwk_.",
      )
    : usage("usage", "A key begins with pwk_. The command people prints the one of the secret that is used there.");

const SECRET = /^[0-9a-f]{64}$/i;
