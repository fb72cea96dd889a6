// Views of bundles.

import type { BundleView } from "../../../../actions/bundle/bundle.js";
import type { BundleChecked } from "../../../../actions/bundle/bundle-check.js";
import { harmless } from "../../../../app/text/harmless.js";
import { step } from "../../../../app/vocabulary.js";
import { type Style, widest } from "../../text/style.js";
import { minute } from "../../text/times.js";
import type { ViewOf } from "../../view.js";

const create: ViewOf<"bundle.create"> = {
  text: ({ bundles: packed }, style) =>
    packed
      .map((each) => (each.text === undefined ? summarise(each, style) : `${harmless(each.text).trimEnd()}\n`))
      .join("\n")
      .trimEnd(),
  next: ({ bundles: [first] }) =>
    first && first.text === undefined ? [step("bundle.create", { references: [first.id], text: true })] : [],
};

const COUNTED = [
  ["behaviours", "behaviour", "behaviours"],
  ["files", "file", "files"],
  ["records", "record", "records"],
  ["results", "result", "results"],
  ["memories", "lesson", "lessons"],
] as const;

function summarise(packed: BundleView, style: Style): string {
  const { id, title, tokens, path, isNew } = packed;
  const counts = COUNTED.filter(([field]) => packed[field] > 0).map(
    ([field, one, many]) => `${packed[field]} ${packed[field] === 1 ? one : many}`,
  );
  const what = [`about ${tokens} tokens`, ...counts, ...(isNew ? [] : ["unchanged"])].join(", ");
  return `${style.green("✓")} ${style.bold(id)}  ${harmless(title)}\n  ${what}\n  ${style.dim(path)}`;
}

const bundles: ViewOf<"bundle.list"> = {
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
};

const check: ViewOf<"bundle.check"> = {
  text: ({ id }, style) => `${style.green("✓")} ${style.bold(id)}  everything is as it was packed.`,
  reports: ["drifted"],
  problems: ({ items }: Pick<BundleChecked, "items">, style) =>
    items
      .map(({ what, state, detail }) => {
        const sign = state === "missing" ? style.red("✗") : style.yellow("~");
        return `${sign} ${state}  ${style.bold(harmless(what))}  ${detail}`;
      })
      .join("\n"),
};

const clean: ViewOf<"bundle.clean"> = {
  text: ({ removed }, style) =>
    removed.length === 0
      ? style.dim("No finished task has a bundle.")
      : `${style.dim("−")} removed: ${removed.join(", ")}`,
  note: ({ removed }) => (removed.length === 0 ? "" : "Their texts stay in the store."),
};

export const bundleViews = {
  "bundle.create": create,
  "bundle.list": bundles,
  "bundle.check": check,
  "bundle.clean": clean,
};
