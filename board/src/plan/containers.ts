// The nodes of the plan that can contain others. Pure.

import type { StatusTree } from "../api/types.js";

export const containersOf = (tree: readonly StatusTree[]): { readonly id: string; readonly title: string }[] =>
  tree.flatMap((node) =>
    node.tier === "task" ? [] : [{ id: node.id, title: node.title }, ...containersOf(node.children)],
  );

export const tasksIn = (node: StatusTree): StatusTree[] =>
  node.tier === "task" ? [node] : node.children.flatMap((child) => tasksIn(child));
