import { ok, type Result } from "../../model/result.js";
import type { ApprovalPreview } from "../../plan/node/approval-preview.js";
import type { AppliedRun } from "../../planning/run/apply.js";
import type { PlanningRunView } from "../../planning/run/view.js";
import { key, optional } from "../kit/schema.js";
import type { Door } from "../kit/session.js";
import { errorStyle, type Style } from "../kit/style.js";
import type { After, Terminal } from "../kit/view.js";
import { appliedText, runLines } from "../text/plan-lines.js";
import { previewText } from "../text/preview-lines.js";
import { planProgress } from "./plan-progress.js";

export const runKey = optional(key("run", "a planning run; the unfinished one unless given", "RUN"));

export const isPersonHere = ({ interactive, json }: Terminal): boolean => interactive && !json;

const runText = (run: PlanningRunView, style: Style): string => runLines(run, style).join("\n");

/** What every operation shows that ends with a run, wherever the run stands. */
export const RUN_VIEW = {
  live: planProgress,
  text: runText,
  next: ({ next }: PlanningRunView): PlanningRunView["next"] => next,
  reports: ["run-waiting", "run-halted", "interrupted"],
  problems: (details: PlanningRunView, style: Style): string => runText(details, style),
};

/** At a terminal you decide on a plan that is ready at once, if you want to. */
export async function decideOnPlan(run: PlanningRunView, asked: After, hasRead?: string): Promise<Result<unknown>> {
  const { terminal, app } = asked;
  if (run.status !== "ready" || !isPersonHere(terminal)) return ok(undefined);
  const { askApproval, askAfterPreview } = await import("../terminal/ask.js");
  const isProvable = run.checked === null || run.checked.withCheck > 0;
  const { choice, note } = await askApproval(run.id, hasRead !== undefined, isProvable);
  if (choice === "later") return ok(undefined);
  if (choice === "abort") return shown(asked, await app.call("plan.abort", { run: run.id }), abortedText);
  if (choice === "read") {
    const preview = (await app.call("approve", { references: [run.id], preview: true })) as Result<ApprovalPreview>;
    if (!preview.ok) return preview;
    terminal.progress(`${previewText(preview.value, errorStyle(terminal.style))}\n`);
    return decideOnPlan(run, asked, preview.value.hash);
  }
  if (choice === "approve") {
    const seen = hasRead === undefined ? {} : { seen: hasRead };
    const confirm: Door["confirm"] = (question, preview) => askAfterPreview(question, preview, terminal);
    const approved = await app.ask("approve", { references: [run.id], ...seen }, { confirm });
    return shown(asked, approved as Result<AppliedRun>, appliedText);
  }
  const live = planProgress(terminal);
  const door = { onEvent: live.onEvent, signal: () => terminal.interrupted() };
  const revised = (await app.ask("plan.revise", { run: run.id, note }, door)) as Result<PlanningRunView>;
  live.close();
  if (!revised.ok) return revised;
  terminal.print(`${runText(revised.value, terminal.style)}\n`);
  return decideOnPlan(revised.value, asked);
}

function shown<T>(
  { terminal }: After,
  answer: Result<T>,
  textOf: (output: T, style: Style) => string,
): Result<unknown> {
  if (answer.ok) terminal.print(`${textOf(answer.value, terminal.style)}\n`);
  return answer;
}

export const abortedText = ({ id }: PlanningRunView, style: Style): string =>
  style.dim(`${id} was aborted. Nothing was added to the plan.`);
