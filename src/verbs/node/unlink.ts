import { step } from "../../model/next-step.js";
import { without } from "../../model/node/content.js";
import type { Node } from "../../model/node/node.js";
import { profileFor } from "../../model/node/profile.js";
import { changeNode } from "../../model/operation/change.js";
import { absent, ok, type Result } from "../../model/result.js";
import { actWithNumber, type Context } from "../../plan/base/context.js";
import { fields } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { ends, type LinkInput, needsAnEnd, resolveEnds, sentenceFor } from "./link.js";
import { afterLink, goesStale, linkLines } from "./stale-approval.js";

export const input = fields(ends).check(needsAnEnd);

export const verb = planVerb({
  command: { words: "unlink", group: "plan", positional: ["reference"] },
  summary: "Remove dependencies, files or symbols from a node",
  effect: "writes",
  tools: [{ tool: "edit", action: "unlink", fields: ["reference", "on", "files"] }],
  input,
  examples: [
    { input: { reference: "TASK-00008", on: ["TASK-00007"] }, does: "TASK-00008 no longer waits for TASK-00007" },
  ],
  run: unlink,
  text: (linked, style) => linkLines(linked, "-", style),
  ...afterLink,
});

type UnlinkInput = Omit<LinkInput, "profile">;

export function unlink(context: Context, input: UnlinkInput) {
  return actWithNumber(context, "unlink", async (writer) => {
    const ends = await resolveEnds(writer, input, context.actor);
    if (!ends.ok) return ends;
    const { node, targets } = ends.value;
    const missing = firstMissing(node, targets, input);
    if (missing !== undefined) return notLinked(node, missing);
    const files = without(node.files, input.files);
    const gone = new Set(targets.map((target) => target.nr));
    const patch = {
      dependsOn: node.dependsOn.filter((edge) => !gone.has(edge.on)),
      files,
      symbols: without(node.symbols, input.symbols),
      profile: profileFor(node, files),
    };
    const value = {
      id: node.id,
      on: targets.map((target) => target.id),
      files: input.files ?? [],
      symbols: input.symbols ?? [],
      profile: patch.profile,
      stale: await goesStale(writer, node, patch),
    };
    return ok({
      sentence: sentenceFor("unlinked", node.id, value.on, value.files, value.symbols),
      changes: changeNode(node, patch),
      value,
    });
  });
}

function firstMissing(node: Node, targets: readonly Node[], { files, symbols }: UnlinkInput): string | undefined {
  const target = targets.find(({ nr }) => !node.dependsOn.some((edge) => edge.on === nr));
  return target?.id ?? without(files ?? [], node.files)[0] ?? without(symbols ?? [], node.symbols)[0];
}

const notLinked = (node: Node, missing: string): Result<never> =>
  absent("not-linked", `${node.id} is not linked with "${missing}". Nothing was changed.`, {
    next: [step("show", { reference: node.id })],
  });
