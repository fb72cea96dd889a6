// What a plan says of itself, within its share of a call: decisions about the tasks that are shown come first.

import type { PlanDraft } from "../contracts/plan-draft.js";
import { choose, json, type Selection, textPart } from "./call-budget.js";

/** Shares of the budget of a call. */
const SHARES = { overview: 0.2, rollback: 0.1, goals: 0.1, nonGoals: 0.1, decisions: 0.3, risks: 0.2 } as const;

export function aboutPlan(
  { title, overview, rollback, goals, nonGoals, decisions, risks }: PlanDraft,
  shown: ReadonlySet<string>,
  tokens: number,
  reading: string,
): { readonly about: Record<string, unknown>; readonly rest: string } {
  const chosen = {
    goals: choose({ items: goals, tokens: tokens * SHARES.goals, write: json, line: (text) => text, reading }),
    nonGoals: choose({ items: nonGoals, tokens: tokens * SHARES.nonGoals, write: json, line: (text) => text, reading }),
    decisions: choose({
      items: decisions,
      tokens: tokens * SHARES.decisions,
      write: json,
      line: (decision) => `${decision.id} ${decision.title}`,
      reading,
      weight: (decision) => decision.tasks.filter((id) => shown.has(id)).length,
    }),
    risks: choose({ items: risks, tokens: tokens * SHARES.risks, write: json, line: ({ risk }) => risk, reading }),
  };
  const [overviewName, overviewText] = textPart("overview", overview, tokens * SHARES.overview, reading);
  const [rollbackName, rollbackText] = textPart("rollback", rollback, tokens * SHARES.rollback, reading);
  const lists = Object.entries<Selection<unknown>>(chosen);
  const indexes = lists.filter(([, { rest }]) => rest !== "").map(([name, { rest }]) => `\n\n${name}: ${rest}`);
  const about = {
    title,
    [overviewName]: overviewText,
    ...Object.fromEntries(lists.map(([name, { whole }]) => [name, whole])),
    [rollbackName]: rollbackText,
  };
  return { about, rest: indexes.join("") };
}
