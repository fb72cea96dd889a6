// Whether a plan keeps to the records that bind it: the very rules that an approval is held to. Only what a program
// can see; the rest is for reviewers.

import {
  brokenConstraints,
  type Contradiction,
  type JudgedTask,
  missedRequirements,
} from "../../model/item/contradictions.js";
import { finding, type LintFinding } from "../contracts/findings.js";
import type { DraftTask } from "../contracts/plan-draft.js";
import { type LintRule, names } from "./rules.js";

const constraintsAreKept: LintRule = ({ records = [], draft }) =>
  brokenConstraints(draft.tasks.map(judgedTask), holding(records)).map(broken);

const broken = ({ task, record, kind, message }: Contradiction): LintFinding => {
  const suggestion = "Leave that file alone, or ask for the constraint to be superseded.";
  return finding("P-CONSTRAINT", `${task ?? ""}, ${record}`, message, kind === "forbidden-file" ? { suggestion } : {});
};

const requirementsAreMentioned: LintRule = ({ records = [], draft, work }) => {
  if (records.length === 0 || work.length === 0) return [];
  const missed = missedRequirements(draft.tasks.map(judgedTask), holding(records));
  return missed.map(({ record, message }) => {
    const run = records.find(({ key }) => key === record)?.record.measure?.run ?? null;
    const how =
      run === null ? `Name ${record} in the task that meets it.` : `Add the check "${run}" to the task that meets it.`;
    return finding("P-MEASURE", record, message, { suggestion: how });
  });
};

/** Tests and documents may stand where the project has them. */
const BESIDE = /(^|\/)(tests?|specs?|__tests__|docs?)\/|\.(test|spec)\.|(^|\/)[^/]+\.md$/i;

const filesAreInTarget: LintRule = ({ target, draft }) => {
  const folder = (target ?? "").replace(/^\.?\/+|(?<!\/)\/+$/g, "").replace(/^\.$/, "");
  if (folder === "") return [];
  const isOutside = (path: string): boolean => path !== folder && !path.startsWith(`${folder}/`) && !BESIDE.test(path);
  return draft.tasks.flatMap(({ id, files }) => {
    const outside = files.filter(({ path, action }) => action === "create" && isOutside(path)).map(({ path }) => path);
    if (outside.length === 0) return [];
    const message = `${id} creates ${names(outside)}, and the code goes to ${folder}.`;
    return [finding("P-TARGET", id, message)];
  });
};

/** A task of a draft as records judge it: what it touches, and everything that it says. */
export const judgedTask = ({ id, title, body, checks, files, symbols, requirements }: DraftTask): JudgedTask => ({
  id,
  title,
  body: [body, ...symbols, ...requirements].join("\n"),
  checks,
  files: files.map(({ path }) => path),
  nr: null,
  feature: null,
});

/** Whatever was given holds for all of the draft. */
export const holding = <T extends { readonly scope: unknown }>(
  records: readonly { readonly key: string; readonly record: T }[],
): { key: string; fields: T & { scope: null } }[] =>
  records.map(({ key, record }) => ({ key, fields: { ...record, scope: null } }));

export const RECORD_RULES: readonly LintRule[] = [filesAreInTarget, constraintsAreKept, requirementsAreMentioned];
