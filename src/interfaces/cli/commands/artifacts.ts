import type { ArtifactView } from "../../../actions/item/list-artifacts.js";
import { ARTIFACT_KINDS, ok } from "../../../app/vocabulary.js";
import type { Command, Style } from "../command.js";
import { optional } from "../input.js";
import { sizeOf } from "../render-item.js";
import { harmless } from "../style.js";

export const artifacts: Command = {
  name: "artifacts",
  group: "looking",
  summary: "Show what planning runs have left behind",
  description:
    "Specs, maps, drafts, findings and plans, each with its round. One is stale when something that it comes from was replaced since, or when the spec's file has changed. `show ART-00001` prints the text.",
  flags: {
    run: { type: "string", value: "RUN", help: "only of this planning run" },
    kind: { type: "string", choices: ARTIFACT_KINDS, value: "KIND", help: `only one of ${ARTIFACT_KINDS.join(", ")}` },
  },
  examples: [
    { run: "planwright artifacts --run RUN-001", does: "what the run has made, in order" },
    { run: "planwright artifacts --kind findings --json", does: "all findings, as JSON" },
  ],
  run: async (input, app) => {
    // Hashing files takes a while to load, so nobody else waits for it.
    const { artifacts: listArtifacts } = await import("../../../actions/item/list-artifacts.js");
    const found = await listArtifacts(await app.open(), {
      ...optional("run", input.text("run")),
      ...optional("kind", input.text("kind") as ArtifactView["kind"] | undefined),
    });
    if (!found.ok) return found;
    const stale = found.value.find((artifact) => artifact.stale !== null);
    return ok({
      data: found.value,
      text: (style) =>
        found.value.length === 0 ? style.dim("There are no artifacts here.") : render(found.value, style),
      note: () => {
        if (stale)
          return `${stale.id} is stale: ${stale.stale ?? ""}. planwright plan SPEC --revise ${stale.run} makes it anew.`;
        return found.value[0] ? `To read one: planwright show ${found.value[0].id}` : "";
      },
    });
  },
};

function render(found: readonly ArtifactView[], style: Style): string {
  const kinds = Math.max(...found.map(({ kind, round }) => `${kind} ${round}`.length));
  const sizes = Math.max(...found.map(({ bytes }) => sizeOf(bytes).length));
  return found
    .map(({ id, kind, round, run, bytes, hash, source, stale }) => {
      const state = stale === null ? "" : style.yellow("  stale");
      const file = source === null ? "" : style.dim(`  ${harmless(source)}`);
      const name = `${kind} ${round}`.padEnd(kinds);
      return `${style.bold(id)}  ${name}  ${style.dim(run)}  ${sizeOf(bytes).padStart(sizes)}  ${style.dim(hash.slice(0, 12))}${file}${state}`;
    })
    .join("\n");
}
