// Adds to what a node depends on and what it will touch.

import type { Edge, Node } from "../../model/node/node.js";
import { changeNode } from "../../model/operation/change.js";
import { ok, type Result } from "../../model/result.js";
import { act, type Context } from "../../plan/context.js";
import { type FootprintInput, profileFor, union } from "../../plan/node/footprint.js";
import { requireOpen } from "../../plan/require-open.js";
import { resolve, resolveAll } from "../../plan/resolve.js";
import type { Reader } from "../../store/store.js";
import { goesStale } from "../branch/stale.js";

export interface LinkInput extends FootprintInput {
  readonly reference: string;
  /** What it depends on. */
  readonly on?: readonly string[];
  /** Follows from the files unless given. */
  readonly profile?: string;
}

/** What was not so before. */
export interface Linked {
  readonly op: number | null;
  readonly id: string;
  readonly on: readonly string[];
  readonly files: readonly string[];
  readonly symbols: readonly string[];
  readonly profile: string | null;
  readonly stale: boolean;
}

export async function link(context: Context, input: LinkInput): Promise<Result<Linked>> {
  const committed = await act<Omit<Linked, "op">>(context, "link", async (writer) => {
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
    return ok({ sentence: sentenceFor("linked", value), changes: changeNode(node, patch), value });
  });
  return committed.ok ? ok({ op: committed.value.op, ...committed.value.value }) : committed;
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

export function sentenceFor(verb: string, ends: Pick<Linked, "id" | "on" | "files" | "symbols">): string {
  return `${verb} ${ends.id} and ${[...ends.on, ...ends.files, ...ends.symbols].join(", ")}`;
}
