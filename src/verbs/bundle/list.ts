import { step } from "../../model/next-step.js";
import { fields } from "../kit/schema.js";
import { widest } from "../kit/style.js";
import { planVerb } from "../kit/verb.js";
import { harmless, minute } from "../text/wording.js";

export const input = fields({});

export const verb = planVerb({
  name: "bundle.list",
  command: { words: "bundle list", hidden: true, group: "work" },
  summary: "List the bundles that are packed",
  who: "both",
  effect: "reads",
  input,
  examples: [{ input: {}, does: "lists them with their size, and which are no longer needed" }],
  run: async (context) => (await import("./check.js")).listBundles(context),
  text: (found, style) => {
    if (found.length === 0) return style.dim("No bundles.");
    const width = widest(found.map(({ id }) => id));
    return found
      .map(({ id, title, tokens, createdAt, there, settled }) => {
        const state = [...(there ? [] : ["not on disk"]), ...(settled ? ["settled"] : [])].join(", ");
        const marks = state === "" ? "" : style.yellow(`  ${state}`);
        return `${style.bold(id.padEnd(width))}  ${style.dim(minute(createdAt))}  ${String(tokens).padStart(6)} tokens  ${harmless(title)}${marks}`;
      })
      .join("\n");
  },
  next: (found) => (found.length === 0 ? [step("bundle.create", { ready: true })] : []),
});
