// How a step that the server offers is called on a button, and what a click on it does. Which steps there are is the server's
// to say.

import type { Step, VerbName } from "../api/types.js";
import { upperFirst } from "./words.js";

const firstOf = (value: unknown): string | undefined => {
  if (typeof value === "string") return value;
  return Array.isArray(value) && typeof value[0] === "string" ? value[0] : undefined;
};

/** The node or item that a step is about. */
export const subjectOf = ({ input }: Step): string | undefined =>
  firstOf(input["reference"]) ?? firstOf(input["references"]) ?? firstOf(input["id"]) ?? firstOf(input["run"]);

const LABELS: Partial<Readonly<Record<VerbName, string>>> = {
  "question.answer": "Answer",
  "question.confirm": "Confirm",
  "question.triage": "Suggest answers",
  "plan.resume": "Resume",
  "plan.revise": "Ask for changes …",
  "plan.apply": "Add without approving",
  "plan.diff": "Show changes",
  "plan.show": "Open",
  "plan.edit": "Edit",
  level: "Set the level",
  "level.show": "Show the level",
  "daemon.start": "Start the daemon",
  "daemon.logs": "Show the log",
  "agents.list": "Show agents",
  "attempt.list": "Show attempts",
  "attempt.show": "Open",
  "conflicts.resolve": "Decide the order",
  "conflicts.show": "Show the conflict",
  "record.approve": "Put in force",
  "record.supersede": "Replace",
  revert: "Revert by a new task",
  add: "Add a task",
  "claim.release": "Give it back",
  "config.trust": "Trust the settings",
  reset: "Try again",
  accept: "Accept …",
  complete: "Mark done",
  land: "Land on main",
  approve: "Review and approve",
  run: "Run it",
  next: "Claim the next task",
  status: "Show",
  show: "Open",
  why: "Why",
  log: "See the change",
  thaw: "Thaw",
  edit: "Edit",
  link: "Wait for …",
  lint: "Check the plan",
};

const FIELDS: Readonly<Record<string, string>> = {
  with: "The new words",
  note: "What should be different",
  reason: "Why",
  title: "Title of the new task",
  option: "Your answer",
  despite: "Why all the same",
};

/** What a field that only you can fill in asks for. */
export const fieldName = (name: string): string => FIELDS[name] ?? upperFirst(name);

/** A button says its object where it matters: where that is not what it stands beside. */
export function labelOf(step: Step, beside?: string): string {
  const subject = subjectOf(step);
  const isNamed = step.operation === "next" && subject !== undefined;
  const words = isNamed ? "Claim it" : (LABELS[step.operation] ?? upperFirst(step.operation.replace(".", " ")));
  return subject === undefined || subject === beside || words.endsWith("…") ? words : `${words} ${subject}`;
}

/** Steps that only look. */
const LOOKS: ReadonlySet<VerbName> = new Set([
  "show",
  "why",
  "log",
  "status",
  "list",
  "plan.show",
  "plan.diff",
  "plan.list",
  "attempt.show",
  "attempt.list",
  "question.list",
  "conflicts.list",
  "conflicts.show",
  "level.show",
  "agents.list",
  "daemon.logs",
  "daemon.status",
  "stats",
  "waves",
  "lint",
  "doctor",
]);

/** These only make sense in a terminal. */
const TERMINAL: ReadonlySet<VerbName> = new Set(["next", "plan.edit", "work.start", "claim.renew"]);

export const looks = ({ operation }: Step): boolean => LOOKS.has(operation);
export const isOffered = ({ operation }: Step): boolean => !TERMINAL.has(operation);

/** What leaves the store, or gives something up, asks once. */
export function questionOf(step: Step): string | undefined {
  const { operation, destructive, input } = step;
  const subject = subjectOf(step);
  if (operation === "land") return `Land ${subject ?? "it"} now`;
  if (operation === "run") return "Start workers on this machine now";
  if (operation === "daemon.start") return "Start workers in the background";
  if (operation === "level") return `Set the level to ${String(input["level"])}`;
  if (operation === "config.trust") return "Let these settings run commands here";
  if (destructive && operation !== "reset") return `${labelOf(step)}: are you sure?`;
  return undefined;
}

const DONE: Partial<Readonly<Record<VerbName, string>>> = {
  reset: "is back in the queue.",
  complete: "is done.",
  thaw: "continues.",
  land: "landed.",
  accept: "is accepted.",
  "question.answer": "is answered.",
  "question.confirm": "is answered.",
};

/** Said after it was done. */
export function doneWords(step: Step): string {
  const words = DONE[step.operation];
  return words === undefined ? `Done: ${labelOf(step)}.` : `${subjectOf(step) ?? "It"} ${words}`;
}

/** Landing and runs ask on a terminal; the button asked already. */
export const confirmedInput = ({ operation, input }: Step): Record<string, unknown> =>
  operation === "land" || operation === "config.trust" ? { ...input, yes: true } : { ...input };
