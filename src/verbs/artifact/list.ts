import { ARTIFACT_KINDS } from "../../model/item/artifact.js";
import { step } from "../../model/next-step.js";
import { choice, fields, key, node, optional } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { harmless } from "../text/harmless.js";
import { sizeOf } from "../text/render-item.js";
import { type Style, widest } from "../text/style.js";
import type { ArtifactView } from "./list-artifacts.js";

const firstStale = (found: readonly ArtifactView[]): ArtifactView | undefined =>
  found.find(({ stale }) => stale !== null);

export const input = fields({
  node: optional(node("only of the runs that planned this node, or are planning it")),
  run: optional(key("run", "only of this planning run", "RUN")),
  kind: optional(choice(ARTIFACT_KINDS, "only this kind", "KIND")),
});

export const verb = planVerb({
  name: "artifact.list",
  command: { words: "artifact list", group: "record", positional: ["node"], aliases: [{ words: "artifacts" }] },
  summary: "List what planning runs produced",
  description:
    "Specs, maps, drafts, findings and plans, each with its round. An artifact is stale when something that it was made from was replaced, or when the spec's file has changed.",
  who: "both",
  effect: "reads",
  input,
  examples: [
    { input: { node: "FEAT-001" }, does: "lists the spec, the drafts, the reviews and the plan of a feature" },
    { input: { run: "RUN-001" }, does: "lists what one run made, in order" },
    { input: { kind: "findings" }, does: "lists all findings" },
  ],
  run: async (context, asked) => (await import("./list-artifacts.js")).listArtifacts(context, asked),
  text: (found, style) => (found.length === 0 ? style.dim("No artifacts.") : renderArtifacts(found, style)),
  note: (found) => {
    const stale = firstStale(found);
    return stale ? `${stale.id} is stale: ${stale.stale ?? ""}.` : "";
  },
  next: (found) => {
    const stale = firstStale(found);
    if (stale) return [step("plan.revise", { run: stale.run }, "note")];
    return found[0] ? [step("show", { reference: found[0].id })] : [];
  },
});

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
