// What a person reads about an outline plan before approving it: overview, goals, decisions, risks, rollback.

import type { CapabilityMap } from "../contracts/maps.js";
import type { PlanDraft } from "../contracts/plan-draft.js";
import type { Spec } from "../spec/spec.js";
import { nameOfWork, sectionTexts } from "./capabilities.js";
import type { OutlineEdge } from "./dependencies.js";
import { saysLittle } from "./reading/heading-roles.js";
import type { OutlineWork } from "./reading/work.js";
import { type Told, toldOf } from "./told.js";
import { printable, shorten, taskTitle, withoutMarks } from "./wording.js";

type About = Omit<PlanDraft, "features" | "stories" | "tasks">;

const MOST_TOLD = 50;

const ROLLBACK = "Each feature lands as one merge: revert those merges, the last one first.";

const list = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [[`${title}:`, ...lines.map((line) => `- ${line}`)].join("\n")];

const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? "" : "s"}`;

function doneInSpec({ statements }: Spec): string[] {
  const done = statements
    .filter((statement) => statement.done && statement.checkbox)
    .map(({ text }) => taskTitle(text));
  return done.length <= 30 ? done : [...done.slice(0, 30), `and ${done.length - 30} more`];
}

export interface OutlineParts {
  readonly features: readonly { readonly title: string }[];
  readonly tasks: number;
  /** Titles of the tasks of the steel thread, in order. */
  readonly thread: readonly string[];
  readonly impossible: readonly OutlineEdge[];
  readonly stack: string | undefined;
}

/** What no word of the spec says: whoever approves the plan should know. */
const inferred = (hasThread: boolean): string =>
  `Inferred by the outline planner, not stated in the spec: the hours of each task${hasThread ? ", and the order of the tasks that are built first" : ""}.`;

function overviewOf(spec: Spec, work: OutlineWork, made: OutlineParts): string {
  const names = made.features.map(({ title }) => title);
  const shown =
    names.length <= 12 ? names.join(", ") : `${names.slice(0, 12).join(", ")} and ${names.length - 12} more`;
  const parts = [
    ...sectionTexts(spec, work, ["overview", "motivation"], { count: 6, length: 800 }),
    `${count(made.tasks, "task")} in ${count(names.length, "feature")}, from the outline of the spec: ${shown}.`,
    ...(made.stack === undefined ? [] : [`Stack: ${withoutMarks(made.stack)}.`]),
    ...(made.thread.length < 2 ? [] : [`Built first, from end to end: ${made.thread.join(" → ")}.`]),
    inferred(made.thread.length > 1),
    ...list("Design", sectionTexts(spec, work, "design", { count: 6, length: 300 })),
    ...list("Holds for every task", sectionTexts(spec, work, "constraints", { count: 10, length: 300 })),
    ...list("Already done, as the spec says", doneInSpec(spec)),
    ...list(
      "The spec has tasks wait for each other; these waits are left out",
      made.impossible.slice(0, 10).map(({ from, to }) => `${from.item.title} after ${to.item.title}`),
    ),
  ];
  return shorten(parts.join("\n\n"), 10_000);
}

const cellOf = ({ cells }: Told, names: RegExp): string =>
  [...(cells ?? [])].find(([column]) => names.test(column))?.[1] ?? "";

/** A row with its columns, `Risk: mitigation`, `risk -> mitigation`, `risk. Mitigation: …`. */
function riskOf(told: Told): { risk: string; mitigation: string } {
  const risk = cellOf(told, /\b(?:risks?|threats?|challenges?|issues?|problems?|description)\b/);
  if (risk !== "")
    return { risk, mitigation: cellOf(told, /\b(?:mitigations?|solutions?|responses?|actions?|plan)\b/) };
  const text = shorten(told.title === undefined ? told.text : `${told.title}: ${told.text}`, 1_000);
  const split = /^(.+?)(?:[.;,(]?\s*\bmitigat(?:ion|ed by|e)s?\b\s*:?\s*|\s*(?:→|->|=>)\s*)(.+?)\)?$/i.exec(text);
  return split === null ? { risk: text, mitigation: "" } : { risk: split[1] as string, mitigation: split[2] as string };
}

export function aboutOf(spec: Spec, map: CapabilityMap, work: OutlineWork, made: OutlineParts): About {
  const decisions = toldOf(spec, work, "decisions", true).slice(0, MOST_TOLD);
  const rollback = sectionTexts(spec, work, "rollback", { count: 20, length: 240 });
  return {
    title: nameOfWork(work),
    overview: printable(overviewOf(spec, work, made)),
    goals: map.goals,
    nonGoals: map.nonGoals,
    decisions: decisions.map(({ title, text }, index) => ({
      id: `D${String(index + 1).padStart(2, "0")}`,
      title: taskTitle(title === undefined || saysLittle(title) ? text : title),
      choice: text,
      because: "",
      alternatives: [],
      tasks: [],
    })),
    risks: toldOf(spec, work, "risks").slice(0, MOST_TOLD).map(riskOf),
    initiatives: [],
    rollback: rollback.length === 0 ? ROLLBACK : rollback.join("\n"),
  };
}
