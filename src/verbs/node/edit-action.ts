// Changes the content of a node. Only the fields that are named change, and they are read in the same transaction, so two
// people who edit different fields at once both get what they asked for.

import { step } from "../../model/next-step.js";
import { contentProblem, type NodeInput } from "../../model/node/content.js";
import { type Budgets, type Check, KINDS, type Kind, type Node, type NodeFields } from "../../model/node/node.js";
import { inferProfile } from "../../model/node/profile.js";
import { changeNode } from "../../model/operation/change.js";
import { absent, ok, type Result, usage } from "../../model/result.js";
import { act, type Context } from "../../plan/context.js";
import { type FootprintInput, profileFor, union, without } from "../../plan/node/footprint.js";
import { retitleLand } from "../../plan/node/land-title.js";
import { requireOpen } from "../../plan/require-open.js";
import { resolve } from "../../plan/resolve.js";
import { goesStale } from "../branch/stale.js";

type Emptiable = "body" | "files" | "symbols" | "checks" | "profile" | "priority" | "estimateHours";

/** New values; null empties a field. */
export type NodePatch = Partial<Pick<NodeInput, "title" | "kind">> & {
  readonly [K in Emptiable]?: NonNullable<NodeInput[K]> | null;
} & { readonly [K in keyof Budgets]?: number | null };

interface Lists extends FootprintInput {
  readonly checks?: readonly Check[];
}

export interface EditInput {
  readonly reference: string;
  readonly set?: NodePatch;
  readonly appendBody?: string;
  readonly add?: Lists;
  readonly remove?: Lists;
}

export interface Edited {
  readonly op: number | null;
  readonly id: string;
  readonly changed: readonly string[];
  /** The approval no longer fits the content. */
  readonly stale: boolean;
}

export async function edit(context: Context, input: EditInput): Promise<Result<Edited>> {
  const committed = await act<Omit<Edited, "op">>(context, "edit", async (writer) => {
    const found = await resolve(writer, input.reference, context.actor);
    const node = found.ok ? requireOpen(found.value) : found;
    if (!node.ok) return node;
    const patch = patchFor(node.value, input);
    if (!patch.ok) return patch;
    const own = changeNode(node.value, patch.value);
    const changes = [...own, ...(await retitleLand(writer, node.value, patch.value.title))];
    const changed = Object.keys(own[0]?.after ?? {});
    const { id } = node.value;
    const stale = await goesStale(writer, node.value, patch.value);
    return ok({ sentence: `changed ${changed.join(", ")} of ${id}`, changes, value: { id, changed, stale } });
  });
  return committed.ok ? ok({ op: committed.value.op, ...committed.value.value }) : committed;
}

/** The fields as they will be. */
function patchFor(node: Node, { set = {}, add, remove, appendBody }: EditInput): Result<Partial<NodeFields>> {
  const missing = firstMissing(node, remove ?? {});
  if (missing !== undefined) {
    return absent("not-there", `${node.id} does not have "${missing}", so it cannot be removed.`, {
      next: [step("show", { reference: node.id })],
    });
  }
  const kind = kindFor(node, set.kind);
  if (!kind.ok) return kind;
  const value = <K extends Emptiable>(field: K, blank: Node[K]): Node[K] =>
    set[field] === null ? blank : ((set[field] as Node[K] | undefined) ?? node[field]);
  const list = <K extends keyof Lists & Emptiable>(field: K, blank: Node[K]): Node[K] =>
    union<unknown>(without<unknown>(value(field, blank), remove?.[field]), add?.[field]) as unknown as Node[K];
  const body = value("body", "");
  const files = list("files", []);
  const after = {
    title: set.title ?? node.title,
    body: appendBody === undefined ? body : [body, appendBody].filter((part) => part !== "").join("\n"),
    kind: kind.value,
    files,
    symbols: list("symbols", []),
    checks: list("checks", []),
    profile: profileAfter(node, files, set.profile),
    priority: value("priority", null),
    estimateHours: value("estimateHours", null),
    budgets: budgetsAfter(node.budgets, set),
  };
  // What was put together may be too long although each part is not.
  const problem = contentProblem(after);
  return problem === undefined ? ok(after) : usage("invalid-input", `${node.id} would be too large: ${problem}.`);
}

function firstMissing(node: Node, remove: Lists): string | undefined {
  for (const field of ["files", "symbols", "checks"] as const) {
    const missing = without<unknown>(remove[field] ?? [], node[field])[0];
    if (missing !== undefined) return typeof missing === "string" ? missing : (missing as Check).run;
  }
  return undefined;
}

function kindFor(node: Node, kind: Kind | undefined): Result<Kind | null> {
  if (kind === undefined || kind === node.kind) return ok(node.kind);
  if (kind === "land" || node.kind === "land" || node.tier !== "task") {
    const words = KINDS.filter((word) => word !== "land").join(", ");
    return usage(
      "bad-value",
      `${node.id} cannot become a ${kind}: only a task has a kind, and it can be one of ${words}.`,
    );
  }
  return ok(kind);
}

/** An emptied profile follows the files again. */
function profileAfter(node: Node, files: readonly string[], given: string | null | undefined): string | null {
  if (given === undefined) return profileFor(node, files);
  return given ?? (node.tier === "task" ? inferProfile(files) : null);
}

function budgetsAfter(budgets: Budgets, set: NodePatch): Budgets {
  const after: { -readonly [K in keyof Budgets]: Budgets[K] } = { ...budgets };
  for (const name of ["attempts", "replans"] as const) {
    if (set[name] === null) delete after[name];
    else if (set[name] !== undefined) after[name] = set[name];
  }
  return after;
}
