// Views of what looks at the plan from one side.

import type { GraphView } from "../../../../actions/overview/graph.js";
import type { StuckGroup } from "../../../../actions/overview/stuck.js";
import type { TreeRow } from "../../../../actions/overview/tree-row.js";
import { spell } from "../../../../app/command-line.js";
import { harmless } from "../../../../app/text/harmless.js";
import type { NodeTrace } from "../../../../app/trace-node.js";
import { statusWord } from "../../text/icons.js";
import type { Style } from "../../text/style.js";
import type { ViewOf } from "../../view.js";

const stuck: ViewOf<"stuck"> = {
  text: ({ groups, total, tasks }, style) =>
    groups.length === 0
      ? style.dim("Nothing is stuck.")
      : [
          `${countOf(tasks)} stuck, by ${total === 1 ? "1 cause" : `${total} causes`}:`,
          ...groups.map(stuckLines(style)),
        ].join("\n"),
  next: ({ groups }) => groups[0]?.next ?? [],
};

const countOf = (tasks: number): string => (tasks === 1 ? "1 task is" : `${tasks} tasks are`);

const stuckLines =
  (style: Style) =>
  ({ id, title, status, sentence, nodes, hours, more }: StuckGroup): string =>
    [
      `  ${style.bold(id)}  ${harmless(title)}  ${style.dim(statusWord(status))}`,
      `    ${harmless(sentence)}`,
      `    ${style.dim(`holds up ${nodes}${more ? " or more" : ""} ${nodes === 1 ? "task" : "tasks"}, ${hours} h`)}`,
    ].join("\n");

const trace: ViewOf<"trace"> = { text: traceText };

function traceText(traced: NodeTrace, style: Style): string {
  const { spec, approval, checks, commit, kept, proof } = traced;
  const lines = [`${style.bold(traced.id)}  ${harmless(traced.title)}`];
  const from =
    spec === null ? "no spec: it was added by hand" : `${harmless(spec.file ?? spec.artifact)} (${spec.run})`;
  lines.push(`Spec      ${from}`);
  for (const { line, text } of spec?.lines ?? [])
    lines.push(`  ${style.dim(String(line).padStart(5))}  ${harmless(text)}`);
  lines.push(
    `Approval  ${approval === null ? "none" : `${approval.by} at ${approval.at}, ${approval.hash.slice(0, 12)}${approval.stale ? "; changed since" : ""}`}`,
  );
  lines.push(`Checks    ${checks.length === 0 ? "none" : ""}`.trimEnd());
  for (const { run, passed, outcome, shows } of checks) {
    const sign = passed === null ? style.dim("·") : passed ? style.green("✓") : style.red("✗");
    lines.push(
      `  ${sign} ${harmless(run)}${outcome === null ? "" : style.dim(`  ${outcome}`)}${shows === "" ? "" : `  ${shows}`}`,
    );
  }
  const where = commit === null ? (kept === null ? "none" : `none; work is kept in ${kept}`) : commit.commit;
  lines.push(`Commit    ${where}${commit === null ? "" : commit.landed ? ", landed" : ", not landed yet"}`);
  if (proof) lines.push(`Proof     ${proof.strength}${proof.words === "" ? "" : `: ${harmless(proof.words)}`}`);
  return lines.join("\n");
}

const children: ViewOf<"children"> = {
  text: ({ node, children: below, from, total }, style) => {
    const rows = below.map((row) => `  ${treeLine(row, style)}`);
    const left = total - from - below.length;
    return [
      ...(node ? [treeLine(node, style)] : []),
      ...rows,
      ...(left > 0 ? [style.dim(`  … ${left} more`)] : []),
      ...(total === 0 ? [style.dim("  nothing below it")] : []),
    ].join("\n");
  },
};

const treeLine = ({ id, title, status, progress }: TreeRow, style: Style): string => {
  const done = progress === null ? "" : style.dim(`  ${progress.finished}/${progress.total}`);
  return `${style.bold(id)}  ${harmless(title)}  ${style.dim(statusWord(status))}${done}`;
};

const graph: ViewOf<"graph"> = { text: graphText };

function graphText({ lanes, nodes, columns, more }: GraphView, style: Style): string {
  if (nodes.length === 0) return style.dim("There is no task to draw.");
  const lines: string[] = [];
  for (const { id, title, progress } of lanes) {
    const done = progress === null ? "" : style.dim(`  ${progress.finished}/${progress.total}`);
    lines.push(`${style.bold(id ?? "outside of features")}  ${harmless(title)}${done}`);
    for (let column = 0; column < columns; column++) {
      const here = nodes.filter((node) => node.lane === id && node.column === column).sort((a, b) => a.row - b.row);
      if (here.length === 0) continue;
      const ids = here.map((node) => `${node.critical ? style.yellow("●") : "·"} ${node.id}`);
      lines.push(`  ${style.dim(`wave ${column + 1}`)}  ${ids.join("  ")}`);
    }
  }
  if (more > 0) lines.push(style.dim(`… ${more} more`));
  return lines.join("\n");
}

const verbs: ViewOf<"verbs"> = {
  text: (found, style) =>
    found.verbs
      .flatMap(({ next, refused }) => next.map((each) => ({ each, refused })))
      .map(({ each, refused }) =>
        refused === null ? `  ${style.cyan(spell(each))}` : style.dim(`  ${each.operation}: ${harmless(refused)}`),
      )
      .join("\n"),
};

export const lookViews = { stuck, trace, children, graph, verbs };
