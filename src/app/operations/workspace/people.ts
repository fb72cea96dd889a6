// Operations on the people whom a plan knows: what they approve runs, and what anybody else approves does not.

import type { Approved } from "../../../actions/branch/approve.js";
import type { AddedPerson, KnownPerson, RemovedPerson } from "../../../actions/people/people.js";
import { step } from "../../../model/next-step.js";
import { ok, type Result } from "../../../model/result.js";
import { operation } from "../../operation.js";
import { filled, flag, input, optional } from "../../schema.js";

export interface PeopleView {
  readonly people: readonly KnownPerson[];
  /** The key of the secret that is used here, if there is one, and whether the plan knows it. */
  readonly own: { readonly key: string; readonly isKnown: boolean } | null;
}

const list = operation({
  name: "people.list",
  summary: "Show whom this plan knows, and the key of your secret",
  description:
    "A plan knows people by the secret that they sign with: the first is whoever started it. What anybody else approves does not run. A key is no secret: it only checks signatures.",
  who: "both",
  effect: "reads",
  input: () => input({}),
  examples: [{ input: {}, does: "lists them, and says whether you are one of them" }],
  run: async (session): Promise<Result<PeopleView>> => {
    const { listPeople } = await import("../../../actions/people/people.js");
    const { secretsAt } = await import("../../consent/sign.js");
    const { signerFrom } = await import("../../../store/people/signer.js");
    const people = await listPeople(session);
    const mine = secretsAt(session).map(signerFrom);
    const used = mine.find(({ id }) => people.some((each) => each.id === id)) ?? mine[0];
    const isKnown = people.some(({ id }) => id === used?.id);
    return ok({ people, own: used === undefined ? null : { key: used.key, isKnown } });
  },
});

const add = operation({
  name: "people.add",
  summary: "Let somebody else approve in this plan",
  description:
    "Takes the key that people prints where their secret is: a colleague, or you on another machine or in CI. It is signed with your secret, so only somebody whom the plan knows can add another person.",
  who: "person",
  effect: "writes",
  input: () =>
    input({
      key: filled("their key, which begins with pwk_", "KEY"),
      name: optional(filled("who they are; you, unless given", "NAME")),
    }),
  examples: [
    {
      input: { key: "pwk_3fa1c29e5b7d8846_Qm9vayBvZiBlYXN5IHdvcmRzIGZvciBodW1hbnM", name: "grace" },
      does: "lets Grace approve, too",
    },
  ],
  run: async (session, asked): Promise<Result<AddedPerson>> =>
    (await import("../../../actions/people/people.js")).addPerson(session, asked),
});

const remove = operation({
  name: "people.remove",
  summary: "Let somebody approve no more in this plan",
  description:
    "What they approved and is not finished waits until somebody confirms it with people confirm. The last one cannot be removed.",
  who: "person",
  effect: "writes",
  destructive: true,
  input: () => input({ key: filled("their key, or its first 16 digits as people shows them", "KEY") }),
  examples: [{ input: { key: "3fa1c29e5b7d8846" }, does: "stops counting what they approve" }],
  run: async (session, { key }): Promise<Result<RemovedPerson>> =>
    (await import("../../../actions/people/people.js")).removePerson(session, key),
});

const confirm = operation({
  name: "people.confirm",
  summary: "Confirm approvals of people this plan does not know",
  description:
    "In one step: everything that was approved with a secret that this plan does not know, for example before an upgrade or by somebody who was removed. It shows every node and every command, as approve does, and asks. Without a terminal, confirm with seen or yes.",
  who: "person",
  effect: "writes",
  input: () =>
    input({
      seen: optional(filled("confirm exactly what a preview with this hash showed", "HASH")),
      yes: optional(flag("confirm without showing it and asking")),
    }),
  examples: [
    { input: {}, does: "shows what waits, asks, and approves it" },
    { input: { yes: true }, does: "approves it without a question" },
  ],
  run: async (session, consent): Promise<Result<Approved>> => {
    const { approve, previewApproval } = await import("../../../actions/branch/approve.js");
    const { confirmApproval } = await import("../../consent/confirm-approval.js");
    const asked = { references: [], unknown: true };
    const seen = await confirmApproval(session, {
      consent,
      preview: (settings) => previewApproval(session, asked, settings),
      question: "Approve all of this?",
      withSeen: (hash) => step("people.confirm", { seen: hash }),
    });
    return seen.ok ? approve(session, asked, seen.value) : seen;
  },
});

export const peopleOperations = {
  "people.list": list,
  "people.add": add,
  "people.remove": remove,
  "people.confirm": confirm,
};
