import { isPerson } from "../../model/actor.js";
import { isoTime } from "../../model/iso-time.js";
import { type Context, ok, planVerb, step } from "../kit/verb.js";

export const verb = planVerb({
  command: { words: "people", group: "tool", aliases: ["people list"] },
  summary: "Show whom this plan knows, and the key of your secret",
  description:
    "A plan knows people by the secret that they sign with: the first is whoever started it. What anybody else approves does not run. A key is no secret: it only checks signatures.",
  effect: "reads",
  examples: [{ input: {}, does: "lists them, and says whether you are one of them" }],
  run: async (session) => {
    const { secretsAt } = await import("../consent/person.js");
    const { signerFrom } = await import("../../store/signer.js");
    const people = await listPeople(session);
    const mine = secretsAt(session).map(signerFrom);
    const used = mine.find(({ id }) => people.some((each) => each.id === id)) ?? mine[0];
    const isKnown = people.some(({ id, approves }) => id === used?.id && approves);
    const isAgent = !isPerson(session.actor);
    return ok({ people, own: used === undefined ? null : { key: used.key, isKnown, isAgent } });
  },
  text: ({ people, own }, style) => [
    people.length === 0 &&
      style.dim("This plan knows nobody yet. The first will be the person of the secret file on this machine."),
    ...people.map(
      ({ id, name, since, addedBy, approves }) =>
        `${style.bold(name)}  ${id}  since ${since.slice(0, 10)}${addedBy === null ? ", started the plan" : `, added by ${addedBy}`}${approves ? "" : ", approves nothing"}`,
    ),
    ...(own === null ? [] : ["", ownWords(own), `  ${own.key}`]),
  ],
  note: ({ own, people }) =>
    own === null || own.isKnown || people.length === 0
      ? ""
      : "Somebody whom the plan knows adds this key. Whoever has its secret can then approve everything, so add it only if you made that secret yourself.",
  next: ({ own, people }) =>
    own === null || own.isKnown || people.length === 0 ? [] : [step("people.add", { key: own.key })],
});

/** An agent may see the key of the person whose machine it works on, and is nobody whom the plan knows. */
const ownWords = ({ isKnown, isAgent }: { readonly isKnown: boolean; readonly isAgent: boolean }): string => {
  if (isAgent)
    return `The key on this machine is ${isKnown ? "" : "not "}one of theirs. You are an agent, so it is not yours:`;
  return `You are ${isKnown ? "" : "not "}one of them. Your key:`;
};

/** `addedBy` is null for the person who started the plan. Machines approve nothing. */
export const listPeople = ({ store }: Pick<Context, "store">) =>
  store.read(async (reader) => {
    const rows = await reader.items("person", {});
    const names = new Map(rows.map(({ key, fields }) => [key, fields.name]));
    const found = await Promise.all(
      rows.map(async ({ key: id }) => ({ id, person: await reader.people.enrolled(id) })),
    );
    return found.flatMap(({ id, person }) => {
      if (!person) return [];
      const { name, key, at, addedBy } = person;
      const by = addedBy === null ? null : (names.get(addedBy) ?? null);
      return [{ id, name, key, since: isoTime(at), addedBy: by, approves: isPerson(name) }];
    });
  });
