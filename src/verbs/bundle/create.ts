import type { BundleView } from "../../plan/bundle/bundle.js";
import { fields, flag, harmless, nodes, ok, optional, planVerb, plural, rule, type Style, step } from "../kit/verb.js";

export const input = fields({
  references: optional(nodes("a task")),
  ready: optional(flag("every task that can be claimed now")),
  noLessons: optional(flag("leave out lessons of earlier work")),
  text: optional(flag("answer with the text itself")),
}).check(
  rule(
    null,
    "must name tasks, or ask for those that are ready",
    ({ references, ready }) => (references === undefined) === (ready === true),
  ),
);

export const verb = planVerb({
  command: {
    words: "show",
    when: { flag: "context" },
    group: "work",
    positional: ["references"],
    flags: { text: "print" },
    aliases: ["bundle create"],
  },
  summary: "Pack everything that one attempt of a task needs",
  description:
    "A bundle is one text with the task, its files, checks and behaviours, the records in force, the results of its dependencies, and lessons that fit. It is written to .planwright/bundles with the hashes of everything in it.",
  effect: "writes",
  tools: [{ tool: "claim", action: "context", fields: ["references"], fixed: { text: true } }],
  input,
  examples: [
    { input: { references: ["TASK-00007"] }, does: "packs a task, and says how large the bundle is and where" },
    { input: { references: ["TASK-00007"], text: true }, does: "prints what the worker will read" },
    { input: { ready: true }, does: "packs every task that can be claimed now" },
  ],
  run: async (context, { text: wantsText, ...asked }) => {
    const packed = await (await import("../../plan/bundle/bundle.js")).createBundles(context, asked);
    if (!packed.ok) return packed;
    const { op, bundles: all } = packed.value;
    return ok({ op, bundles: all.map(({ text, ...view }) => ({ ...view, ...(wantsText && { text }) })) });
  },
  text: ({ bundles: packed }, style) =>
    packed
      .map((each) => (each.text === undefined ? summarise(each, style) : `${harmless(each.text).trimEnd()}\n`))
      .join("\n")
      .trimEnd(),
  next: ({ bundles: [first] }) =>
    first && first.text === undefined ? [step("bundle.create", { references: [first.id], text: true })] : [],
});

function summarise(packed: BundleView, style: Style): string {
  const { id, title, tokens, path, isNew } = packed;
  const { behaviours: behaviour, files: file, records: record, results: result, lessons: lesson } = packed;
  const counts = Object.entries({ behaviour, file, record, result, lesson }).filter(([, count]) => count > 0);
  const counted = counts.map(([word, count]) => plural(count, word));
  const what = [`about ${tokens} tokens`, ...counted, ...(isNew ? [] : ["unchanged"])].join(", ");
  return `${style.green("✓")} ${style.bold(id)}  ${harmless(title)}\n  ${what}\n  ${style.dim(path)}`;
}
