// The plan as a graph that other programs draw: Mermaid and Graphviz.

import { lineOfText, type PlanTree, type ShownStanding, type TreeNode } from "./plan-tree.js";

const SHORT = 60;

const nameOf = ({ node }: TreeNode): string => {
  const title = lineOfText(node.title);
  return `${node.id} ${title.length > SHORT ? `${title.slice(0, SHORT - 1)}…` : title}`;
};

const COLOURS: Readonly<Record<ShownStanding, string>> = {
  done: "#c8e6c9",
  skipped: "#e0e0e0",
  dropped: "#eeeeee",
  "under way": "#bbdefb",
  stopped: "#ffe0b2",
  rejected: "#ffcdd2",
  open: "#ffffff",
};

const keysOf = ({ all }: PlanTree): Map<string, string> => new Map(all.map(({ node }, i) => [node.id, `n${i}`]));

const edgesIn = ({ all }: PlanTree, keys: ReadonlyMap<string, string>): [from: string, to: string][] =>
  all.flatMap(({ node, waitsFor }) =>
    waitsFor.flatMap((on): [string, string][] => {
      const [from, to] = [keys.get(on), keys.get(node.id)];
      return from === undefined || to === undefined ? [] : [[from, to]];
    }),
  );

/** Quotes and brackets mean something to Mermaid, so they are written as entities. */
const mermaidText = (text: string): string => text.replace(/[&"<>#;[\]{}()|`\\]/g, (sign) => `#${sign.charCodeAt(0)};`);

export function mermaid(tree: PlanTree): string {
  const keys = keysOf(tree);
  const lines = ["flowchart LR"];
  const put = (each: TreeNode, indent: string): void => {
    const key = keys.get(each.node.id) as string;
    if (each.children.length === 0) {
      lines.push(`${indent}${key}["${mermaidText(nameOf(each))}"]:::${each.standing.replace(" ", "")}`);
      return;
    }
    lines.push(`${indent}subgraph ${key}["${mermaidText(nameOf(each))}"]`);
    for (const child of each.children) put(child, `${indent}  `);
    lines.push(`${indent}end`);
  };
  for (const root of tree.roots) put(root, "  ");
  for (const [from, to] of edgesIn(tree, keys)) lines.push(`  ${from} --> ${to}`);
  for (const [standing, colour] of Object.entries(COLOURS))
    lines.push(`  classDef ${standing.replace(" ", "")} fill:${colour}`);
  return `${lines.join("\n")}\n`;
}

const dotText = (text: string): string => text.replace(/["\\]/g, (sign) => `\\${sign}`);

export function graphviz(tree: PlanTree): string {
  const keys = keysOf(tree);
  const lines = [
    "digraph plan {",
    "  rankdir=LR;",
    "  compound=true;",
    '  node [shape=box, style=filled, fontname="sans-serif"];',
  ];
  /** An edge of a cluster has to begin at something inside of it. */
  const anchors = new Map<string, string>();
  const put = (each: TreeNode, indent: string): string => {
    const key = keys.get(each.node.id) as string;
    if (each.children.length === 0) {
      lines.push(`${indent}${key} [label="${dotText(nameOf(each))}", fillcolor="${COLOURS[each.standing]}"];`);
      anchors.set(key, key);
      return key;
    }
    lines.push(`${indent}subgraph cluster_${key} {`, `${indent}  label="${dotText(nameOf(each))}";`);
    const [anchor = key] = each.children.map((child) => put(child, `${indent}  `));
    lines.push(`${indent}}`);
    anchors.set(key, anchor);
    return anchor;
  };
  for (const root of tree.roots) put(root, "  ");
  for (const [from, to] of edgesIn(tree, keys)) {
    const [tail, head] = [anchors.get(from), anchors.get(to)];
    const clusters = [
      tail === from ? [] : [`ltail=cluster_${from}`],
      head === to ? [] : [`lhead=cluster_${to}`],
    ].flat();
    lines.push(`  ${tail} -> ${head}${clusters.length === 0 ? "" : ` [${clusters.join(", ")}]`};`);
  }
  return `${[...lines, "}"].join("\n")}\n`;
}
