import { createItem } from "../../model/item/item.js";
import { actWithNumber, type Context } from "../../plan/base/context.js";
import { signerFrom } from "../../store/signer.js";
import { RECOVERY } from "../consent/person.js";
import { fields, ok, planVerb, step } from "../kit/verb.js";

export const verb = planVerb({
  command: { words: "people recovery", group: "tool" },
  summary: "Make a recovery key, which is shown once",
  description:
    "A spare secret that this plan knows and this machine does not keep. With it you add your new key after your own secret was lost. It proves a person, so keep it where no agent can read it. A key that you made earlier stays valid until you remove it.",
  who: "person",
  effect: "writes",
  input: fields({}),
  examples: [{ input: {}, does: "shows a new recovery key, which you write down" }],
  run: (session) => addRecoveryKey(session),
  text: ({ recovery }) => recoveryLines(recovery),
  next: () => [step("people.list")],
});

/** The plan keeps its public half; the secret is in the answer, and nowhere else. */
export async function addRecoveryKey(context: Context) {
  const recovery = process.getBuiltinModule("node:crypto").randomBytes(32).toString("hex");
  const { id, key } = signerFrom(recovery);
  return actWithNumber(context, "people", async (_, at) => {
    // The store signs it, and says who signed.
    const person = { key, name: RECOVERY, addedBy: null, at, seal: "", state: "known" } as const;
    const sentence = `${context.actor} made a recovery key (${id}) for this plan`;
    return ok({ sentence, changes: [createItem("person", id, person)], value: { id, recovery } });
  });
}

export const recoveryLines = (recovery: string): string[] => [
  "Your recovery key is shown only now. Write it down, and keep it away from this machine:",
  `  ${recovery}`,
  "If you lose your secret, set PLANWRIGHT_SECRET to it and add your new key with people add.",
];
