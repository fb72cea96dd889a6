import { step } from "../../model/next-step.js";
import type { Result } from "../../model/result.js";
import { fields, filled } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import type { RemovedPerson } from "./list.js";

export const input = fields({ key: filled("their key, or its first 16 digits as people shows them", "KEY") });

export const verb = planVerb({
  name: "people.remove",
  command: { words: "people remove", group: "tool", positional: ["key"] },
  summary: "Let somebody approve no more in this plan",
  description:
    "What they approved and is not finished waits until somebody confirms it with people confirm. The last one cannot be removed.",
  who: "person",
  effect: "writes",
  destructive: true,
  input,
  examples: [{ input: { key: "3fa1c29e5b7d8846" }, does: "stops counting what they approve" }],
  run: async (session, { key }): Promise<Result<RemovedPerson>> =>
    (await import("./list.js")).removePerson(session, key),
  text: ({ name, id, unconfirmed }, style) =>
    [
      `${style.green("✓")} What ${name} (${id}) approves does not run any more`,
      ...(unconfirmed.length === 0
        ? []
        : [
            `  Waits for somebody to confirm it: ${unconfirmed.slice(0, 10).join(", ")}${unconfirmed.length > 10 ? ", …" : ""}`,
          ]),
    ].join("\n"),
  next: ({ unconfirmed }) => (unconfirmed.length === 0 ? [step("people.list")] : [step("people.confirm")]),
});
