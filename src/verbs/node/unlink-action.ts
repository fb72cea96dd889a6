// Removes dependencies and files or symbols of the footprint.

import { step } from "../../model/next-step.js";
import type { Node } from "../../model/node/node.js";
import { changeNode } from "../../model/operation/change.js";
import { absent, ok, type Result } from "../../model/result.js";
import { act, type Context } from "../../plan/context.js";
import { profileFor, without } from "../../plan/node/footprint.js";
import { goesStale } from "../branch/stale.js";
import { type Linked, type LinkInput, resolveEnds, sentenceFor } from "./link-action.js";

export type UnlinkInput = Omit<LinkInput, "profile">;

export async function unlink(context: Context, input: UnlinkInput): Promise<Result<Linked>> {
  const committed = await act<Omit<Linked, "op">>(context, "unlink", async (writer) => {
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
    return ok({ sentence: sentenceFor("unlinked", value), changes: changeNode(node, patch), value });
  });
  return committed.ok ? ok({ op: committed.value.op, ...committed.value.value }) : committed;
}

function firstMissing(node: Node, targets: readonly Node[], { files, symbols }: UnlinkInput): string | undefined {
  const target = targets.find(({ nr }) => !node.dependsOn.some((edge) => edge.on === nr));
  return target?.id ?? without(files ?? [], node.files)[0] ?? without(symbols ?? [], node.symbols)[0];
}

const notLinked = (node: Node, missing: string): Result<never> =>
  absent("not-linked", `${node.id} is not linked with "${missing}". Nothing was changed.`, {
    next: [step("show", { reference: node.id })],
  });
