// Views of operations on tasks that people do themselves.

import { harmless, withinLine } from "../../../../app/text/harmless.js";
import { step } from "../../../../app/vocabulary.js";
import type { HandWorktree } from "../../../../execution/hand-work/begin-hand-work.js";
import type { HandInResult } from "../../../../execution/hand-work/end-hand-work.js";
import { minute } from "../../text/times.js";
import type { ViewOf } from "../../view.js";
import { lines } from "../execution/execution.js";

const quoted = (value: string): string => `'${value.replaceAll("'", String.raw`'\''`)}'`;

const exportsOf = ({ env }: HandWorktree): string =>
  Object.entries(env)
    .map(([name, value]) => `export ${name}=${quoted(value)}`)
    .join("\n");

const workStart: ViewOf<"work.start"> = {
  flags: { "print-env": "print the environment as shell exports, and nothing else" },
  live: lines,
  text: (place, style, given) => {
    if (given.has("print-env")) return exportsOf(place);
    const { task, title, attempt, worktree, branch, env } = place;
    const row = (label: string, value: string): string => `  ${style.dim(label.padEnd(10))}${value}`;
    return [
      `${style.bold(task)}  ${harmless(title)}  ${style.dim(place.resumed ? `${attempt}, started before` : attempt)}`,
      row("folder", worktree),
      row("branch", branch),
      row("ports", env["PLANWRIGHT_PORTS"] ?? ""),
    ].join("\n");
  },
  note: ({ worktree }, _, given) => (given.has("print-env") ? "" : `cd ${quoted(worktree)}`),
  next: ({ task }) => [step("work.done", { reference: task }), step("work.abandon", { reference: task })],
};

const WORDS: Readonly<Record<Exclude<HandInResult["state"], "open">, string>> = {
  accepted: "is done",
  pending: "is handed in",
  released: "is given back",
};

const ended: ViewOf<"work.done"> = {
  live: lines,
  text: ({ state, task, note }, style) => {
    const mark = state === "accepted" ? style.green("✓") : style.yellow("○");
    return `${mark} ${style.bold(task)}  ${WORDS[state as keyof typeof WORDS]}: ${harmless(note)}`;
  },
  note: ({ worktree, notHandedIn }) => {
    if (worktree === null) return "Its folder was removed.";
    const changed =
      notHandedIn.length === 0
        ? ""
        : `This changed since and is not part of it: ${withinLine(notHandedIn.join(", "))}\n`;
    return `${changed}Its folder stays: ${worktree}`;
  },
  next: ({ state, task, kept, attempt }) => {
    if (state === "pending") return [step("accept", { references: [task] }, "reason")];
    return kept === null ? [] : [step("attempt.restore", { id: attempt })];
  },
  problems: ({ task, attempt, note, worktree }: HandInResult, style) => {
    const where = worktree === null ? [] : [`Fix it in ${worktree}, then hand it in again.`];
    return [`${style.red("✗")} ${style.bold(task)} is not done yet (${attempt})`, harmless(note), ...where].join("\n");
  },
};

const workDone: ViewOf<"work.done"> = ended;
const workAbandon: ViewOf<"work.abandon"> = ended;

const workList: ViewOf<"work.list"> = {
  text: (all, style) =>
    all.length === 0
      ? style.dim("No work by hand is open.")
      : all
          .map(({ task, attempt, by, worktree, since }) => {
            const how = since === null ? "ended; its folder is left" : `since ${minute(since)}`;
            return `${style.bold(task)}  ${attempt}  ${by}  ${style.dim(how)}\n  ${worktree}`;
          })
          .join("\n"),
};

export const workViews = {
  "work.start": workStart,
  "work.done": workDone,
  "work.abandon": workAbandon,
  "work.list": workList,
};
