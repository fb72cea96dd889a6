import * as z from "zod/mini";
import { union } from "../../model/node/content.js";
import type { Edge, Node } from "../../model/node/node.js";
import { profileFor } from "../../model/node/profile.js";
import { changeNode } from "../../model/operation/change.js";
import { ok, type Result, type ValueOf } from "../../model/result.js";
import { actWithNumber, type Context } from "../../plan/base/context.js";
import { requireOpen } from "../../plan/base/require-open.js";
import { resolve, resolveAll } from "../../plan/base/resolve.js";
import type { Reader } from "../../store/store.js";
import * as content from "../kit/content.js";
import { fields, node, optional } from "../kit/schema.js";
import { planVerb } from "../kit/verb.js";
import { afterLink, goesStale, linkLines } from "./stale-approval.js";

export const ends = {
  reference: node("the node"),
  on: optional(content.references("a node that it depends on")),
  files: optional(content.files("a file that it will touch")),
  symbols: optional(content.symbols("a symbol that it will touch")),
};

export const needsAnEnd = z.refine<object>(
  (given) => Object.keys(given).length > 1,
  "needs a node, a file or a symbol to link",
);

export const input = fields({ ...ends, profile: optional(content.profile()) }).check(needsAnEnd);

export const verb = planVerb({
  command: { words: "link", group: "plan", positional: ["reference"] },
  summary: "Add dependencies, files or symbols to a node",
  description:
    "A dependency is met when the other node is done and accepted, or waived. The kind of work follows from the files unless a profile is given.",
  effect: "writes",
  tools: [{ tool: "edit", action: "link", fields: ["reference", "on", "files"] }],
  input,
  examples: [
    { input: { reference: "TASK-00008", on: ["TASK-00007"] }, does: "makes TASK-00008 wait for TASK-00007" },
    {
      input: { reference: "TASK-00008", files: ["src/config.ts"], symbols: ["parseConfig"] },
      does: "adds to its footprint",
    },
  ],
  run: link,
  text: (linked, style) => linkLines(linked, "+", style),
  ...afterLink,
});

export type LinkInput = z.output<typeof input>;

/** What was not so before. */
export type Linked = ValueOf<ReturnType<typeof link>>;

export function link(context: Context, input: LinkInput) {
  return actWithNumber(context, "link", async (writer) => {
    const ends = await resolveEnds(writer, input, context.actor);
    if (!ends.ok) return ends;
    const { node, targets } = ends.value;
    const files = union(node.files, input.files);
    const symbols = union(node.symbols, input.symbols);
    const patch = {
      dependsOn: withStated(node.dependsOn, targets),
      files,
      symbols,
      profile: input.profile ?? profileFor(node, files),
    };
    const fresh = targets.filter((target) => !isStated(node.dependsOn, target));
    const value = {
      id: node.id,
      on: fresh.map((target) => target.id),
      files: files.slice(node.files.length),
      symbols: symbols.slice(node.symbols.length),
      profile: patch.profile,
      stale: await goesStale(writer, node, patch),
    };
    return ok({
      sentence: sentenceFor("linked", node.id, value.on, value.files, value.symbols),
      changes: changeNode(node, patch),
      value,
    });
  });
}

const isStated = (edges: readonly Edge[], target: Node): boolean =>
  edges.some((edge) => edge.on === target.nr && edge.origin === "stated");

/** An edge that sequencing or a conflict added becomes a stated one. */
function withStated(edges: readonly Edge[], targets: readonly Node[]): readonly Edge[] {
  const after = new Map(edges.map((edge) => [edge.on, edge]));
  for (const { nr } of targets) after.set(nr, { on: nr, origin: "stated" });
  return [...after.values()];
}

/** The node, still open, and the nodes at the other end. */
export async function resolveEnds(
  reader: Reader,
  { reference, on = [] }: Pick<LinkInput, "reference" | "on">,
  actor: string,
): Promise<Result<{ node: Node; targets: readonly Node[] }>> {
  const found = await resolve(reader, reference, actor);
  const node = found.ok ? requireOpen(found.value) : found;
  if (!node.ok) return node;
  const targets = await resolveAll(reader, on, actor);
  return targets.ok ? ok({ node: node.value, targets: targets.value }) : targets;
}

export const sentenceFor = (verb: string, id: string, ...ends: (readonly string[])[]): string =>
  `${verb} ${id} and ${ends.flat().join(", ")}`;
