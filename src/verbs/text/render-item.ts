// Records, escalations, lessons, artifacts, runs, attempts and conflicts on a terminal.

import { answerStep } from "../../model/item/escalation.js";
import { type NextStep, step } from "../../model/next-step.js";
import type { RecordView } from "../../plan/record/record-view.js";
import type { ArtifactView } from "../artifact/list-artifacts.js";
import type { MemoryView } from "../lesson/lessons.js";
import type { RunView, ShownItem } from "../node/show-item.js";
import type { EscalationView } from "../question/list-questions.js";
import { harmless, withinLine } from "./harmless.js";
import { renderAttempt, stepsAfter } from "./render-attempt.js";
import { renderConflict } from "./render-conflict.js";
import { type Style, widest } from "./style.js";
import { minute } from "./times.js";

type Line = readonly [label: string, text: string | null | undefined];

const WIDTH = 12;

const rows = (lines: readonly Line[], style: Style): string[] =>
  lines.flatMap(([label, text]) =>
    text === null || text === undefined || text === ""
      ? []
      : [`  ${style.dim(label.padEnd(WIDTH))}${withinLine(text)}`],
  );

const block = (text: string): string[] =>
  text === ""
    ? []
    : [
        "",
        ...harmless(text)
          .split("\n")
          .map((line) => `  ${line}`.trimEnd()),
      ];

const head = (id: string, title: string, style: Style): string => `${style.bold(id)}  ${harmless(title)}`;

function ruleLines({ measure, forbids }: RecordView): Line[] {
  return [
    ["measure", measure && `${measure.metric} ${measure.op} ${measure.target}`],
    ["measured by", measure?.run],
    ["no files", forbids?.files.join(", ")],
    ["never", forbids?.words.map((words) => `"${words}"`).join(", ")],
  ];
}

export function renderRecord(record: RecordView, style: Style): string {
  const approval = record.approvedBy && `by ${record.approvedBy}, ${minute(record.approvedAt ?? "")}`;
  const lines: Line[] = [
    ["for", record.for],
    ...ruleLines(record),
    ["because", record.because],
    ...record.alternatives.map((other): Line => ["instead of", other]),
    ["tasks", record.tasks.join(", ")],
    ["approved", approval],
    ["replaced by", record.supersededBy],
    ["from", record.run],
    ["written", `by ${record.createdBy}, ${minute(record.createdAt)}`],
  ];
  const title = head(record.id, record.title, style);
  const state = `  ${record.state} ${style.dim(`· ${record.kind}`)}`;
  return [title, state, ...rows(lines, style), ...block(record.body)].join("\n");
}

const STATES: Readonly<Record<RecordView["state"], (style: Style) => string>> = {
  active: (style) => style.green("●"),
  proposed: (style) => style.yellow("○"),
  superseded: (style) => style.dim("−"),
};

/** One line, and what a program holds a plan to. */
export function renderRecordLine(record: RecordView, style: Style): string {
  const scope = [record.for, record.state === "active" ? null : record.state].filter(Boolean).join(", ");
  const by = record.supersededBy === null ? "" : ` by ${record.supersededBy}`;
  const first = `${STATES[record.state](style)} ${head(record.id, record.title, style)}`;
  return [
    scope === "" ? first : `${first}  ${style.dim(`(${scope}${by})`)}`,
    ...rows(ruleLines(record), style).map((row) => `  ${row}`),
  ].join("\n");
}

export function renderEscalation(asked: EscalationView, style: Style): string {
  const width = widest(asked.options.map(({ id }) => id));
  const options = asked.options.map(({ id, label, detail }, i) => {
    const mark = id === asked.recommended ? style.green(" (recommended)") : "";
    const more = detail === "" ? "" : style.dim(`: ${withinLine(detail)}`);
    return `  ${style.dim(String(i + 1).padStart(2))} ${style.cyan(harmless(id).padEnd(width))}  ${harmless(label)}${mark}${more}`;
  });
  const label = asked.options.find(({ id }) => id === asked.answer?.option)?.label ?? asked.answer?.option;
  const note = asked.answer?.note ? ` (${asked.answer.note})` : "";
  const lines: Line[] = [
    ["asked by", `${asked.owner === "" ? asked.createdBy : asked.owner}, ${minute(asked.createdAt)}`],
    ["holds up", asked.blocks.join(", ")],
    [asked.expired ? "expired" : "expires", asked.expiresAt === null ? null : minute(asked.expiresAt)],
    ["triage", asked.suggestion?.sentence.replace(/^Triage suggests: /, "") ?? null],
    ["answer", asked.answer && `${label ?? ""}${note}, by ${asked.answer.by}, ${minute(asked.answer.at)}`],
  ];
  const state = asked.state === "open" ? style.yellow("?") : style.dim(asked.state === "answered" ? "✓" : "−");
  const title = `${state} ${head(asked.id, asked.question, style)}  ${style.dim(`${asked.state}, ${asked.kind}`)}`;
  return [title, ...options, ...rows(lines, style), ...block(asked.context)].join("\n");
}

export function renderMemory(memory: MemoryView, style: Style): string {
  const lines: Line[] = [
    ["for", memory.for],
    ["keywords", memory.keywords.join(", ")],
    ["from", memory.source === "person" ? memory.createdBy : memory.source],
    ["state", memory.state === "kept" ? null : memory.state],
  ];
  return [head(memory.id, memory.text, style), ...rows(lines, style)].join("\n");
}

export const sizeOf = (bytes: number): string => (bytes < 10_000 ? `${bytes} B` : `${Math.round(bytes / 1000)} kB`);

const renderRun = (run: RunView, style: Style): string =>
  [
    head(run.id, run.title, style),
    `  ${run.status} ${style.dim("· planning run")}`,
    ...rows(
      [
        ["about", run.node],
        ["artifacts", run.artifacts.join(", ")],
        ["open", run.escalations.join(", ")],
        ["started", `by ${run.createdBy}, ${minute(run.createdAt)}`],
      ],
      style,
    ),
  ].join("\n");

/** Of an artifact the text alone: that is what it is for, and it can be piped on. */
export function renderItem(shown: ShownItem, style: Style): string {
  if (shown.entity === "record") return renderRecord(shown.item, style);
  if (shown.entity === "escalation") return renderEscalation(shown.item, style);
  if (shown.entity === "memory") return renderMemory(shown.item, style);
  if (shown.entity === "run") return renderRun(shown.item, style);
  if (shown.entity === "attempt") return renderAttempt(shown.item, style);
  if (shown.entity === "conflict") return renderConflict(shown.item, style);
  return harmless(shown.item.text).replace(/\n$/, "");
}

/** What else to know. */
export const noteOnItem = (shown: ShownItem): string => (shown.entity === "artifact" ? aboutArtifact(shown.item) : "");

/** What to do with an item next. */
export function stepsForItem(shown: ShownItem): NextStep[] {
  if (shown.entity === "attempt") return stepsAfter(shown.item);
  const { entity, item } = shown;
  if (entity === "run") return [step("plan.show", { run: item.id })];
  if (entity === "escalation" && item.state === "open") return [answerStep(item.id, item.recommended)];
  if (entity === "record" && item.state === "proposed") return [step("record.approve", { ids: [item.id] })];
  return [];
}

const aboutArtifact = ({ id, kind, round, run, stale }: ArtifactView): string =>
  [`${id} is ${kind} ${round} of ${run}.`, ...(stale === null ? [] : [`It is stale: ${stale}.`])].join(" ");
