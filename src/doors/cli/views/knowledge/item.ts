// Views of lessons and artifacts.

import type { ArtifactView } from "../../../../actions/item/list-artifacts.js";
import { harmless } from "../../../../app/text/harmless.js";
import { step } from "../../../../app/vocabulary.js";
import { undoStep } from "../../text/ids.js";
import { renderMemory, sizeOf } from "../../text/render-item.js";
import { type Style, widest } from "../../text/style.js";
import type { ViewOf } from "../../view.js";

const lessons: ViewOf<"memory.list"> = {
  text: (found, style) =>
    found.length === 0 ? style.dim("No lessons.") : found.map((lesson) => renderMemory(lesson, style)).join("\n"),
  next: (found) => {
    const proposed = found.filter(({ state }) => state === "proposed").map(({ id }) => id);
    if (proposed.length > 0) return [step("memory.approve", { ids: proposed })];
    return found.length === 0 ? [step("memory.add", {}, "text")] : [];
  },
};

const add: ViewOf<"memory.add"> = {
  text: ({ isNew, memory }, style) =>
    isNew ? renderMemory(memory, style) : style.dim(`${memory.id} says that already.`),
  next: ({ memory, op }) => [
    ...(memory.state === "proposed" ? [step("memory.approve", { ids: [memory.id] })] : []),
    ...undoStep(op),
  ],
};

const approve: ViewOf<"memory.approve"> = {
  text: ({ approved }, style) =>
    approved.length === 0
      ? style.dim("All of them were approved already.")
      : `${style.green("✓")} approved ${approved.join(", ")}`,
  next: ({ op }) => undoStep(op),
};

const search: ViewOf<"memory.search"> = {
  text: (found, style) =>
    found.length === 0
      ? style.dim("No lesson is about that.")
      : found.map((lesson) => renderMemory(lesson, style)).join("\n"),
  next: (found) => (found.length === 0 ? [step("memory.list")] : []),
};

const forget: ViewOf<"memory.forget"> = {
  text: ({ forgotten }, style) => `${style.dim("−")} forgotten: ${forgotten.join(", ")}`,
  next: ({ op }) => undoStep(op),
};

const firstStale = (found: readonly ArtifactView[]): ArtifactView | undefined =>
  found.find(({ stale }) => stale !== null);

const artifacts: ViewOf<"artifact.list"> = {
  text: (found, style) => (found.length === 0 ? style.dim("No artifacts.") : renderArtifacts(found, style)),
  note: (found) => {
    const stale = firstStale(found);
    return stale ? `${stale.id} is stale: ${stale.stale ?? ""}.` : "";
  },
  next: (found) => {
    const stale = firstStale(found);
    if (stale) return [step("plan.revise", { run: stale.run })];
    return found[0] ? [step("show", { reference: found[0].id })] : [];
  },
};

function renderArtifacts(found: readonly ArtifactView[], style: Style): string {
  const kinds = widest(found.map(({ kind, round }) => `${kind} ${round}`));
  const sizes = widest(found.map(({ bytes }) => sizeOf(bytes)));
  return found
    .map(({ id, kind, round, run, bytes, hash, source, stale }) => {
      const state = stale === null ? "" : style.yellow("  stale");
      const file = source === null ? "" : style.dim(`  ${harmless(source)}`);
      const name = `${kind} ${round}`.padEnd(kinds);
      return `${style.bold(id)}  ${name}  ${style.dim(run)}  ${sizeOf(bytes).padStart(sizes)}  ${style.dim(hash.slice(0, 12))}${file}${state}`;
    })
    .join("\n");
}

export const itemViews = {
  "memory.list": lessons,
  "memory.add": add,
  "memory.approve": approve,
  "memory.search": search,
  "memory.forget": forget,
  "artifact.list": artifacts,
};
