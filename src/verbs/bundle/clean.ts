import { fields } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";

export const input = fields({});

export const verb = planVerb({
  name: "bundle.clean",
  command: { words: "bundle clean", hidden: true, group: "work" },
  summary: "Remove the bundles of finished tasks from disk",
  description: "Their texts stay in the store. Once such a task is open again, it can be packed again.",
  who: "both",
  effect: "writes",
  destructive: true,
  input,
  examples: [{ input: {}, does: "removes bundles that are no longer needed" }],
  run: async (context) => (await import("./check.js")).cleanBundles(context),
  text: ({ removed }, style) =>
    removed.length === 0
      ? style.dim("No finished task has a bundle.")
      : `${style.dim("−")} removed: ${removed.join(", ")}`,
  note: ({ removed }) => (removed.length === 0 ? "" : "Their texts stay in the store."),
});
