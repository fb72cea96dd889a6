// Operations on bundles: the whole input of one attempt, packed into one text.

import type { Bundled, BundleView } from "../../../actions/bundle/bundle.js";
import type { Integrity } from "../../../model/item/bundle.js";
import { step } from "../../../model/next-step.js";
import { fail, ok, type Result } from "../../../model/result.js";
import { operation } from "../../operation.js";
import { flag, input, judged, node, nodes, optional } from "../../schema.js";

export interface BundlesCreated extends Omit<Bundled, "bundles"> {
  /** With their text when it was asked for. */
  readonly bundles: readonly (BundleView & { readonly text?: string })[];
}

const create = operation({
  name: "bundle.create",
  summary: "Pack everything that one attempt of a task needs",
  description:
    "A bundle is one text with the task, its files, checks and behaviours, the records in force, the results of its dependencies, and lessons that fit. It is written to .planwright/bundles with the hashes of everything in it.",
  who: "both",
  effect: "writes",
  input: () =>
    input({
      references: optional(nodes("a task")),
      ready: optional(flag("every task that can be claimed now")),
      noLessons: optional(flag("leave out lessons of earlier work")),
      text: optional(flag("answer with the text itself")),
    }).check(
      judged(({ references, ready }) =>
        (references === undefined) === (ready === true)
          ? undefined
          : "must name tasks, or ask for those that are ready",
      ),
    ),
  examples: [
    { input: { references: ["TASK-00007"] }, does: "packs a task, and says how large the bundle is and where" },
    { input: { references: ["TASK-00007"], text: true }, does: "prints what the worker will read" },
    { input: { ready: true }, does: "packs every task that can be claimed now" },
  ],
  run: async (context, { text: wantsText, ...asked }): Promise<Result<BundlesCreated>> => {
    const packed = await (await import("../../../actions/bundle/bundle.js")).createBundles(context, asked);
    if (!packed.ok) return packed;
    const { op, bundles: all } = packed.value;
    return ok({ op, bundles: all.map(({ text, ...view }) => (wantsText ? { ...view, text } : view)) });
  },
});

const bundles = operation({
  name: "bundle.list",
  summary: "List the bundles that are packed",
  who: "both",
  effect: "reads",
  input: () => input({}),
  examples: [{ input: {}, does: "lists them with their size, and which are no longer needed" }],
  run: async (context) => (await import("../../../actions/bundle/bundle-check.js")).listBundles(context),
});

/** Drifted has an exit code of its own, that of something absent: the attempt can go on, and says so. */
const FAILURES = {
  missing: { kind: "problems", message: "is incomplete" },
  drifted: { kind: "absent", message: "has changed since it was packed" },
} as const satisfies Record<Exclude<Integrity["state"], "whole">, unknown>;

const check = operation({
  name: "bundle.check",
  summary: "Check that nothing changed since a bundle was packed",
  description:
    "Exits with 0 when the bundle is whole, 1 when something is missing, 2 when something has changed since it was packed, and lists each.",
  who: "both",
  effect: "reads",
  input: () => input({ reference: node("the task") }),
  examples: [{ input: { reference: "TASK-00007" }, does: "compares the bundle with the plan and the files" }],
  run: async (context, { reference }) => {
    const checked = await (await import("../../../actions/bundle/bundle-check.js")).checkBundle(context, reference);
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
});

const clean = operation({
  name: "bundle.clean",
  summary: "Remove the bundles of finished tasks from disk",
  description: "Their texts stay in the store. Once such a task is open again, it can be packed again.",
  who: "both",
  effect: "writes",
  destructive: true,
  input: () => input({}),
  examples: [{ input: {}, does: "removes bundles that are no longer needed" }],
  run: async (context) => (await import("../../../actions/bundle/bundle-check.js")).cleanBundles(context),
});

export const bundleOperations = {
  "bundle.create": create,
  "bundle.list": bundles,
  "bundle.check": check,
  "bundle.clean": clean,
};
