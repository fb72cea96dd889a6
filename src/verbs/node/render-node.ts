// One node on a terminal.

import type { Assignment } from "../../plan/claim/assignment.js";
import type { NodeView, ReportView } from "../../plan/node/view.js";
import type { NodeSource } from "../../planning/run/source-of-node.js";
import { spell } from "../kit/spell.js";
import type { Style } from "../kit/style.js";
import { checkWords } from "../text/check-lines.js";
import { icon, statusWord } from "../text/icons.js";
import { harmless, minute, withinLine } from "../text/wording.js";
import type { ShownNode } from "./read-node.js";

/** A node with as much of what is known beside it as was asked for. */
export type NodeDetails = NodeView &
  Partial<ShownNode> & { readonly origin?: NodeSource | null; readonly beingPlannedBy?: readonly string[] };

type Line = readonly [label: string, text: string];

const lineIf = (label: string, text: string | null | undefined): Line[] =>
  text === null || text === undefined || text === "" ? [] : [[label, text]];

/** A list that a person still reads. */
const LISTED = 20;

const list = (items: readonly string[], total = items.length): string => {
  const shown = items.slice(0, LISTED);
  return total > shown.length ? `${shown.join(", ")} and ${total - shown.length} more` : shown.join(", ");
};

function contentLines(node: NodeDetails): Line[] {
  const budgets = [
    ...(node.budgets.attempts === undefined ? [] : [`${node.budgets.attempts} attempts`]),
    ...(node.replans
      ? [`${node.replans.used} of ${node.replans.of} replans used`]
      : node.budgets.replans === undefined
        ? []
        : [`${node.budgets.replans} replans`]),
  ];
  return [
    ...lineIf("parent", node.parent),
    ...lineIf("depends on", list(node.dependsOn, node.dependsOnTotal)),
    ...lineIf("files", list(node.files)),
    ...lineIf("symbols", list(node.symbols)),
    ...lineIf("profile", node.profile),
    ...lineIf("priority", node.priority === null ? null : String(node.priority)),
    ...lineIf("estimate", node.estimateHours === null ? null : `${node.estimateHours} h`),
    ...lineIf("budgets", budgets.join(", ")),
    ...node.checks.flatMap((check) =>
      lineIf("check", [check.run, check.expect && `expects ${check.expect}`].filter(Boolean).join("  → ")),
    ),
  ];
}

const SIGNED = {
  valid: ", signed",
  unsigned: ", unsigned",
  "unknown-key": ", with a secret that this plan does not know",
  wrong: ", with a FALSE signature",
} as const;

function factLines(node: NodeView & { readonly approvalSignature?: keyof typeof SIGNED }): Line[] {
  const signed = node.approvalSignature === undefined ? "" : SIGNED[node.approvalSignature];
  const { approval, freeze, claim, outcome, acceptance, report, progress, archive } = node;
  return [
    ...lineIf("progress", progress && progress.total > 0 ? `${progress.finished} of ${progress.total}` : null),
    ...lineIf(
      "approved",
      approval &&
        `by ${approval.by}, ${minute(approval.at)}${signed}${approval.stale && node.approvalSignature !== "unknown-key" ? " (the content changed since)" : ""}`,
    ),
    ...lineIf(
      "frozen",
      freeze &&
        `${freeze.reason} (${freeze.by}, ${minute(freeze.at)}${freeze.from === node.id ? "" : `, with ${freeze.from}`})`,
    ),
    ...lineIf("claimed", claim && `by ${claim.by}, lease until ${minute(claim.leaseUntil)}`),
    ...lineIf(
      "outcome",
      outcome &&
        `${outcome.kind} by ${outcome.by}, ${minute(outcome.at)}${outcome.reason === null ? "" : `: ${outcome.reason}`}`,
    ),
    ...lineIf(
      "acceptance",
      acceptance &&
        `${acceptance.state} by ${acceptance.by}${acceptance.reason === null ? "" : `: ${acceptance.reason}`}`,
    ),
    ...(report ? reportLines(report) : []),
    ...lineIf("proof", node.proof && [node.proof.strength, node.proof.words].filter((part) => part !== "").join(": ")),
    ...lineIf("attempts", node.attempts > 0 ? String(node.attempts) : null),
    ...lineIf("archived", archive && `by ${archive.by}, ${minute(archive.at)}`),
    ...(archive?.summary ?? "").split("\n").flatMap((line) => lineIf("summary", line.trim())),
    ...node.discoveries.flatMap((d) => lineIf("discovery", `${d.note} (${d.from}, ${minute(d.at)})`)),
  ];
}

