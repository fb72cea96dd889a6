// Whether a plan keeps to the records that bind it. Only what a program can see; the rest is for reviewers.

import type { PlanRecord } from "../../graph/record.js";
import type { DraftTask } from "../contracts/plan-draft.js";
import type { LintFinding } from "./finding.js";
import { type Check, quoted } from "./look.js";
import { matchesPath } from "./pattern.js";
import { finding } from "./rules.js";

const active = ({ record }: { readonly record: PlanRecord }): boolean => record.state === "active";

export const constraintsAreKept: Check = function* ({ records = [], draft }) {
  for (const { key, record } of records.filter(active)) {
    if (record.kind !== "constraint" || record.forbids === null) continue;
    const { files, words } = record.forbids;
    const sayings = words.map((word) => ({ word, pattern: saying(word) }));
    for (const task of draft.tasks) {
      yield* touches(task, files, key, record);
      const text = textOf(task);
      for (const { word, pattern } of sayings) {
        if (!pattern.test(text)) continue;
        const say = `${task.id} says ${quoted(word)}, which the constraint ${key} ${quoted(record.title)} forbids.`;
        yield finding(
          "P-CONSTRAINT",
          `${task.id}, ${key}`,
          say,
          "Do it without, or ask for the constraint to be superseded.",
        );
      }
    }
  }
};

function* touches(
  task: DraftTask,
  patterns: readonly string[],
  key: string,
  record: PlanRecord,
): Iterable<LintFinding> {
  for (const { path } of task.files) {
    const pattern = patterns.find((each) => matchesPath(path, each));
    if (pattern === undefined) continue;
    const say = `${task.id} touches ${path}, which the constraint ${key} ${quoted(record.title)} forbids (${pattern}).`;
    yield finding(
      "P-CONSTRAINT",
      `${task.id}, ${key}`,
      say,
      "Leave that file alone, or ask for the constraint to be superseded.",
    );
  }
}

/** The words with any white space between them, not inside a longer word. */
function saying(words: string): RegExp {
  const parts = words
    .trim()
    .split(/\s+/)
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&"));
  return new RegExp(`(?<![\\w-])${parts.join("\\s+")}(?![\\w-])`, "iu");
}

const textOf = ({ title, body, checks, symbols }: DraftTask): string =>
  [title, body, ...checks.map(({ run }) => run), ...symbols].join("\n");

const plain = (text: string): string => text.toLowerCase().replace(/[\s_-]+/g, " ");

export const requirementsAreMentioned: Check = function* ({ records = [], draft, work }) {
  const wanted = records.filter(active).filter(({ record }) => record.kind === "requirement");
  if (wanted.length === 0 || work.length === 0) return;
  const said = plain(draft.tasks.map((task) => `${textOf(task)}\n${task.requirements.join(" ")}`).join("\n"));
  for (const { key, record } of wanted) {
    const { metric = "", run = null } = record.measure ?? {};
    const signs = [key, metric, run ?? "", record.title].map(plain).filter((sign) => sign.trim() !== "");
    if (signs.some((sign) => said.includes(sign))) continue;
    const measure = record.measure ? ` (${metric} ${record.measure.op} ${record.measure.target})` : "";
    const say = `No task or check mentions the requirement ${key} ${quoted(record.title)}${measure}.`;
    const how =
      run === null ? `Name ${key} in the task that meets it.` : `Add the check "${run}" to the task that meets it.`;
    yield finding("P-MEASURE", key, say, how);
  }
};
