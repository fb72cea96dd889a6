import type { Bundled } from "../../../actions/bundle/bundle.js";
import type { BundleChecked } from "../../../actions/bundle/bundle-check.js";
import { ok, type Result, usage } from "../../../app/vocabulary.js";
import type { Answer, App, Command, Input, Style } from "../command.js";
import { optional } from "../input.js";
import { harmless } from "../style.js";
import { minute } from "../times.js";

export const bundle: Command = {
  name: "bundle",
  group: "working",
  summary: "Pack everything that one attempt of a task needs",
  description: [
    "A bundle is one text with the task, its files, checks and behaviours, the records that hold, the results of what it builds",
    "on, and lessons that fit, written to .planwright/bundles with the hashes of all of it. `bundle check TASK` exits with 0 when",
    "it is whole, 1 when something is missing, 2 when something has drifted, and lists each. `bundle list` shows what is packed;",
    "`bundle clean` puts away the bundles of settled tasks, which `bundle TASK` would pack again.",
  ].join("\n"),
  arguments: [
    { name: "TASK|check|list|clean", help: "the task, or what to do", optional: true, reference: true },
    { name: "TASK", help: "with check: the task", optional: true },
  ],
  flags: {
    ready: { type: "boolean", help: "every task that may be claimed now" },
    clean: { type: "boolean", help: "without lessons of earlier work" },
    print: { type: "boolean", help: "print the text itself" },
  },
  examples: [
    { run: "planwright bundle TASK-00007", does: "packs it, and says how large it is and where" },
    { run: "planwright bundle TASK-00007 --print", does: "prints what the worker will read" },
    { run: "planwright bundle check TASK-00007", does: "says whether everything is as it was packed" },
  ],
  run: async (input, app) => {
    // `check --active` comes with the reference first.
    const [first, second] = input.args[1] === "check" ? [...input.args].reverse() : input.args;
    if (first === "check" && second !== undefined) return check(second, app);
    if (first === "list" && second === undefined) return list(app);
    if (first === "clean" && second === undefined) return clean(app);
    const asksOne = first !== undefined && first !== "check" && second === undefined;
    if (asksOne === input.has("ready")) {
      return usage("usage", "planwright bundle needs a TASK, --ready, or one of check TASK, list, clean.", {
        hint: "`planwright bundle --help` shows how.",
      });
    }
    return make(input, app);
  },
};

async function make(input: Input, app: App): Promise<Result<Answer>> {
  const asked = { clean: input.has("clean"), ...optional("reference", input.args[0]) };
  // Hashing files takes a while to load, so nobody else waits for it.
  const { bundle: makeBundle } = await import("../../../actions/bundle/bundle.js");
  const made = await makeBundle(await app.open(), asked);
  if (!made.ok) return made;
  const { op, bundles: packed } = made.value;
  const print = input.has("print");
  return ok({
    data: { op, bundles: packed.map(({ text, ...rest }) => (print ? { ...rest, text } : rest)) },
    text: (style) =>
      packed
        .map((each) => (print ? harmless(each.text).trimEnd() : summarise(each, style)))
        .join(print ? "\n\n" : "\n"),
    note: () => (print ? "" : `To read it: planwright bundle ${packed[0]?.id ?? ""} --print`),
  });
}

const COUNTED = [
  ["behaviours", "behaviour", "behaviours"],
  ["files", "file", "files"],
  ["records", "record", "records"],
  ["results", "result", "results"],
  ["memories", "lesson", "lessons"],
] as const;

function summarise(packed: Bundled["bundles"][number], style: Style): string {
  const { id, title, tokens, path, isNew } = packed;
  const counts = COUNTED.filter(([field]) => packed[field] > 0).map(
    ([field, one, many]) => `${packed[field]} ${packed[field] === 1 ? one : many}`,
  );
  const what = [`about ${tokens} tokens`, ...counts, ...(isNew ? [] : ["unchanged"])].join(", ");
  return `${style.green("✓")} ${style.bold(id)}  ${harmless(title)}\n  ${what}\n  ${style.dim(path)}`;
}

const EXITS: Readonly<Record<BundleChecked["state"], number>> = { whole: 0, missing: 1, drifted: 2 };

async function check(reference: string, app: App): Promise<Result<Answer>> {
  const { checkBundle } = await import("../../../actions/bundle/bundle-check.js");
  const checked = await checkBundle(await app.open(), reference);
  if (!checked.ok) return checked;
  const { id, state, items } = checked.value;
  return ok({
    data: checked.value,
    exit: EXITS[state],
    text: (style) =>
      state === "whole"
        ? `${style.green("✓")} ${style.bold(id)}  everything is as it was packed.`
        : items
            .map(({ what, state, detail }) => {
              const sign = state === "missing" ? style.red("✗") : style.yellow("~");
              return `${sign} ${state}  ${style.bold(harmless(what))}  ${detail}`;
            })
            .join("\n"),
    note: () => (state === "whole" ? "" : `To pack it again: planwright bundle ${id}`),
  });
}

async function list(app: App): Promise<Result<Answer>> {
  const { bundles } = await import("../../../actions/bundle/bundle-check.js");
  const found = await bundles(await app.open());
  if (!found.ok) return found;
  const width = Math.max(0, ...found.value.map(({ id }) => id.length));
  return ok({
    data: found.value,
    text: (style) =>
      found.value.length === 0
        ? style.dim("Nothing is packed.")
        : found.value
            .map(({ id, title, tokens, createdAt, there, settled }) => {
              const state = [...(there ? [] : ["not on disk"]), ...(settled ? ["settled"] : [])].join(", ");
              const marks = state === "" ? "" : style.yellow(`  ${state}`);
              return `${style.bold(id.padEnd(width))}  ${style.dim(minute(createdAt))}  ${String(tokens).padStart(6)} tokens  ${harmless(title)}${marks}`;
            })
            .join("\n"),
    note: () => (found.value.length === 0 ? "planwright bundle --ready   packs what may be claimed now" : ""),
  });
}

async function clean(app: App): Promise<Result<Answer>> {
  const { cleanBundles } = await import("../../../actions/bundle/bundle-check.js");
  const cleaned = await cleanBundles(await app.open());
  if (!cleaned.ok) return cleaned;
  const { removed } = cleaned.value;
  return ok({
    data: cleaned.value,
    text: (style) =>
      removed.length === 0
        ? style.dim("No settled task has a bundle.")
        : `${style.dim("−")} put away: ${removed.join(", ")}`,
    note: () =>
      removed.length === 0
        ? ""
        : "Their texts stay in the store; once such a task is open again, planwright bundle TASK packs it anew.",
  });
}