function reportLines(report: ReportView): Line[] {
  const { created, modified, commit, failure } = report;
  return [
    ...lineIf("handed in", `by ${report.by}, ${minute(report.at)}, after ${(report.durationMs / 1000).toFixed(1)} s`),
    ...lineIf("commit", commit?.slice(0, 12)),
    ...lineIf("created", list(created)),
    ...lineIf("modified", list(modified)),
    ...report.checks.flatMap((check) =>
      lineIf(check.passed ? "passed" : "failed", `${check.run} (${checkWords(check)})`),
    ),
    ...lineIf("failure", failure && `${failure.class}: ${failure.reason}`),
  ];
}

function originLines({ origin, beingPlannedBy = [] }: NodeDetails): Line[] {
  const now = lineIf("being planned by", beingPlannedBy.join(", "));
  if (!origin) return now;
  const { run, plan, spec } = origin;
  const lines =
    spec && spec.lines.length > 0 ? `, ${spec.lines.length === 1 ? "line" : "lines"} ${ranges(spec.lines)}` : "";
  return [
    ...now,
    ...lineIf("planned in", run),
    ...lineIf("plan", plan),
    ...lineIf("spec", spec && `${spec.artifact}${spec.file === null ? "" : ` ${spec.file}`}${lines}`),
  ];
}

/** `3-5, 9` */
function ranges(lines: readonly number[]): string {
  const runs: [from: number, to: number][] = [];
  for (const line of lines) {
    const last = runs.at(-1);
    if (last && last[1] === line - 1) last[1] = line;
    else runs.push([line, line]);
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(", ");
}

function besideLines({ labels = [], comments = [], records = [], escalations = [] }: NodeDetails): Line[] {
  return [
    ...lineIf("labels", labels.join(", ")),
    ...records.flatMap(({ id, kind, title }) => lineIf(kind, `${id} ${title}`)),
    ...escalations.flatMap(({ id, question, answer }) => lineIf("waits for", `${id} ${question}  → ${spell(answer)}`)),
    ...comments.flatMap(({ text, by, at }) => lineIf("comment", `${text} (${by}, ${minute(at)})`)),
  ];
}

export function renderNode(node: NodeDetails, style: Style): string {
  const kind = node.kind === null || node.kind === "work" ? node.tier : node.kind;
  const reason = node.because.length > 0 ? `${node.reason}: ${list(node.because)}` : node.reason;
  const head = `${icon(node.status, style)} ${style.bold(node.id)}  ${harmless(node.title)}`;
  const state = `  ${statusWord(node.status)} ${style.dim(`(${harmless(reason)})`)} · ${kind} · ${style.dim(node.uuid)}`;
  const rows = [...contentLines(node), ...originLines(node), ...factLines(node), ...besideLines(node)].map(
    ([label, text]) => `  ${style.dim(label.padEnd(11))}${label.length < 11 ? "" : " "}${withinLine(text)}`,
  );
  const body =
    node.body === ""
      ? []
      : [
          "",
          ...harmless(node.body)
            .split("\n")
            .map((line) => `  ${line}`),
        ];
  return [head, state, ...rows, ...body].join("\n");
}

/** What a worker has to know, and nothing else. */
export function renderAssignment({ task, token, leaseUntil, ...rest }: Assignment, style: Style): string {
  const lines: [label: string, value: string][] = [
    ["kind", task.kind ?? ""],
    ["in", task.parent ?? ""],
    ["after", (task.dependsOn ?? []).join(", ")],
    ["files", [...(task.files ?? []), ...(task.symbols ?? [])].join(", ")],
    ["checks", (task.checks ?? []).map(({ run }) => run).join("; ")],
    ["profile", task.profile ?? ""],
    ["records", (rest.records ?? []).join("; ")],
    ["where", rest.directory === null ? "" : `${rest.directory} at ${rest.base ?? ""}`],
    ["hand in", rest.handIn],
    ["yours too", (rest.alsoYours ?? []).join(", ")],
    ["token", `${token}  until ${minute(leaseUntil)}`],
  ];
  return [
    `${icon("in_progress", style)} ${style.bold(task.id)}  ${harmless(task.title)}`,
    ...lines
      .filter(([, value]) => value !== "")
      .map(([label, value]) => `  ${style.dim(label.padEnd(11))}${withinLine(value)}`),
    ...(task.body === undefined ? [] : ["", harmless(task.body)]),
  ].join("\n");
}
