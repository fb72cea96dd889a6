import { step } from "../../model/next-step.js";
import { ok, type Result } from "../../model/result.js";
import { fields } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import type { KnownPerson } from "./people.js";

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
    const { listPeople } = await import("./people.js");
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
      ...(people.length === 0 ? [style.dim("This plan knows nobody yet: the first is whoever approves first.")] : []),
      ...people.map(
        ({ id, name, since, addedBy }) =>
          `${style.bold(name)}  ${id}  since ${since.slice(0, 10)}${addedBy === null ? ", started the plan" : `, added by ${addedBy}`}`,
      ),
      ...(own === null
        ? []
        : ["", own.isKnown ? "You are one of them. Your key:" : "You are not one of them. Your key:", `  ${own.key}`]),
    ].join("\n"),
  note: ({ own, people }) =>
    own === null || own.isKnown || people.length === 0 ? "" : "Somebody whom the plan knows adds you with your key.",
  next: ({ own, people }) =>
    own === null || own.isKnown || people.length === 0 ? [] : [step("people.add", { key: own.key })],
});

interface PeopleView {
  readonly people: readonly KnownPerson[];
  /** The key of the secret that is used here, if there is one, and whether the plan knows it. */
  readonly own: { readonly key: string; readonly isKnown: boolean } | null;
}
