import { isActor, isPerson } from "../../model/actor.js";
import { changeItem, createItem } from "../../model/item/item.js";
import { changedTo } from "../../model/item/person.js";
import { actWithNumber, type Context } from "../../plan/base/context.js";
import { idOfKey } from "../../store/signer.js";
import {
  fields,
  filled,
  flag,
  type Infer,
  ok,
  optional,
  planVerb,
  type Result,
  refused,
  step,
  usage,
} from "../kit/verb.js";

export const input = fields({
  key: filled("their key, which begins with pwk_", "KEY"),
  name: optional(filled("who they are; you, unless given", "NAME")),
  machine: optional(flag("it is a daemon or CI, which never approves")),
});

export const verb = planVerb({
  command: { words: "people add", group: "tool", aliases: ["person add"], positional: ["key"] },
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
    {
      input: { key: "pwk_9b07d4416ac2e35f_QSBtYWNoaW5lIHRoYXQgYXBwcm92ZXMgbm90aGluZyE", name: "ci", machine: true },
      does: "adds the key of your CI, which approves nothing",
    },
  ],
  run: addPerson,
  text: ({ name, id }, style) =>
    isPerson(name)
      ? `${style.green("✓")} What ${name} (${id}) approves runs from now on`
      : `${style.green("✓")} Added ${name} (${id}), which approves nothing`,
  next: () => [step("people.list")],
});

/** Most people add a machine of their own, so they need not say who it is. */
export async function addPerson(context: Context, { key, name: given, machine = false }: Infer<typeof input>) {
  const id = idOfKey(key);
  if (id === undefined) return noKey(key);
  if (machine && given === undefined) return usage("usage", "Which machine is it? Add a name, for example: --name ci");
  const name =
    given === undefined ? context.actor : `${machine ? "daemon" : "human"}:${given.replace(/^(human|daemon):/, "")}`;
  if (!isActor(name)) return usage("usage", `"${given}" is no name: use a single word.`);
  return actWithNumber(context, "people", async (writer, at) => {
    const before = await writer.item("person", id);
    if (before && before.fields.key !== key) return otherKey(before.fields.key);
    if (await writer.people.enrolled(id)) return refused("known-already", `This plan knows ${key} already.`);
    if (before && isPerson(before.fields.name) === machine) return otherKind(before.fields.name);
    // Who was removed comes back with the name and signature that they had: they may have added others, who were signed for by them.
    const known = before?.fields.name ?? name;
    // The store signs it, and says who signed.
    const sentence = `${context.actor} added ${known} (${id}) to the people of this plan`;
    const changes = before
      ? changeItem(before, changedTo("known"))
      : [createItem("person", id, { key, name, addedBy: null, at, seal: "", state: "known" })];
    return ok({ sentence, changes, value: { id, name: known } });
  });
}

/** What a machine can read is no key of a person, and the other way round. */
const otherKind = (name: string): Result<never> =>
  refused(
    "other-kind",
    `This key was that of ${name}. Add ${isPerson(name) ? "another key for the machine" : "another key for the person"}.`,
    {
      next: [step("people.list")],
    },
  );

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
