// The rows of the tree: which nodes are visible, and how deep. Pure.

import type { StatusTree } from "../api/types.js";
import { type Filter, isEmpty, matches } from "./filter.js";

export interface TreeRow {
  readonly node: StatusTree;
  readonly depth: number;
  /** Null: nothing below it. */
  readonly open: boolean | null;
}

export interface TreeOptions {
  readonly filter: Filter;
  readonly isOpen: (node: StatusTree) => boolean;
  /** What was loaded later below a node. */
  readonly branch: (id: string) => readonly StatusTree[] | undefined;
  /** In a large plan: all children of a node, those that are not loaded yet as blanks. */
  readonly paged?: (id: string) => readonly StatusTree[] | undefined;
  /** In a large plan: what the server found for the filter, with everything around it. */
  readonly found?: readonly StatusTree[] | undefined;
  /** Nodes that the server found for the file of the filter. */
  readonly named?: ReadonlySet<string> | undefined;
}

type Paged = TreeOptions["paged"];

/** The mission is the title of the page; the inbox and such show only what is in them. */
export const topOf = (tree: readonly StatusTree[], paged?: Paged): StatusTree[] =>
  tree
    .flatMap((node) => (node.tier === "mission" ? (paged?.(node.id) ?? node.children) : [node]))
    .filter(({ children, progress, reason }) => children.length > 0 || (progress?.total ?? 0) > 0 || reason !== "inbox")
    .filter(
      ({ id, children, progress }) =>
        id !== "BUGS" || children.some(({ kind }) => kind !== "land") || (progress?.total ?? 0) > 0,
    );

export const mayHaveChildren = ({ tier, children, progress }: StatusTree): boolean =>
  children.length > 0 || (tier !== "task" && (progress?.total ?? 0) > 0);

/** An initiative is a heading, so its features begin at the left as well. */
const depthBelow = (node: StatusTree, depth: number): number => (node.tier === "initiative" ? depth : depth + 1);

const NOWHERE: readonly string[] = [];

export function treeRows(tree: readonly StatusTree[], options: TreeOptions): TreeRow[] {
  const rows: TreeRow[] = [];
  const { found } = options;
  const filtering = !isEmpty(options.filter);
  const paged = found ? undefined : options.paged;
  const below = (node: StatusTree): readonly StatusTree[] => {
    const all = paged?.(node.id);
    if (all) return all;
    return node.children.length > 0 || found ? node.children : (options.branch(node.id) ?? []);
  };
  /** Answers whether anything of it is shown. */
  const walk = (node: StatusTree, depth: number, above: readonly string[]): boolean => {
    const children = below(node);
    const path = filtering ? [...above, node.id] : NOWHERE;
    const at = rows.length;
    const hasChildren = found ? children.length > 0 : children.length > 0 || mayHaveChildren(node);
    const isOpen = hasChildren && (filtering || options.isOpen(node));
    rows.push({ node, depth, open: hasChildren ? isOpen : null });
    let shows = !filtering || found !== undefined || matches(node, path, options.filter, options.named);
    if (isOpen) for (const child of children) shows = walk(child, depthBelow(node, depth), path) || shows;
    if (!shows) rows.length = at;
    return shows;
  };
  for (const node of topOf(found ?? tree, paged)) walk(node, 0, NOWHERE);
  return rows;
}

/** From the top down to a node, both included. */
export function pathTo(tree: readonly StatusTree[], id: string): StatusTree[] {
  for (const node of tree) {
    if (node.id === id) return [node];
    const below = pathTo(node.children, id);
    if (below.length > 0) return [node, ...below];
  }
  return [];
}
