// What the program itself finds wrong with a plan. Codes are stable: people and scripts name them.

export const LINT_LEVELS = ["lenient", "normal", "strict"] as const;
/** `lenient` looks at errors alone, `normal` also at warnings, `strict` also at remarks. */
export type LintLevel = (typeof LINT_LEVELS)[number];

/** An `error` forces a revision, `unreadable` escalates: the plan cannot be judged at all. */
export type Grade = "unreadable" | "error" | "warning" | "remark";

export interface LintFinding {
  /** Such as `P-QUOTE`. */
  readonly code: string;
  readonly grade: Grade;
  /** Where: ids of nodes, a behaviour, a section of the spec. */
  readonly where: string;
  readonly message: string;
  /** What to do about it. */
  readonly suggestion: string;
  /** Whether `lint --fix` fixes it. */
  readonly fixable: boolean;
}
