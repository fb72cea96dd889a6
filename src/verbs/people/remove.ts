import { isPerson } from "../../model/actor.js";
import { changeItem } from "../../model/item/item.js";
import { changedTo } from "../../model/item/person.js";
import type { Approval } from "../../model/node/node.js";
import { type Change, changeNode } from "../../model/operation/change.js";
import { idOfKey, idOfSignature } from "../../store/signer.js";
import type { Writer } from "../../store/store.js";
import { absent, actWithNumber, type Context, fields, filled, ok, planVerb, refused, step } from "../kit/verb.js";

export const input = fields({ key: filled("their key, or its first 16 digits as people shows them", "KEY") });

export const verb = planVerb({
  command: { words: "people remove", group: "tool", aliases: ["person remove"], positional: ["key"] },
  summary: "Let somebody approve no more in this plan",
  description:
    "What they approved and is not finished waits until somebody confirms it with people confirm. The last one cannot be removed.",
  who: "person",
  effect: "writes",
  destructive: true,
  input,
  examples: [{ input: { key: "3fa1c29e5b7d8846" }, does: "stops counting what they approve" }],
  run: (session, { key }) => removePerson(session, key),
  text: ({ name, id, unconfirmed }, style) => [
    isPerson(name)
      ? `${style.green("✓")} What ${name} (${id}) approves does not run any more`
      : `${style.green("✓")} Removed ${name} (${id})`,
    unconfirmed.length !== 0 &&
      `  Waits for somebody to confirm it: ${unconfirmed.slice(0, 10).join(", ")}${unconfirmed.length > 10 ? ", …" : ""}`,
  ],
  next: ({ unconfirmed }) => (unconfirmed.length === 0 ? [step("people.list")] : [step("people.confirm")]),
});

/** `reference`: the key, or the id of the secret. What they approved, and is not finished, waits until somebody confirms it. */
export async function removePerson(context: Context, reference: string) {
  const id = idOfKey(reference) ?? reference;
  return actWithNumber(context, "people", async (writer) => {
    const item = await writer.item("person", id);
    const person = await writer.people.enrolled(id);
    if (!item || !person)
      return absent("not-found", `This plan does not know ${reference}.`, { next: [step("people.list")] });
    if (isPerson(person.name) && (await others(writer, id)) === 0) {
      const message = `${person.name} is the only person whom this plan knows. Add another one first.`;
      return refused("last-person", message, { next: [step("people.add", {}, "key")] });
    }
    const { changes, ids } = await unconfirming(writer, id);
    const sentence = `${context.actor} removed ${person.name} (${id}) from the people of this plan`;
    const value = { id, name: person.name, unconfirmed: ids };
    return ok({ sentence, changes: [...changeItem(item, changedTo("removed")), ...changes], value });
  });
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
