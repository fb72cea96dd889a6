import { checkTerms } from "../../model/node/check-terms.js";
import type { Assignment } from "../../plan/claim/assignment.js";
import type { NodeView, ReportView } from "../../plan/node/view.js";
import type { NodeSource } from "../../planning/run/source-of-node.js";
import { spell } from "../kit/spell.js";
import type { Style } from "../kit/style.js";
import {
  block,
  durationText,
  harmless,
  head,
  icon,
  idList,
  type Line,
  minute,
  rows,
  statusWord,
} from "../kit/wording.js";
import { checkWords } from "../text/check-lines.js";
import type { ShownNode } from "./read-node.js";

export type NodeDetails = NodeView &
  Partial<ShownNode> & { readonly origin?: NodeSource | null; readonly beingPlannedBy?: readonly string[] };

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
    ["parent", node.parent],
    ["depends on", idList(node.dependsOn, node.dependsOnTotal)],
    ["files", idList(node.files)],
    ["symbols", idList(node.symbols)],
    ["profile", node.profile],
    ["priority", node.priority === null ? null : String(node.priority)],
    ["estimate", node.estimateHours === null ? null : `${node.estimateHours} h`],
    ["budgets", budgets.join(", ")],
    ...node.checks.map((check): Line => ["check", [check.run, ...checkTerms(check)].join("  → ")]),
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
    ["progress", progress && progress.total > 0 ? `${progress.finished} of ${progress.total}` : null],
    [
      "approved",
      approval &&
        `by ${approval.by}, ${minute(approval.at)}${signed}${approval.stale && node.approvalSignature !== "unknown-key" ? " (the content changed since)" : ""}`,
    ],
    [
      "frozen",
      freeze &&
        `${freeze.reason} (${freeze.by}, ${minute(freeze.at)}${freeze.from === node.id ? "" : `, with ${freeze.from}`})`,
    ],
    ["claimed", claim && `by ${claim.by}, lease until ${minute(claim.leaseUntil)}`],
    [
      "outcome",
      outcome &&
        `${outcome.kind} by ${outcome.by}, ${minute(outcome.at)}${outcome.reason === null ? "" : `: ${outcome.reason}`}`,
    ],
    [
      "acceptance",
      acceptance &&
        `${acceptance.state} by ${acceptance.by}${acceptance.reason === null ? "" : `: ${acceptance.reason}`}`,
    ],
    ...(report ? reportLines(report) : []),
    ["proof", node.proof && [node.proof.strength, node.proof.words].filter((part) => part !== "").join(": ")],
    ["attempts", node.attempts > 0 ? String(node.attempts) : null],
    ["archived", archive && `by ${archive.by}, ${minute(archive.at)}`],
    ...(archive?.summary ?? "").split("\n").map((line): Line => ["summary", line.trim()]),
    ...node.discoveries.map((d): Line => ["discovery", `${d.note} (${d.from}, by ${d.by}, ${minute(d.at)})`]),
  ];
}

function reportLines(report: ReportView): Line[] {
  const { created, modified, commit, failure } = report;
  return [
    ["handed in", `by ${report.by}, ${minute(report.at)}, after ${durationText(report.durationMs)}`],
    ["commit", commit?.slice(0, 12)],
    ["created", idList(created)],
    ["modified", idList(modified)],
    ...report.checks.map((check): Line => [check.passed ? "passed" : "failed", `${check.run} (${checkWords(check)})`]),
    ["failure", failure && `${failure.class}: ${failure.reason}`],
  ];
}

function originLines({ origin, beingPlannedBy = [] }: NodeDetails): Line[] {
  const now: Line = ["being planned by", beingPlannedBy.join(", ")];
  if (!origin) return [now];
  const { run, plan, spec } = origin;
  const lines =
    spec && spec.lines.length > 0 ? `, ${spec.lines.length === 1 ? "line" : "lines"} ${ranges(spec.lines)}` : "";
  return [
    now,
    ["planned in", run],
    ["plan", plan],
    ["spec", spec && `${spec.artifact}${spec.file === null ? "" : ` ${spec.file}`}${lines}`],
  ];
}

function ranges(lines: readonly number[]): string {
  const runs: [from: number, to: number][] = [];
  for (const line of lines) {
    const last = runs.at(-1);
    if (last && last[1] === line - 1) last[1] = line;
    else runs.push([line, line]);
  }
  return runs.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(", ");
}

function besideLines({ labels = [], comments = [], records = [], questions = [] }: NodeDetails): Line[] {
  return [
    ["labels", labels.join(", ")],
    ...records.map(({ id, kind, title }): Line => [kind, `${id} ${title}`]),
    ...questions.map(({ id, question, answer }): Line => ["waits for", `${id} ${question}  → ${spell(answer)}`]),
    ...comments.map(({ text, by, at }): Line => ["comment", `${text} (${by}, ${minute(at)})`]),
  ];
}

export function renderNode(node: NodeDetails, style: Style): string {
  const kind = node.kind === null || node.kind === "work" ? node.tier : node.kind;
  const reason = node.because.length > 0 ? `${node.reason}: ${idList(node.because)}` : node.reason;
  const title = `${icon(node.status, style)} ${head(node.id, node.title, style)}`;
  const state = `  ${statusWord(node.status)} ${style.dim(`(${harmless(reason)})`)} · ${kind} · ${style.dim(node.uuid)}`;
  const lines = [...contentLines(node), ...originLines(node), ...factLines(node), ...besideLines(node)];
  return [title, state, ...rows(lines, style), ...block(node.body)].join("\n");
}

export function renderAssignment({ task, token, leaseUntil, ...rest }: Assignment, style: Style): string {
  const lines: Line[] = [
    ["kind", task.kind],
    ["in", task.parent],
    ["after", task.dependsOn?.join(", ")],
    ["files", [...(task.files ?? []), ...(task.symbols ?? [])].join(", ")],
    ["checks", task.checks?.map(({ run }) => run).join("; ")],
    ["profile", task.profile],
    ["records", rest.records?.join("; ")],
    ["where", rest.directory && `${rest.directory} at ${rest.base ?? ""}`],
    ["hand in", rest.handIn],
    ["yours too", rest.alsoYours?.join(", ")],
    ["token", `${token}  until ${minute(leaseUntil)}`],
  ];
  return [
    `${icon("in_progress", style)} ${head(task.id, task.title, style)}`,
    ...rows(lines, style),
    ...(task.body === undefined ? [] : ["", harmless(task.body)]),
  ].join("\n");
}
