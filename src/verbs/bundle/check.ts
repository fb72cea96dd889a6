import type { Integrity } from "../../model/item/bundle.js";
import { step } from "../../model/next-step.js";
import { fail } from "../../model/result.js";
import { fields, node } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { harmless } from "../text/harmless.js";
import type { BundleChecked } from "./bundle-check.js";

/** Drifted has an exit code of its own, that of something absent: the attempt can go on, and says so. */
const FAILURES = {
  missing: { kind: "problems", message: "is incomplete" },
  drifted: { kind: "absent", message: "has changed since it was packed" },
} as const satisfies Record<Exclude<Integrity["state"], "whole">, unknown>;

export const input = fields({ reference: node("the task") });

export const verb = planVerb({
  name: "bundle.check",
  command: { words: "bundle check", group: "work", positional: ["reference"] },
  summary: "Check that nothing changed since a bundle was packed",
  description:
    "Exits with 0 when the bundle is whole, 1 when something is missing, 2 when something has changed since it was packed, and lists each.",
  who: "both",
  effect: "reads",
  resource: { address: "bundle", summary: "Whether the packed context of a task is still whole", field: "reference" },
  input,
  examples: [{ input: { reference: "TASK-00007" }, does: "compares the bundle with the plan and the files" }],
  run: async (context, { reference }) => {
    const checked = await (await import("./bundle-check.js")).checkBundle(context, reference);
    if (!checked.ok || checked.value.state === "whole") return checked;
    const { id, state } = checked.value;
    const { kind, message } = FAILURES[state];
    const next = [step("bundle.create", { references: [id] })];
    return fail({
      kind,
      reason: state,
      message: `The bundle of ${id} ${message}.`,
      details: { ...checked.value },
      next,
    });
  },
  text: ({ id }, style) => `${style.green("✓")} ${style.bold(id)}  everything is as it was packed.`,
  reports: ["drifted"],
  problems: ({ items }: Pick<BundleChecked, "items">, style) =>
    items
      .map(({ what, state, detail }) => {
        const sign = state === "missing" ? style.red("✗") : style.yellow("~");
        return `${sign} ${state}  ${style.bold(harmless(what))}  ${detail}`;
      })
      .join("\n"),
});
