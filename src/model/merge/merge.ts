// All operations of all clones as one plan: the same in every clone that knows the same operations, in whatever order they came.

import type { Entity } from "../item/item.js";
import type { NodeFields } from "../node/node.js";
import { type AsideEdge, setAsideEdges } from "./edges.js";
import { freeIds, type Renamed } from "./free-ids.js";
import { landsToAdd } from "./lands.js";
import type { MergedNode, MergedNodes } from "./merged-node.js";
import { keepParents, soundParents } from "./parents.js";
import type { Write } from "./rules.js";
import type { Image, SharedOperation } from "./shared-operation.js";
import { RESULT } from "./table.js";
import { type Thing, thingsIn } from "./things.js";

export interface MergedItem {
  readonly entity: Entity;
  readonly id: string;
  readonly fields: Image;
  /** The operation that said how it stands. */
  readonly stated: SharedOperation | null;
  readonly isBorn: boolean;
  readonly isThere: boolean;
}

interface SaidValue {
  readonly value: unknown;
  readonly by: string;
  readonly at: number;
}

/** What a person has to decide: the last of the values stands until then. */
export interface Difference {
  /** The same in every clone. */
  readonly id: string;
  readonly node: string;
  readonly field: string;
  readonly values: readonly SaidValue[];
}

/** What a person changed of a node while another person finished it: it stands beside the node, as a comment. */
export interface LateChange extends SaidValue {
  readonly id: string;
  readonly node: string;
  readonly field: string;
}

export interface MergedPlan {
  readonly nodes: ReadonlyMap<string, MergedNode>;
  readonly items: readonly MergedItem[];
  readonly differences: readonly Difference[];
  readonly late: readonly LateChange[];
  readonly renamed: readonly Renamed[];
  readonly aside: readonly AsideEdge[];
}

/** Takes operations that are ready, in order. */
export function mergePlans(operations: readonly SharedOperation[]): MergedPlan {
  const nodes: MergedNodes = new Map();
  const items: MergedItem[] = [];
  const differences: Difference[] = [];
  const late: LateChange[] = [];
  for (const thing of thingsIn(operations)) {
    if (thing.entity === "node") nodes.set(thing.id, nodeOf(thing, differences));
    else items.push(itemOf(thing, thing.entity));
    for (const { cell, write } of thing.late) late.push(lateOf(thing, cell, write));
  }
  keepParents(nodes);
  soundParents(nodes);
  for (const land of landsToAdd(nodes)) nodes.set(land.uuid, land);
  const renamed = freeIds(nodes);
  const aside = setAsideEdges(nodes);
  return { nodes, items, differences, late, renamed, aside };
}

const stampOf = ({ clone, seq }: SharedOperation): string => `${clone}:${seq}`;

function nodeOf(thing: Thing, differences: Difference[]): MergedNode {
  const fields: Record<string, unknown> = {};
  for (const cell of thing.cells.keys()) {
    const { value, differ } = thing.resolve(cell);
    if (cell === "outcome") for (const name of RESULT) fields[name] = (value as Image)[name];
    else fields[cell] = value;
    if (differ.length > 0) differences.push(differenceOf(thing.id, cell, differ));
  }
  const outcome = fields["outcome"] as NodeFields["outcome"] | undefined;
  // What is done stays as it is.
  if (outcome?.kind === "done" && fields["freeze"]) fields["freeze"] = null;
  const { births, finish = null, isThere, cells } = thing;
  return { uuid: thing.id, fields, birth: births[0] ?? null, finish, isThere, writes: cells };
}

function itemOf(thing: Thing, entity: Entity): MergedItem {
  const fields: Record<string, unknown> = {};
  for (const cell of thing.cells.keys()) fields[cell] = thing.resolve(cell).value;
  const stated = thing.cells.get("state")?.find(({ is }) => is === fields["state"])?.op ?? null;
  return { entity, id: thing.id, fields, stated, isBorn: thing.births.length > 0, isThere: thing.isThere };
}

const said = (field: string, { op, is }: Write): SaidValue => ({
  value: field === "outcome" ? (is as Image)["outcome"] : is,
  by: op.by,
  at: op.at,
});

const differenceOf = (node: string, field: string, differ: readonly Write[]): Difference => ({
  id: ["differ", node, field, ...differ.map(({ op }) => stampOf(op)).sort()].join(" "),
  node,
  field,
  values: differ.map((write) => said(field, write)),
});

const lateOf = ({ id: node }: Thing, field: string, write: Write): LateChange => ({
  id: ["late", node, field, stampOf(write.op)].join(" "),
  node,
  field,
  ...said(field, write),
});
