// A TODO list: headings for containers, boxes for tasks, and each task with its UUID, so that an import finds it again.

import { lineOfText, type PlanTree, type ShownStanding, type TreeNode } from "./plan-tree.js";

/** The first line of what this program wrote, and may write again. */
export const MADE_HERE =
  "<!-- Exported by Planwright. Tick boxes here and import it again; change words in the plan. -->";

const MARKS: Readonly<Record<ShownStanding, string>> = {
  done: "x",
  skipped: "x",
  dropped: "-",
  "under way": "~",
  stopped: ">",
  rejected: "!",
  open: " ",
};

export function markdownList({ title, uuid, roots }: PlanTree): string {
  const anchor = (uuid: string): string => ` <!-- pw:${uuid} -->`;
  const lines = [MADE_HERE, "", `# ${lineOfText(title)}${uuid === null ? "" : anchor(uuid)}`];
  const put = (tree: TreeNode, level: number): void => {
    const { node, children, standing, waitsFor } = tree;
    const name = `${node.id} ${lineOfText(node.title)}`;
    if (node.tier !== "task") {
      lines.push("", `${"#".repeat(Math.min(level, 6))} ${name}${anchor(node.uuid)}`, "");
      const ordered = [...children].sort((a, b) => Number(b.node.tier === "task") - Number(a.node.tier === "task"));
      for (const child of ordered) put(child, level + 1);
      return;
    }
    const waits = waitsFor.length === 0 ? "" : ` (after ${waitsFor.join(", ")})`;
    lines.push(`- [${MARKS[standing]}] ${name}${waits}${anchor(node.uuid)}`);
  };
  for (const root of roots) put(root, 2);
  return `${lines.join("\n").replace(/\n{3,}/g, "\n\n")}\n`;
}
