// The conformance lint: a program that reads a whole draft and lists everything that is wrong with it.

import { append } from "../../base/append.js";
import { type Grade, LINT_CODES } from "../../model/lint-codes.js";
import { valueForEach } from "../../model/words.js";
import type { LintFinding, LintLevel } from "../contracts/findings.js";
import { checkedWork } from "../draft/headline.js";
import { CHECK_RULES } from "./check-rules.js";
import { MAP_RULES, STEEL_RULES } from "./map-rules.js";
import { RECORD_RULES } from "./record-rules.js";
import { type LintContext, type LintInput, lintContext, names } from "./rules.js";
import {
  coverageOf,
  leftOutDuties,
  lost,
  SPEC_RULES,
  uncoveredRequirements,
  uncoveredStatements,
} from "./spec-rules.js";
import { STRUCTURE_RULES } from "./structure-rules.js";
import { SIZE_RULES, TEXT_RULES } from "./task-rules.js";

const CHECKS = [
  ...STRUCTURE_RULES,
  ...SPEC_RULES,
  ...MAP_RULES,
  ...CHECK_RULES,
  ...SIZE_RULES,
  ...STEEL_RULES,
  ...TEXT_RULES,
  ...RECORD_RULES,
];

const GRADES_AT: Readonly<Record<LintLevel, readonly Grade[]>> = {
  lenient: ["unreadable", "error"],
  normal: ["unreadable", "error", "warning"],
  strict: ["unreadable", "error", "warning", "remark"],
};

/** The gravest findings come first. */
export function lintDraft(input: LintInput) {
  const look = lintContext(input);
  const whole = coverageOf(input);
  const { spec, before } = input;
  const asked = spec && whole && before ? lost(spec, whole, input, before) : whole;
  const uncovered =
    spec && asked ? [...uncoveredRequirements(spec, asked), ...uncoveredStatements(asked, input.mode)] : [];
  const duties = whole && !before ? leftOutDuties(whole) : [];
  const all = oneLineEach([...CHECKS.flatMap((check) => [...check(look)]), ...uncovered, ...duties]);
  const findings = GRADES_AT[input.level].flatMap((grade) => all.filter((each) => each.grade === grade));
  return { findings, ...(whole && !before ? { coverage: whole } : {}), stats: statsOf(look, all) };
}

const MAX_ALIKE = 3;

/** Warnings and remarks of one kind are one line: a hundred of them would hide the others. Those that can be fixed stay. */
function oneLineEach(findings: readonly LintFinding[]): LintFinding[] {
  const kinds = new Map<string, LintFinding[]>();
  for (const each of findings) {
    const isOwn = each.fixable || each.grade === "error" || each.grade === "unreadable";
    append(kinds, isOwn ? `${each.code} ${each.where} ${each.message}` : `${each.grade} ${each.code}`, each);
  }
  return [...kinds.values()].flatMap((alike) => {
    const [first] = alike as [LintFinding, ...LintFinding[]];
    if (alike.length <= MAX_ALIKE) return alike;
    const where = names(alike.map((each) => each.where));
    const message = `${alike.length} times: ${LINT_CODES[first.code].meaning} ${where}.`;
    return [{ ...first, where, message }];
  });
}

/** Tasks with a check and those that share one, and findings of each grade, whatever the level shows. */
export type LintStats = ReturnType<typeof statsOf>;

function statsOf({ work }: LintContext, all: readonly LintFinding[]) {
  const count = (grade: Grade): number => all.filter((each) => each.grade === grade).length;
  const shown = checkedWork(work);
  return { work: work.length, checked: shown.withCheck, shown, grades: valueForEach(GRADES_AT.strict, count) };
}
