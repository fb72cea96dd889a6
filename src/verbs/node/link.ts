import { union } from "../../model/node/content.js";
import type { Edge, Node, NodeFields } from "../../model/node/node.js";
import { profileFor } from "../../model/node/profile.js";
import { changeNode } from "../../model/operation/change.js";
import { ok, type Result, type ValueOf } from "../../model/result.js";
import { actWithNumber, type Context } from "../../plan/base/context.js";
import { requireOpen } from "../../plan/base/require-open.js";
import { resolve, resolveAll } from "../../plan/base/resolve.js";
import { idsOf } from "../../plan/node/branch.js";
import * as content from "../kit/content.js";
import {
  fields,
  harmless,
  type Infer,
  node,
  optional,
  planVerb,
  rule,
  type Style,
  undoStep,
  type View,
} from "../kit/verb.js";
import { approveAgain, goesStale, staleNote } from "./stale-approval.js";

export const ends = {
  reference: node("the node"),
  on: optional(content.references("a node that it depends on")),
  files: optional(content.files("a file that it will touch")),
  symbols: optional(content.symbols("a symbol that it will touch")),
};

export const needsAnEnd = rule<object>(
  null,
  "needs a node, a file or a symbol to link",
  (given) => Object.keys(given).length > 1,
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
  ...linkView("+"),
});

type Linked = ValueOf<ReturnType<typeof relink>>;

/** How the change of a node's links reads; `sign`: whether they were added or removed. */
export function linkView(sign: "+" | "-"): Pick<View<Linked>, "text" | "note" | "next"> {
  const text = ({ op, id, on, files, symbols }: Linked, style: Style): string => {
    if (op === null) return style.dim(`${id} is linked like that already; nothing was changed.`);
    const lines = [
      ...on.map((target) => `depends on ${target}`),
      ...[...files, ...symbols].map((touched) => `touches ${touched}`),
    ];
    return [style.bold(id), ...lines.map((line) => `  ${sign} ${harmless(line)}`)].join("\n");
  };
  return {
    text,
    note: ({ stale }) => staleNote(stale),
    next: ({ op, id, stale }) => [...approveAgain(stale ? [id] : []), ...undoStep(op)],
  };
}

export function link(context: Context, asked: Infer<typeof input>) {
  return relink(context, "link", asked, (node, targets) => {
    const files = union(node.files, asked.files);
    const symbols = union(node.symbols, asked.symbols);
    const dependsOn = withStated(node.dependsOn, targets);
    return ok({
      patch: { dependsOn, files, symbols, profile: asked.profile ?? profileFor(node, files) },
      on: targets.filter((target) => !isStated(node.dependsOn, target)),
      files: files.slice(node.files.length),
      symbols: symbols.slice(node.symbols.length),
    });
  });
}

interface LinkChange extends Pick<NodeFields, "files" | "symbols"> {
  readonly patch: Partial<NodeFields> & Pick<NodeFields, "profile">;
  readonly on: readonly Node[];
}

/** One operation that changes what an open node is linked with. */
export function relink(
  context: Context,
  verb: "link" | "unlink",
  { reference, on = [] }: { readonly reference: string; readonly on?: readonly string[] },
  decide: (node: Node, targets: readonly Node[]) => Result<LinkChange>,
) {
  return actWithNumber(context, verb, async (writer) => {
    const found = await resolve(writer, reference, context);
    const node = found.ok ? requireOpen(found.value) : found;
    if (!node.ok) return node;
    const targets = await resolveAll(writer, on, context);
    if (!targets.ok) return targets;
    const decided = decide(node.value, targets.value);
    if (!decided.ok) return decided;
    const { patch, files, symbols } = decided.value;
    const { id } = node.value;
    const ends = { on: idsOf(decided.value.on), files, symbols };
    const stale = await goesStale(writer, node.value, patch);
    return ok({
      sentence: `${verb}ed ${id} and ${Object.values(ends).flat().join(", ")}`,
      changes: changeNode(node.value, patch),
      value: { id, ...ends, profile: patch.profile, stale },
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
