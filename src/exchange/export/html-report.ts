// A report in one file: figures, progress and the tree. It loads nothing, runs nothing, and can be mailed.

import { lineOfText, type PlanTree, type ShownStanding, type TreeNode } from "./plan-tree.js";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const text = (value: string): string => value.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? sign);

const STYLE = `
  :root { color-scheme: light dark; font-family: system-ui, sans-serif; line-height: 1.5; }
  body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
  table { border-collapse: collapse; } td, th { padding: .2rem 1rem .2rem 0; text-align: left; }
  details { margin-left: 1rem; } summary { cursor: pointer; } ul { list-style: none; padding-left: 1.2rem; margin: .2rem 0; }
  progress { width: 8rem; vertical-align: middle; } .id { font-family: ui-monospace, monospace; opacity: .7; }
  .mark { display: inline-block; min-width: 5.5rem; font-size: .8rem; opacity: .8; } .done > .title, .dropped > .title { text-decoration: line-through; }
  .after { font-size: .8rem; opacity: .7; }`;

const STANDINGS: readonly ShownStanding[] = ["done", "under way", "open", "stopped", "rejected", "skipped", "dropped"];

export function htmlReport(tree: PlanTree, at: string): string {
  const tasks = tree.all.filter(({ node }) => node.tier === "task" && node.kind !== "land");
  const counts = STANDINGS.map(
    (standing) => [standing, tasks.filter((task) => task.standing === standing).length] as const,
  );
  const rows = counts
    .filter(([, count]) => count > 0)
    .map(([standing, count]) => `<tr><th>${standing}</th><td>${count}</td></tr>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="generator" content="Planwright">
<title>${text(lineOfText(tree.title))}</title>
<style>${STYLE}
</style>
</head>
<body>
<h1>${text(lineOfText(tree.title))}</h1>
<p>The plan as of ${text(at)}: ${tasks.length} ${tasks.length === 1 ? "task" : "tasks"}.</p>
<table>
${rows.join("\n")}
</table>
${tree.roots.map(branch).join("\n")}
</body>
</html>
`;
}

function branch(tree: TreeNode): string {
  const { node, children } = tree;
  const tasks = leavesOf(tree);
  const done = tasks.filter(({ standing }) => standing === "done" || standing === "skipped").length;
  if (children.length === 0) return `<ul>${leaf(tree)}</ul>`;
  const name = `<span class="id">${text(node.id)}</span> <b>${text(lineOfText(node.title))}</b>`;
  const bar = `<progress max="${tasks.length}" value="${done}"></progress> ${done} of ${tasks.length}`;
  const leaves = children.filter((child) => child.children.length === 0);
  const rest = children.filter((child) => child.children.length > 0);
  return `<details open>
<summary>${name} ${bar}</summary>
<ul>
${leaves.map(leaf).join("\n")}
</ul>
${rest.map(branch).join("\n")}
</details>`;
}

function leaf({ node, standing, waitsFor }: TreeNode): string {
  const after = waitsFor.length === 0 ? "" : ` <span class="after">after ${text(waitsFor.join(", "))}</span>`;
  const name = `<span class="id">${text(node.id)}</span> <span class="title">${text(lineOfText(node.title))}</span>`;
  return `<li class="${standing.replace(" ", "-")}"><span class="mark">${standing}</span> ${name}${after}</li>`;
}

const leavesOf = (tree: TreeNode): TreeNode[] =>
  tree.children.length === 0
    ? tree.node.tier === "task" && tree.node.kind !== "land"
      ? [tree]
      : []
    : tree.children.flatMap(leavesOf);
