// Changes what a node says. Only the fields that are named are touched, and they are read in the same
// transaction, so two people who edit different fields at once both get what they asked for.

import { type NodePatch, parsePatch, RESTATED } from "../../graph/node/content.js";
import { type Budgets, type Check, KINDS, type Kind, type Node, type NodeFields } from "../../graph/node/node.js";
import { inferProfile } from "../../graph/node/profile.js";
import { changeNode } from "../../graph/operation/change.js";
import { absent, ok, type Result, usage } from "../../graph/result.js";
import { goesStale } from "../branch/stale.js";
import { act, type Context } from "../context.js";
import { requireOpen } from "../require-open.js";
import { resolve } from "../resolve.js";
import { type Footprint, joined, profileFor, without } from "./footprint.js";

const EDITABLE = [...RESTATED, "kind"] as const;

export const CLEARABLE = [
  "body",
  "files",
  "symbols",
  "checks",
  "profile",
  "priority",
  "estimate",
  "attempts",
  "replans",
] as const;
export type Clearable = (typeof CLEARABLE)[number];

interface Lists extends Footprint {
  readonly checks?: readonly Check[];
}

export interface EditInput {
  readonly reference: string;
  /** Values to set; null empties a field. */
  readonly set?: Readonly<Record<string, unknown>>;
  readonly clear?: readonly Clearable[];
  readonly appendBody?: string;
  readonly add?: Lists;
  readonly remove?: Lists;
}

export interface Edited {
  readonly op: number | null;
  readonly id: string;
  readonly changed: readonly string[];
  /** It was approved, and this is not what was approved. */
  readonly stale: boolean;
}

export async function edit(context: Context, input: EditInput): Promise<Result<Edited>> {
  const set = parseSet(input);
  if (!set.ok) return set;
  const committed = await act<Omit<Edited, "op">>(context, "edit", async (writer) => {
    const found = await resolve(writer, input.reference, context.actor);
    const node = found.ok ? requireOpen(found.value) : found;
    if (!node.ok) return node;
    const patch = patchFor(node.value, set.value, input);
    if (!patch.ok) return patch;
    const changes = changeNode(node.value, patch.value);
    const changed = Object.keys(changes[0]?.after ?? {});
    const { id } = node.value;
    const stale = await goesStale(writer, node.value, patch.value);
    return ok({ sentence: `changed ${changed.join(", ")} of ${id}`, changes, value: { id, changed, stale } });
  });
  return committed.ok ? ok({ op: committed.value.op, ...committed.value.value }) : committed;
}

const VERB_FOR: Readonly<Record<string, string>> = {
  parent: "`planwright move ID --to REF` changes it.",
  dependsOn: "`planwright link` and `planwright unlink` change it.",
};

function parseSet({ set = {}, clear = [], appendBody, add, remove }: EditInput): Result<NodePatch> {
  const lists = [add, remove].flatMap((each) => Object.values(each ?? {}));
  const names = Object.keys(set).filter((name) => set[name] !== undefined);
  if (names.length + clear.length + lists.length === 0 && appendBody === undefined) {
    return usage("usage", "planwright edit needs at least one thing to change.", {
      hint: "`planwright edit --help` lists what can be changed.",
    });
  }
  const other = names.find((name) => !(EDITABLE as readonly string[]).includes(name));
  if (other !== undefined) {
    return usage("bad-value", `edit: "${other.slice(0, 60)}" cannot be edited; what can is ${EDITABLE.join(", ")}.`, {
      hint: VERB_FOR[other] ?? "Status follows from what was done; `planwright why ID` explains it.",
      details: { field: other },
    });
  }
  return parsePatch(set, "edit");
}

/** The fields as they will be. */
function patchFor(node: Node, set: NodePatch, input: EditInput): Result<Partial<NodeFields>> {
  const missing = firstMissing(node, input.remove ?? {});
  if (missing !== undefined) {
    return absent("not-there", `${node.id} does not have "${missing}", so it cannot be taken away.`, {
      hint: `\`planwright show ${node.id}\` shows what it has.`,
    });
  }
  const kind = kindFor(node, set.kind);
  if (!kind.ok) return kind;
  const cleared = new Set<string>(input.clear);
  const value = <K extends keyof NodePatch & keyof Node>(field: K, blank: Node[K], flag: string = field): Node[K] => {
    if (cleared.has(flag) || set[field] === null) return blank;
    return (set[field] as Node[K] | undefined) ?? node[field];
  };
  const list = <K extends keyof Lists & keyof Node>(field: K, blank: Node[K]): Node[K] =>
    joined<unknown>(
      without<unknown>(value(field, blank), input.remove?.[field]),
      input.add?.[field],
    ) as unknown as Node[K];
  const body = value("body", "");
  const files = list("files", []);
  const after = {
    title: set.title ?? node.title,
    body: input.appendBody === undefined ? body : [body, input.appendBody].filter((part) => part !== "").join("\n"),
    kind: kind.value,
    files,
    symbols: list("symbols", []),
    checks: list("checks", []),
    profile: profileAfter(node, files, value("profile", null), set.profile !== undefined || cleared.has("profile")),
    priority: value("priority", null),
    estimateHours: value("estimateHours", null, "estimate"),
    budgets: budgetsAfter(node.budgets, set.budgets, cleared),
  };
  // What was put together may be too long, or hold what no single part was looked at for.
  const judged = parsePatch(after, `edit ${node.id}`);
  return judged.ok ? ok(after) : judged;
}

function firstMissing(node: Node, remove: Lists): string | undefined {
  for (const field of ["files", "symbols", "checks"] as const) {
    const missing = without<unknown>(remove[field] ?? [], node[field])[0];
    if (missing !== undefined) return typeof missing === "string" ? missing : (missing as Check).run;
  }
  return undefined;
}

function kindFor(node: Node, kind: Kind | null | undefined): Result<Kind | null> {
  if (kind === undefined || kind === node.kind) return ok(node.kind);
  if (kind === null || kind === "land" || node.kind === "land" || node.tier !== "task") {
    const words = KINDS.filter((word) => word !== "land").join(", ");
    return usage("bad-value", `edit ${node.id}: only a task can change its kind, and only to one of ${words}.`);
  }
  return ok(kind);
}

/** Emptied, it follows the files again. */
function profileAfter(node: Node, files: readonly string[], said: string | null, isSaid: boolean): string | null {
  if (!isSaid) return profileFor(node, files);
  return said ?? (node.tier === "task" ? inferProfile(files) : null);
}

function budgetsAfter(budgets: Budgets, set: Budgets | null | undefined, cleared: ReadonlySet<string>): Budgets {
  const after = set === null ? {} : { ...budgets, ...set };
  return Object.fromEntries(Object.entries(after).filter(([name]) => !cleared.has(name)));
}
