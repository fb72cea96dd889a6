// One node as all operations together left it.

import { BLANK, type NodeFields, type Tier } from "../node/node.js";
import type { Write } from "./rules.js";
import { byName, byTime, type Image, type SharedOperation } from "./shared-operation.js";

export interface MergedNode {
  readonly uuid: string;
  /** Only what was written. Other nodes are named by their UUID. */
  readonly fields: Image;
  /** The operation that made it; null while no one has said. */
  readonly birth: SharedOperation | null;
  /** What finished it. */
  readonly finish: SharedOperation | null;
  readonly isThere: boolean;
  readonly writes: ReadonlyMap<string, readonly Write[]>;
}

export type MergedNodes = Map<string, MergedNode>;

/** Nodes that can be shown: a person made them, and they were not taken away. */
export const presentNodes = (nodes: MergedNodes): MergedNode[] =>
  [...nodes.values()].filter(({ birth, isThere }) => birth !== null && isThere).sort(byBirth);

const stampOf = ({ birth }: MergedNode): SharedOperation => birth as SharedOperation;

/** The oldest first. Of nodes that a person made. */
const byBirth = (one: MergedNode, other: MergedNode): number =>
  byTime(stampOf(one), stampOf(other)) || byName(one.uuid, other.uuid);

const BLANKS: Image = { ...BLANK };

const valueOf = (node: MergedNode, name: keyof NodeFields): unknown => node.fields[name] ?? BLANKS[name];

export const tierOf = (node: MergedNode): Tier => valueOf(node, "tier") as Tier;
export const kindOf = (node: MergedNode): NodeFields["kind"] => valueOf(node, "kind") as NodeFields["kind"];
export const idOf = (node: MergedNode): string => String(valueOf(node, "id"));
export const parentUuid = (node: MergedNode): string | null =>
  (valueOf(node, "parent") as string | null | undefined) ?? null;
export const outcomeOf = (node: MergedNode): NodeFields["outcome"] => valueOf(node, "outcome") as NodeFields["outcome"];
export const isArchived = (node: MergedNode): boolean => valueOf(node, "archive") !== null;
export const isInbox = (node: MergedNode): boolean => valueOf(node, "inbox") === true;
export const titleOf = (node: MergedNode): string => String(valueOf(node, "title"));

export interface SharedEdge {
  readonly on: string;
  readonly origin: string;
}

export const sharedEdges = (node: MergedNode): readonly SharedEdge[] =>
  valueOf(node, "dependsOn") as readonly SharedEdge[];

export const withFields = (node: MergedNode, fields: Image): MergedNode => ({
  ...node,
  fields: { ...node.fields, ...fields },
});
